// Statements of lasting worth in what people and agents wrote: rules, decisions, patterns, issues. Only sentences that say
// so themselves are taken, by their form: it is better to miss one than to remember chatter.

export type StatementType = 'pattern' | 'rule' | 'decision' | 'issue'

export interface FoundStatement {
  type: StatementType
  content: string
  /** From 1. */
  line: number
}

/** Of Markdown or plain text, in order. With `headed`, the items of a list under "Decisions" and the like count too. */
export function statementsIn(text: string, { headed = false } = {}): FoundStatement[] {
  const found: FoundStatement[] = []
  const above: { depth: number; type: StatementType | null }[] = []
  let under: StatementType | null = null
  for (const { kind, text: said, line, depth } of blocksOf(text)) {
    if (kind === 'heading') {
      while (above.length > 0 && above.at(-1)!.depth >= depth) above.pop()
      // "Naming" below "Rules" has rules; "Decisions" below "Rules" has decisions.
      under = headed ? (typeOfHeading(said) ?? above.at(-1)?.type ?? null) : null
      above.push({ depth, type: under })
    } else if (kind === 'item' && under !== null) {
      const content = cleaned(said)
      if (fits(content))
        found.push({
          type: labelled(content)?.type ?? under,
          content: labelled(content)?.content ?? content,
          line,
        })
    } else found.push(...sentencesOf(said).flatMap((sentence) => stated(sentence, line)))
  }
  return found
}

interface TextBlock {
  kind: 'heading' | 'item' | 'paragraph'
  text: string
  line: number
  depth: number
}

const longestLine = 5_000

/** Paragraphs, items and headings; code, quotations and tables are left out. */
function* blocksOf(text: string): Generator<TextBlock> {
  let open: TextBlock | null = null
  let fence: string | null = null
  let number = 0
  for (const raw of text.split('\n')) {
    number++
    const line = raw.slice(0, longestLine).trimEnd()
    const mark = /^\s{0,10}(`{3,}|~{3,})/.exec(line)?.[1]
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)
    const item = /^\s{0,10}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(line)
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
      continue
    }
    const breaks = mark || heading || item || line.trim() === '' || /^\s{0,3}[>|]/.test(line)
    if (breaks && open) {
      yield open
      open = null
    }
    if (mark) fence = mark
    else if (heading) yield { kind: 'heading', text: heading[2]!, line: number, depth: heading[1]!.length }
    else if (item) open = { kind: 'item', text: item[1]!, line: number, depth: 0 }
    else if (!breaks && open) open.text = `${open.text} ${line.trim()}`.slice(0, longestLine)
    else if (!breaks) open = { kind: 'paragraph', text: line.trim(), line: number, depth: 0 }
  }
  if (open) yield open
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

/** Without the signs of Markdown that only show. */
function cleaned(text: string): string {
  return text
    .replace(/\*\*(?=\S)|(?<=\S)\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replace(/\[([^\]]{1,200})\]\([^)]{1,500}\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

function stated(sentence: string, line: number): FoundStatement[] {
  const label = labelled(sentence)
  if (label) return fits(label.content) && !doubtful.test(label.content) ? [{ ...label, line }] : []
  if (!fits(sentence) || sentence.endsWith('?') || doubtful.test(sentence)) return []
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

// What is only considered, asked, about to be done or about one's own doing is no statement.
const doubtful =
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
