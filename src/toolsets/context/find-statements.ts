// Finds statements of lasting worth in notes and transcripts: rules, decisions, patterns, issues. It recognises them by the
// form of the sentence alone: missing one is better than remembering chatter.

export type StatementType = 'pattern' | 'rule' | 'decision' | 'issue'

export interface FoundStatement {
  type: StatementType
  content: string
  /** From 1. */
  line: number
}

/**
 * The statements of Markdown or plain text, in order. With `headed`, list items under headings such as "Decisions" count
 * too; `passOver` gets the lines of those that are too short or too long.
 */
export function statementsIn(
  text: string,
  { headed = false, passOver = (_line: number) => {} } = {},
): FoundStatement[] {
  const found: FoundStatement[] = []
  const above: { depth: number; type: StatementType | null }[] = []
  let under: StatementType | null = null
  for (const { kind, text: blockText, line, depth } of blocksOf(text)) {
    if (kind === 'heading') {
      while (above.length > 0 && above.at(-1)!.depth >= depth) above.pop()
      // "Naming" below "Rules" has rules; "Decisions" below "Rules" has decisions.
      under = headed ? (typeOfHeading(blockText) ?? above.at(-1)?.type ?? null) : null
      above.push({ depth, type: under })
    } else if (kind === 'item' && under !== null) {
      const content = cleaned(blockText)
      if (isItem(content)) found.push({ type: under, content, ...labelled(content), line })
      else passOver(line)
    } else found.push(...sentencesOf(blockText).flatMap((sentence) => stated(sentence, line)))
  }
  return found
}

interface TextBlock {
  kind: 'heading' | 'item' | 'paragraph'
  text: string
  line: number
  depth: number
  /** There was an empty line, code or a quotation since its last line. */
  parted: boolean
}

/** Paragraphs, items and headings; code, quotations and tables are left out. */
function* blocksOf(text: string): Generator<TextBlock> {
  let open: TextBlock | null = null
  for (const line of linesOf(text)) {
    // Indented text below an item belongs to it, also after an empty line: it is often an exception.
    const within: boolean = open?.kind === 'item' && line.indented
    if (open && line.kind === 'skipped' && within) open.parted = true
    else if (open && line.kind === 'text' && (within || !open.parted)) addTo(open, line.text)
    else {
      if (open) yield line.kind === 'drawn' ? aboveLine(open, line.text) : open
      open = line.kind === 'skipped' || line.kind === 'drawn' ? null : blockOf(line)
    }
  }
  if (open) yield open
}

interface TextLine {
  kind: 'heading' | 'item' | 'text' | 'drawn' | 'skipped'
  text: string
  number: number
  depth: number
  /** Or empty. */
  indented: boolean
}

const longestLine = 5_000

function* linesOf(text: string): Generator<TextLine> {
  let fence: string | null = null
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.slice(0, longestLine).trimEnd()
    const mark = /^\s{0,10}(`{3,}|~{3,})/.exec(line)?.[1]
    const inside = fence !== null
    if (fence === null) fence = mark ?? null
    else if (mark?.startsWith(fence)) fence = null
    if (inside) continue
    const indented = line === '' || /^\s/.test(line)
    yield { ...(mark === undefined ? readLine(line) : skipped), number: i + 1, indented }
  }
}

const skipped = { kind: 'skipped', text: '', depth: 0 } as const

function readLine(line: string): Pick<TextLine, 'kind' | 'text' | 'depth'> {
  const heading = /^(#{1,6})\s+(\S.*)$/s.exec(line)
  if (heading) return { kind: 'heading', text: withoutClosing(heading[2]!), depth: heading[1]!.length }
  const item = /^\s{0,10}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(line)
  if (item) return { kind: 'item', text: item[1]!, depth: 0 }
  if (line === '' || /^\s{0,3}[>|]/.test(line)) return skipped
  const drawn = /^\s{0,3}(?:=+|-{2,}|\*{3,}|_{3,})$/.test(line)
  return { kind: drawn ? 'drawn' : 'text', text: line.trim(), depth: 0 }
}

/** "## Title ##" is "Title", and "# C#" is "C#". */
function withoutClosing(text: string): string {
  const bare = text.trimEnd()
  let end = bare.length
  while (bare[end - 1] === '#') end--
  return end > 0 && /\s/.test(bare[end - 1]!) ? bare.slice(0, end).trimEnd() : bare
}

function blockOf({ kind, text, number, depth }: TextLine): TextBlock {
  const block = kind === 'heading' || kind === 'item' ? kind : 'paragraph'
  return { kind: block, text, line: number, depth, parted: block === 'heading' }
}

function addTo(block: TextBlock, text: string) {
  const continues = !block.parted || /[.!?:;,。！？：；，]$/u.test(block.text) || /^\p{Ll}/u.test(text)
  block.text = `${block.text}${continues ? ' ' : '. '}${text}`.slice(0, longestLine)
  block.parted = false
}

/** A line below a sentence is only drawn there; below a few words it makes a heading of them. */
function aboveLine(block: TextBlock, drawn: string): TextBlock {
  const isTitle = /^(?:=+|-+)$/.test(drawn) && block.text.length <= 100 && !/[.!?,;]$/.test(block.text)
  if (block.kind !== 'paragraph' || !isTitle) return block
  return { ...block, kind: 'heading', depth: drawn.startsWith('=') ? 1 : 2 }
}

const headings: [StatementType, RegExp][] = [
  ['decision', /^(?:\d+\.?\s+)?(?:key |our |technical )?decisions?(?: made| log)?:?$/i],
  ['rule', /^(?:\d+\.?\s+)?(?:our |coding |house )?(?:rules?|guidelines|conventions?)(?: of the house)?:?$/i],
  ['pattern', /^(?:\d+\.?\s+)?(?:our |code |common )?patterns?(?: we use| used)?:?$/i],
  ['issue', /^(?:\d+\.?\s+)?(?:known |open )?(?:issues?|problems|bugs|gotchas|pitfalls)(?: found)?:?$/i],
]

function typeOfHeading(heading: string): StatementType | null {
  return headings.find(([, pattern]) => pattern.test(cleaned(heading)))?.[0] ?? null
}

const leastContent = 20
const mostContent = 500

// An item in a list of rules is meant as a rule, so it may be short.
const leastItem = 10
const mostItem = 1_000

function isItem(content: string): boolean {
  return content.length >= leastItem && content.length <= mostItem && /\p{L}{2}/u.test(content)
}

function fits(content: string): boolean {
  return (
    content.length >= leastContent && content.length <= mostContent && /\p{L}{3}.*\s.*\p{L}{2}/u.test(content)
  )
}

function sentencesOf(block: string): string[] {
  return cleaned(block)
    .split(/(?<=[.!?])\s+(?=[\p{Lu}"'`(])/u)
    .slice(0, 200)
}

