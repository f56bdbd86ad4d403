// Finds the option that a decision chose. A rejected option read as chosen would invert every verdict about the record, so
// a sentence with a negation does not count, and two chosen options count as none.
import type { Adr, AdrOption } from './adr.js'
import { letters, optionNoun, withoutLabel } from './option-names.js'

/** An explicit "Chosen option" counts first, then "we decided", and last a plain statement. */
export function choiceIn(options: readonly AdrOption[], decision: Adr['decision']): AdrOption | null {
  if (options.length === 0 || !decision) return null
  for (const { reads, most } of ways) {
    const found = decision.sentences.slice(0, most).flatMap(({ text }) => {
      const choice = isQuestion(text) ? null : reads(text.slice(0, longest), options)
      return choice ?? []
    })
    const [first] = found
    if (first) return first === 'several' || found.some((choice) => choice !== first) ? null : first
  }
  return null
}

const longest = 1500

function isQuestion(text: string): boolean {
  return /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u.exec(text)?.[0].includes('?') ?? false
}

type Way = (text: string, options: readonly AdrOption[]) => Meant

const ways: readonly { reads: Way; most: number }[] = [
  { reads: declared, most: 60 },
  { reads: abroad, most: 60 },
  { reads: decided, most: 12 },
  { reads: opening, most: 1 },
  { reads: imperative, most: 12 },
]

const lead =
  '^\\W*(?:(?:so|therefore|thus|hence|consequently|finally|instead|as a result|in the end)\\b,?\\s+)?'
const kinds = '(?:option|solution|alternative|approach|choice|variant)s?'

const declares = new RegExp(
  `${lead}(?:the\\s+|our\\s+)?(?:chosen|selected|preferred|accepted|recommended)\\s+${kinds}\\s*(?:is|was)?\\s*[:–—-]?\\s*`,
  'i',
)

