// Advice in prose, as far as it names what to look for in code font: "never call `x`", "use `A` instead of `B`". Whatever
// depends on where or when is left to a reader: a wrong verdict costs more than none.
import type { Token } from 'markdown-it'
import type { Rule, Severity } from '../../model/rule.js'
import { blockTokens } from '../markdown-blocks.js'

export interface Advice {
  /** Made from its section and its place there: `common-pitfalls-3`. */
  id: string
  text: string
  line: number
  /** Null: nothing here can be checked by a program, and why. */
  rule: Rule | null
  reason: string | null
}

/** The advice under Best Practices, Common Pitfalls and Implementation, in order. */
export function readAdvice(text: string): Advice[] {
  return itemsOf(text).map(({ section, place, text, line }) => {
    const id = `${section}-${place}`
    const read = ruleOf(text, section)
    if (typeof read === 'string') return { id, text, line, rule: null, reason: read }
    const rule: Rule = { id, languages: [], paths: [], except: [], line, message: text, ...read }
    return { id, text, line, rule, reason: null }
  })
}

interface Item {
  section: Section
  place: number
  text: string
  line: number
}

const sections = ['best-practices', 'common-pitfalls', 'implementation'] as const
type Section = (typeof sections)[number]

/** List items and, in a section without lists, paragraphs. */
function itemsOf(text: string): Item[] {
  const items: Item[] = []
  const counts = new Map<Section, number>()
  let section: Section | null = null
  let level = 0
  let inItem = 0
  const { tokens } = blockTokens(text, 'markdown')
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const depth = Number(token.tag.slice(1))
      const named = sectionNamed(tokens[i + 1])
      if (named) [section, level] = [named, depth]
      else if (depth <= level) section = null
    }
    if (token.type === 'list_item_open') inItem++
    if (token.type === 'list_item_close') inItem--
    if (!section || token.type !== 'inline' || tokens[i - 1]?.type !== 'paragraph_open') continue
    // Implementation explains in paragraphs; elsewhere a paragraph leads up to the list.
    if (inItem === 0 && section !== 'implementation') continue
    const place = (counts.get(section) ?? 0) + 1
    counts.set(section, place)
    const said = token.content.replace(/\s+/g, ' ').trim()
    if (said) items.push({ section, place, text: said, line: (token.map?.[0] ?? 0) + 1 })
  }
  return items
}