/** Without the signs of Markdown that only show; in code they say something. */
function cleaned(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 === 1 ? part : withoutMarks(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

function withoutMarks(text: string): string {
  return text
    .replace(/\*\*(?=\S|$)|(?<=\S|^)\*\*|__(?=\S|$)|(?<=\S|^)__/g, '')
    .replace(/\[([^\]]{1,200})\]\([^)]{1,500}\)/g, '$1')
}

function stated(sentence: string, line: number): FoundStatement[] {
  const label = labelled(sentence)
  if (label) return fits(label.content) && !notAStatement.test(label.content) ? [{ ...label, line }] : []
  if (!fits(sentence) || sentence.endsWith('?') || notAStatement.test(sentence)) return []
  const type = forms.find(([, pattern]) => pattern.test(sentence))?.[0]
  return type ? [{ type, content: sentence, line }] : []
}

const labels: Record<string, StatementType> = {
  decision: 'decision',
  decided: 'decision',
  rule: 'rule',
  convention: 'rule',
  pattern: 'pattern',
  issue: 'issue',
  bug: 'issue',
  'known issue': 'issue',
  gotcha: 'issue',
  'root cause': 'issue',
}

function labelled(sentence: string): { type: StatementType; content: string } | null {
  const found =
    /^(known issue|root cause|decision|decided|rule|convention|pattern|issue|bug|gotcha)\s?:\s+(.+)$/i.exec(
      sentence,
    )
  if (!found) return null
  const [, label, rest] = found as unknown as [string, string, string]
  return { type: labels[label.toLowerCase()]!, content: rest.charAt(0).toUpperCase() + rest.slice(1) }
}

// Questions, considerations, plans and reports of one's own work are no statements.
const notAStatement =
  /\b(?:maybe|perhaps|probably|possibly|might|could|would|seems?|i think|i guess|i wonder|not sure|unclear|let me|i['’]ll|i will|i['’]m going|i am going|we could|should we|shall we|if we|what if|for example|e\.g\.|todo|wip|as an ai)\b|\?\s/i

const we = '(?:we|the team|i)'
const forms: [StatementType, RegExp][] = [
  [
    'decision',
    new RegExp(
      `\\b${we}(?:['’]ve| have)? (?:decided|agreed|chose|chosen|opted|settled)\\b (?:to|on|that|for|against|not to|\\w)`,
      'i',
    ),
  ],
  [
    'decision',
    /^(?:we (?:will|are going to) use|we switched|we moved|we migrated|we dropped|we replaced|we no longer)\b/i,
  ],
  ['decision', /\b(?:will|to) use [\w./@+-]+(?: [\w./@+-]+){0,3} (?:instead of|rather than) /i],
  ['rule', /^(?:please )?(?:always|never|do not ever|don['’]t ever|from now on,?) \p{L}/iu],
  [
    'rule',
    /^(?:all|every|each|no) [\w `./-]{2,60}? (?:must|must not|has to|have to|may not|is not allowed to)\b/i,
  ],
  [
    'rule',
    /^(?:we|you|tests?|code|commits?|files?|functions?|components?|modules?) (?:must(?: not| never| always)?|never|always) \p{L}/iu,
  ],
  [
    'pattern',
    /^(?:this|the|our) (?:project|codebase|repo|repository|code|app|service|team) (?:uses|follows|relies on|is built (?:on|with)|keeps|stores)\b/i,
  ],
  ['pattern', /^(?:the|our) (?:convention|pattern)(?: here| in this project)? is\b/i],
  ['pattern', /^by convention,? /i],
  [
    'issue',
    /\bthe (?:bug|problem|issue|root cause|failure|error|crash|regression) (?:was|is|comes from|came from|turned out to be)\b.{0,200}\b(?:because|that|when|due to|caused by|in|missing|wrong)\b/i,
  ],
  [
    'issue',
    /^(?:there is|there['’]s) a (?:known )?(?:bug|race condition|memory leak|deadlock|regression) (?:in|when|where|that)\b/i,
  ],
]