/** `Chosen option: "X", because Y`. */
function declared(text: string, options: readonly AdrOption[]): Meant {
  const found = declares.exec(text)
  if (!found) return null
  const rest = text.slice(found[0].length)
  const mark = /^[\s#(]*(\d{1,2}|[a-z])[\s)]*$/i.exec(chosenWords(rest))?.[1]
  return mark ? unlessRejected(optionAt(mark.toLowerCase(), options)) : named(rest, options)
}

const verbs =
  '(?:use|adopt|choose|pick|select|go\\s+(?:with|for)|opt\\s+for|settle\\s+(?:on|for)|(?:move|switch|migrate)\\s+(?:over\\s+)?to)'
const decides = new RegExp(
  `${lead}(?:(?:we|i|the\\s+team)\\s+(?:have\\s+|has\\s+)?(?:chose|chosen|choose|picked?|select(?:ed)?|adopt(?:ed)?|decided\\s+(?:on|for|to\\s+${verbs})|agreed\\s+(?:on|to\\s+${verbs})|(?:will|shall)\\s+${verbs}|(?:are|is)\\s+going\\s+(?:with|for|to\\s+${verbs})|opt(?:ed)?\\s+for|go(?:es)?\\s+(?:with|for)|went\\s+(?:with|for)|settled?\\s+(?:on|for)|(?:move|switch|migrate)\\s+(?:over\\s+)?to)|go(?:ing)?\\s+(?:with|for)|decided\\s+(?:on|for|to\\s+${verbs})|it\\s+was\\s+decided\\s+to\\s+${verbs}|adopt)\\s+`,
  'i',
)
/** "In the context of X, facing Y, we decided for Z and against W, to achieve …". */
const yStatement =
  /^\W*in the context of\b.{1,900}?\bwe (?:have )?decided (?:for|to (?:use|adopt|choose|prefer|go with))\s+(.{1,200}?)(?=\s+and (?:against|neglected|rejected|not)\b|,|\s+to achieve\b|\.?$)/is
const passive =
  /^(?:the\s+)?(.{1,200}?)\s+(?:(?:is|was|has been)\s+(?:chosen|selected|picked|adopted)|will\s+be\s+(?:chosen|selected|adopted|implemented|used))\b/i

/** "We will use X", "we chose X", "option 2 was chosen". */
function decided(text: string, options: readonly AdrOption[]): Meant {
  const found = decides.exec(text)
  const chosen = found ? text.slice(found[0].length) : yStatement.exec(text)?.[1]
  if (chosen !== undefined) return unlessRejected(named(chosen, options))
  const ordinal = ordinalIn(text)
  if (ordinal && decides.test(ordinal.rest)) return spelledOut(ordinal, options)
  const subject = passive.exec(text)
  if (!subject) return null
  const name = subject[1]!.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
  return unlessRejected(same(options, name) ?? numbered(name, options))
}

/** "Option 1 - We will use the cluster accounts." */
function spelledOut({ mark, rest }: Ordinal, options: readonly AdrOption[]): Meant {
  const name = ` ${beforeContrast(chosenWords(rest), options)} `
  const option = optionAt(mark, options)
  if (optionsIn(name, options).some((one) => one !== option)) return 'several'
  return holdsBack.test(name) ? null : unlessRejected(option)
}

const useWords = new RegExp(`${lead}(?:we\\s+use|use(?!\\s+of\\b))\\s+`, 'i')
/** Words after the name that describe the present instead of a decision. */
const describesPresent =
  /\b(?:is|are|was|were|has|have|had|today|currently|now|at present|so far|until|already|still|hurts?|(?:and|but|which|that) (?:it|this|that|they|we))\b/i

/** "Use X", "we use X" and a bare "X" or "Option 1, X." */
function imperative(text: string, options: readonly AdrOption[]): Meant {
  const found = useWords.exec(text)
  if (found) {
    const rest = text.slice(found[0].length)
    return describesPresent.test(chosenWords(rest)) ? null : unlessRejected(named(rest, options))
  }
  const ordinal = ordinalIn(text)
  if (ordinal && useWords.test(ordinal.rest) && !describesPresent.test(chosenWords(ordinal.rest)))
    return spelledOut(ordinal, options)
  const words = chosenWords(text)
  return unlessRejected(same(options, withoutLabel(words)) ?? numbered(words, options))
}

/** "Gewählte Option: X", "nous retenons X", "采用选项 A". */
function abroad(text: string, options: readonly AdrOption[]): Meant {
  const words = chosenAbroad(text)
  return words === null ? null : unlessRejected(named(words, options))
}

/** The decision begins with an option's number and description: "Option 1: a small proxy in front." */
function opening(text: string, options: readonly AdrOption[]): Meant {
  const found = ordinalIn(text)
  const isNamed = found && /^[^\p{L}\p{N}]*[\p{L} ]+#?[a-z\d]{1,2}\s*[:：–—]/iu.test(text)
  return isNamed && !describesPresent.test(chosenWords(found.rest)) ? spelledOut(found, options) : null
}

function unlessRejected(found: Meant): Meant {
  return found !== null && found !== 'several' && found.outcome === 'rejected' ? null : found
}

// --- Which option a text names.

function named(rest: string, options: readonly AdrOption[]): Meant {
  const quoted = quotes.exec(rest.trim())
  const name = quoted ? quoted.slice(1).find(Boolean)! : chosenWords(rest)
  return meant(name, options) ?? (quoted ? paraphrased(name, options) : null)
}

const quotes = /^(?:"([^"]{2,300})"|“([^”]{2,300})”|‘([^’]{2,300})’|'(.{2,300}?)'(?=[\s,.;:]|$))/

/** The words before the reason, without the marks at their end. */
function chosenWords(text: string): string {
  const words = text.slice(0, reason.exec(text)?.index)
  return words.replace(/(?<![.;:!,\s。：，])[.;:!,\s。：，]+$/, '').trim()
}

type Meant = AdrOption | 'several' | null