function sectionNamed(inline: Token | undefined): Section | null {
  const name = (inline?.content ?? '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
  return sections.find((one) => name === one || name === one.replace(/s$/, '')) ?? null
}

/** With a suggestion where the advice does not say itself what to do: a pitfall names what goes wrong. */
type Found = Pick<Rule, 'severity' | 'check' | 'suggestion'>

const noName = 'It names no code to look for.'
const depends = 'It depends on where or when.'
const partial = 'It is about some code only, and a reader has to tell which.'
const unsure = 'It does not say plainly that the code it names must or must not be there.'

function ruleOf(text: string, section: Section): Found | string {
  if (!text.includes('`')) return noName
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z`])/)
  let reason = unsure
  for (const sentence of sentences) {
    const found = readSentence(sentence, section)
    if (found && typeof found !== 'string') return found
    if (found) reason = found
  }
  return reason
}

const code = '`([^`\\n]{2,80})`'
const no = `(?:never|do not|don['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|avoid)`
const useVerb = String.raw`(?:ever\s+|directly\s+)?(?:call|calling|use|using|write|writing|throw|throwing|extend|extending|instantiate|instantiating|invoke|invoking|depend on|rely on|relying on|return|returning|expose|exposing|leak|leaking)`
const importVerb = String.raw`(?:ever\s+|directly\s+)?(?:import|importing|require|requiring)`
const thing = String.raw`(?:\s+(?:the|a|an|any|from))?(?:\s+(?:function|method|class|type|module|package|interface|library|trait|hook|operator))?\s+`

const forms: { form: RegExp; read(match: RegExpExecArray, section: Section): Found | null }[] = [
  {
    form: new RegExp(
      `^(?:always\\s+)?(?:use|call|prefer|choose|write|import)\\s+${code}\\s*,?\\s+(?:instead of|rather than|over|not|and not|never)\\s+${code}`,
      'i',
    ),
    read: ([whole, good, bad]) => forbidden(bad!, strength(whole), `Use \`${good}\` instead of \`${bad}\`.`),
  },
  {
    form: new RegExp(`\\b${no}\\s+${importVerb}${thing}${code}`, 'i'),
    read: ([whole, name]) => withoutImport(name!, strength(whole)),
  },
  {
    form: new RegExp(`\\b${no}\\s+${useVerb}${thing}${code}`, 'i'),
    read: ([whole, name]) => forbidden(name!, strength(whole)),
  },
  {
    // Not "to avoid `x`", which says what for.
    form: new RegExp(`(?:^(?:we\\s+)?|\\b(?:should|must|always|please,?)\\s+)avoid${thing}${code}`, 'i'),
    read: ([whole, name]) => forbidden(name!, strength(whole)),
  },
  {
    form: new RegExp(
      `^${code}\\s+(?:is|are)\\s+(?:forbidden|banned|not allowed|never used|never allowed|off limits)`,
      'i',
    ),
    read: ([, name]) => forbidden(name!, 'error'),
  },
  {
    form: new RegExp(
      `\\b(?:must|always|has to|have to|should)\\s+(?:implement|implements|extend)${thing}${code}`,
      'i',
    ),
    read: ([whole, name]) => implemented(name!, strength(whole)),
  },
  {
    form: new RegExp(
      `(?:\\b(?:must|has to|have to|should)|^always)\\s+(?:call|use|import|throw|return|declare|export|define|provide|have)${thing}${code}`,
      'i',
    ),
    read: ([whole, name]) => required(name!, strength(whole)),
  },
  {
    form: new RegExp(`^(?:calling|using|throwing|extending|instantiating)${thing}${code}`, 'i'),
    read: ([, name], section) =>
      section === 'common-pitfalls' ? forbidden(name!, 'warning', `Do without \`${name}\`.`) : null,
  },
  {
    form: new RegExp(`^importing${thing}${code}`, 'i'),
    read: ([, name], section) =>
      section === 'common-pitfalls' ? withoutImport(name!, 'warning', `Do not import \`${name}\`.`) : null,
  },
]

function readSentence(written: string, section: Section): Found | string | null {
  const sentence = withoutEmphasis(written)
  for (const { form, read } of forms) {
    const match = form.exec(sentence)
    const found = match && read(match, section)
    if (!found) continue
    const before = sentence.slice(0, match.index)
    const after = sentence.slice(match.index + match[0].length)
    if (!isAboutAllCode(before)) return /\b(?:if|when|unless|in)\b/i.test(before) ? depends : partial
    return isUnconditional(after) ? found : depends
  }
  return null
}

function withoutEmphasis(sentence: string): string {
  return sentence.replace(/(`[^`]*`)|\*+|(?<!\w)_+|_+(?!\w)/g, '$1')
}

/** Nobody in particular is spoken of: "Controllers must not …" says nothing about other code. */
function isAboutAllCode(before: string): boolean {
  return anybody.test(before.replace(quotes, '').trim())
}

const quotes = /["“”'’]/g
const anybody = new RegExp(
  [
    String.raw`^(?:(?:please|also|and|but|so|therefore),?\s*)*`,
    String.raw`(?:\b(?:you|we|one|everyone|everybody|(?:(?:all|any|the|your|our)\s+)?code)\b)?`,
    String.raw`(?:\s*\b(?:must|should|shall|may|can|will|always)\b)*$`,
  ].join(''),
  'i',
)

// What comes after the name, up to the reason why, must not narrow it down; an exception does wherever it stands.
function isUnconditional(after: string): boolean {
  const rest = after.replace(quotes, '')
  if (exception.test(rest)) return false
  const said = rest.split(/[:;.!?(—–]|\s-\s|\b(?:because|since|as it|as they|so that)\b/)[0]!
  // Names in a row are one list, and what comes after the last is about all of them.
  const [name, ...more] = said.split(/,\s(?!(?:(?:n?or|and)\s)?`)/)
  return plainEnd.test(name!) && !narrowing.test(name!) && !more.some((part) => condition.test(part))
}

const exception =
  /\b(?:unless|except|apart from|other than|save for)\b|[(,]\s*(?:but )?(?:only|outside|not)\b/i
const condition = /\b(?:only|outside|if|when|whenever|while|until|inside|within)\b/i
const narrowing =
  /\b(?:only|outside|when|whenever|if|while|inside|within|without|before|after|until|during|once|twice|in|from|at(?! all)|on|between|for|by|with|where|as|directly|to|of)\b/i

/** Other names, what sort of thing it is, and that there are no two ways about it. */
const plainEnd = new RegExp(
  [
    String.raw`^(?:\s*,?\s*(?:or|nor|and|\/)?\s*\`[^\`]*\``,
    String.raw`|\s+(?:types?|class(?:es)?|functions?|methods?|calls?|operators?|hooks?|modules?|packages?|keywords?|statements?|itself)`,
    String.raw`|\s+(?:at all|anywhere|everywhere|ever|any ?more|again))*`,
    String.raw`(?:\s+n?or\s[^\`]*)?\s*$`,
  ].join(''),
  'i',
)

function strength(words: string): Severity {
  return /\b(?:should|shouldn|avoid|prefer|over)\b/i.test(words) ? 'warning' : 'error'
}

function forbidden(written: string, severity: Severity, suggestion?: string): Found | null {
  const pattern = patternOf(written)
  return pattern ? { severity, suggestion, check: text(pattern, false) } : null
}

function required(written: string, severity: Severity): Found | null {
  const pattern = patternOf(written)
  return pattern ? { severity, check: text(pattern, true) } : null
}

function withoutImport(written: string, severity: Severity, suggestion?: string): Found | null {
  const name = written.replace(/^["']|["']$/g, '')
  if (!/^[@\w./:-]+$/.test(name)) return null
  return { severity, suggestion, check: { kind: 'import', require: false, imports: [name], every: false } }
}

function implemented(written: string, severity: Severity): Found | null {
  const name = /^[A-Za-z_]\w+/.exec(written)?.[0]
  if (!name) return null
  const heads = String.raw`(?:\b(?:implements|extends|impl|satisfies|conforms)\b|[:(,<])[^;{}\n]{0,200}?`
  return { severity, check: text(`${heads}\\b${escaped(name)}\\b`, true) }
}

function text(pattern: string, require: boolean): Found['check'] {
  return { kind: 'text', require, pattern, ignoreCase: false, when: null, every: false, codeOnly: true }
}

/** A name as it may stand in code; a call as a call. Null for words of the language and for what is no name. */
function patternOf(written: string): string | null {
  const [, fresh, name, call] =
    /^(new\s+)?([A-Za-z_$@][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*!?)*!?)\s*(\(.*\))?;?$/.exec(written) ?? []
  if (!name || (!fresh && keywords.has(name)) || name.length < 2) return null
  const edge = '(?<![\\w$])'
  const words = escaped(name)
  if (fresh) return `${edge}new\\s+${words}\\s*${call === '()' ? '\\(\\s*\\)' : '\\('}`
  return call === undefined ? `${edge}${words}(?![\\w$])` : `${edge}${words}\\s*\\(`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const keywords = new Set(
  'if else for while do switch case default break continue return try catch finally throw throws class interface enum type const let function def fn func new delete in of is not and or null nil none true false this self super import export from as async await yield static public private protected package module use pub mut match where with lambda pass raise except go defer select struct impl trait void int string bool'.split(
    ' ',
  ),
)