/** "Rely on upstream" for "Rely on what upstream ships": the only option with all of the words in order. */
function paraphrased(name: string, options: readonly AdrOption[]): Meant {
  const words = letters(name).split(' ')
  if (words.length < 2) return null
  const found = options.filter((option) => {
    const own = letters(option.name).split(' ')
    let at = 0
    for (const word of own) if (word === words[at]) at++
    const left = own.filter((word) => !words.includes(word)).join(' ')
    return at === words.length && !holdsBack.test(left)
  })
  return found.length === 1 ? found[0]! : null
}

function meant(name: string, options: readonly AdrOption[]): Meant {
  const wanted = letters(name)
  const exact = options.find((option) => letters(option.name) === wanted)
  if (exact) return exact
  const short = options.filter(
    (option) => wanted.length >= 3 && letters(option.name).startsWith(`${wanted} `),
  )
  if (short.length > 0) return short.length === 1 ? short[0]! : 'several'
  const words = beforeContrast(name, options)
  const named = optionsIn(` ${words} `, options)
  const ordinal = ordinalIn(words)
  const byNumber = ordinal && optionAt(ordinal.mark, options)
  const all = new Set([...named, ...(byNumber ? [byNumber] : [])])
  if (all.size !== 1) return all.size > 1 ? 'several' : null
  const [option] = all
  return holdsBack.test(` ${words} `.replace(` ${letters(option!.name)} `, ' ')) ? null : option!
}

/** The words before a contrast such as "instead of", unless an option's name contains it: "Kubernetes without Helm". */
function beforeContrast(name: string, options: readonly AdrOption[]): string {
  const whole = letters(name)
  const contrasting = options.filter((option) => contrast.test(` ${option.name} `))
  return optionsIn(` ${whole} `, contrasting).length > 0 ? whole : letters(name.split(contrast)[0]!)
}

/** Every named option, without those whose name is only part of a longer named one. */
function optionsIn(words: string, options: readonly AdrOption[]): AdrOption[] {
  const held = options.filter((option) => {
    const name = letters(option.name)
    return name !== '' && name !== 'a' && words.includes(` ${name} `)
  })
  return held.filter(
    (one) =>
      !held.some((other) => other !== one && ` ${letters(other.name)} `.includes(` ${letters(one.name)} `)),
  )
}

/** Words before an option that was not chosen. */
const contrast =
  /[,;]?\s+(?:instead of|rather than|over|in place of|as opposed to|in preference to|and not|but not|without|which|who)\s|,\s+not\s/i

/** Words that make it no choice: they reject, reduce, or replace the named option. */
const holdsBack =
  /\b(?:not|never|no|none|nothing|neither|nor|hardly|barely|rarely|seldom|less|fewer|little|zero|against|avoid\w*|drop\w*|remov\w*|retir\w*|abandon\w*|reject\w*|refus\w*|leav(?:e|es|ing)|stop\w*|replac\w*|ditch\w*|scrap\w*|phas(?:e|ing) out|get(?:ting)? rid|away|off|alternatives?|substitutes?|competitors?|rivals?|successors?|opposites?|other than|anything but|everything but|anything except|instead|unlike)\b/i

const ordinal = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${optionNoun}[#(]?|(?<=#))(\\d{1,2}|[a-z])(?![\\p{L}\\p{N}])[^\\p{L}\\p{N}]*(.*)$`,
  'isu',
)

interface Ordinal {
  mark: string
  rest: string
}

const counts = ['first', 'second', 'third', 'fourth', 'fifth']
const counted = new RegExp(
  `^\\W*(?:the )?(${counts.join('|')}) (?:option|alternative|solution|variant)\\b\\W*(.*)$`,
  'is',
)

function ordinalIn(text: string): Ordinal | null {
  const [, word, rest] = counted.exec(text) ?? []
  if (word) return { mark: String(counts.indexOf(word.toLowerCase()) + 1), rest: rest!.trim() }
  const found = ordinal.exec(text)
  return found && { mark: found[1]!.toLowerCase().replace(/^0(?=\d)/, ''), rest: found[2]!.trim() }
}

/** The option with this label; otherwise the one at this position, unless labels contradict the positions. */
function optionAt(mark: string, options: readonly AdrOption[]): AdrOption | null {
  const labelled = options.filter(({ label }) => label === mark)
  if (labelled.length > 0) return labelled.length === 1 ? labelled[0]! : null
  const isInOrder = options.every(({ label }, i) => label === null || placeOf(label) === i)
  return (isInOrder && options[placeOf(mark)]) || null
}

function placeOf(mark: string): number {
  return /\d/.test(mark) ? Number(mark) - 1 : mark.charCodeAt(0) - 97
}

/** "Option 2" with nothing behind it, or with its name. */
function numbered(text: string, options: readonly AdrOption[]): Meant {
  const found = ordinalIn(text)
  const option = found && optionAt(found.mark, options)
  if (!option || found.rest === '') return option ?? null
  const name = same(options, found.rest)
  return name === null || name === option ? name : 'several'
}

function same(options: readonly AdrOption[], name: string): AdrOption | null {
  return options.find((option) => letters(option.name) === letters(name)) ?? null
}

// How a decision says in other languages than English which option it takes.

/** The words that may name the chosen option. Null without a choice, or with a negation. */
function chosenAbroad(text: string): string | null {
  for (const form of forms) {
    const found = form.exec(text)
    if (!found) continue
    const words = found[1] ?? text.slice(found[0].length)
    return negation.test(words.split(reason)[0]!) ? null : words
  }
  return null
}

/** Where the reason begins: "weil", "parce que", "потому что". */
const reason =
  /[,;:.\s](?:because|since|as it|due to|weil|parce que|car|porque|perché|poiché|ponieważ|потому что|так как)\s+|因为|由于/iu

const start = '^[^\\p{L}\\p{N}]*'
const labels =
  '(?:gewählte|ausgewählte|bevorzugte) (?:option|alternative|lösung|variante)|(?:option|solution|alternative) (?:retenue|choisie|sélectionnée)|(?:opción|alternativa|solución) (?:elegida|escogida|seleccionada)|(?:opção|alternativa|solução) (?:escolhida|selecionada)|(?:opzione|alternativa|soluzione) scelta|gekozen (?:optie|oplossing)|wybrana (?:opcja|alternatywa)|wybrane rozwiązanie|выбран(?:ный|о)? (?:вариант|решение)|(?:所选|选定的?|选择的?|最终)(?:选项|方案)|(?:選択した|採用した)(?:選択肢|オプション|案)|(?:선택한?|선택된|채택된?) ?(?:옵션|대안|안)'

const forms = [
  new RegExp(`${start}(?:${labels})\\s*[:：–—-]?\\s*`, 'iu'),
  new RegExp(`${start}(?:我们)?(?:决定)?(?:采用|采纳|选择|选用|选定)[\\s:：*]*`, 'u'),
  new RegExp(`${start}(?:wir haben uns|das team hat sich) für (.{1,200}?) entschieden`, 'iu'),
  new RegExp(
    `${start}(?:wir (?:verwenden|nutzen|wählen|setzen auf)|nous (?:choisissons|retenons|utilisons|adoptons)|(?:usaremos|utilizaremos|elegimos|adoptamos|adotamos|escolhemos)|(?:scegliamo|useremo|adottiamo)|(?:wybieramy|używamy)|(?:используем|выбираем|выбран[аоы]?))\\s+`,
    'iu',
  ),
  new RegExp(`${start}(.{1,200}?)\\s*を(?:採用|選択|選定)(?:する|した|します)`, 'u'),
  new RegExp(`${start}(.{1,200}?)(?:을|를|으로|로) ?(?:채택|선택|선정)(?:한다|합니다|했다|함)`, 'u'),
]

/** Words that make it no choice: they reject the named option, or take another. */
const negation =
  /(?<!\p{L})(?:nicht|nie|kein\p{L}*|statt|anstatt|ohne|pas|plus|jamais|sans|au lieu|no|nunca|sin|en lugar|en vez|não|sem|em vez|non|senza|invece|bez|zamiast|не|нет|без|вместо)(?!\p{L})|不|没有|而不是|しない|않/iu
