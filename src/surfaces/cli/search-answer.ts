// Passages as text: title, place, relevance, and the best lines with the words of the query in bold.
import type { SearchAnswer, SearchHit } from '../../answer/search.js'
import type { Stage } from '../../model/hit.js'
import { isStopWord, terms } from '../../text/terms.js'
import { clip, indented, joined, type Look, oneLine, safe, table, wrap } from './terminal.js'

export interface SearchLook extends Look {
  explain: boolean
}

export function searchText({ query, hits, stages }: SearchAnswer, look: SearchLook): string {
  const words = queryTerms(query)
  const shown = hits.flatMap((hit, i) => [...(i > 0 ? [''] : []), ...hitLines(hit, i + 1, words, look)])
  return joined([...shown, ...(look.explain && stages.length ? ['', ...stageLines(stages, look)] : [])])
}

const snippetLines = 6
const margin = 4

function hitLines(hit: SearchHit, rank: number, words: ReadonlySet<string>, look: SearchLook): string[] {
  const { paint, width } = look
  const title = [hit.title, hit.heading]
    .filter((part, i, parts) => part && part !== parts[i - 1])
    .map((part) => oneLine(part!))
    .join(' › ')
  const number = `${rank}.`.padEnd(margin)
  return [
    number + paint.bold(clip(title, width - margin)),
    `${' '.repeat(margin)}${paint.green(placeOf(hit))}  ${paint.dim(hit.score.toFixed(2))}`,
    ...(look.explain ? indented(whyLines(hit, look), ' '.repeat(margin)) : []),
    ...indented(snippet(hit.text, words, look), ' '.repeat(margin)),
  ]
}

/** `path:lines`, as editors open it, if the lines are those of the file itself. */
function placeOf({ collection, document, lines, linesOf }: SearchHit): string {
  const [path, range] = [`${oneLine(collection)}:${oneLine(document)}`, `${lines[0]}-${lines[1]}`]
  return linesOf === 'text' ? `${path} (lines ${range} of its text)` : `${path}:${range}`
}

/** The few lines of the passage that contain most words of the query, with those words in bold. */
function snippet(text: string, words: ReadonlySet<string>, { paint, width }: Look): string[] {
  const lines = safe(text)
    .slice(0, mostScanned)
    .split('\n')
    .flatMap((line) => wrap(line, width - margin - 2))
  const marked = lines.map((line) => matches(line, words))
  const start = bestWindow(lines, marked)
  const chosen = lines
    .slice(start, start + snippetLines)
    .map((line, i) => emphasise(line, marked[start + i]!, paint.bold))
  while (chosen.length && !chosen.at(-1)!.trim()) chosen.pop()
  const cut = lines.slice(start + chosen.length).some((line) => line.trim())
  return cut && chosen.length ? [...chosen.slice(0, -1), `${chosen.at(-1)} …`] : chosen
}

const mostScanned = 20_000

interface Match {
  term: string
  start: number
  end: number
}

function matches(line: string, words: ReadonlySet<string>): Match[] {
  const found: Match[] = []
  for (const { term, start, end } of terms(line))
    if (words.has(term) && found.at(-1)?.start !== start) found.push({ term, start, end })
  return found
}

// Different words count more than repeated ones. Of equal windows the first wins, as a reader expects.
function bestWindow(lines: readonly string[], marked: readonly Match[][]): number {
  let best = 0
  let most = -1
  for (let start = 0; start + snippetLines <= Math.max(lines.length, snippetLines); start++) {
    if (!lines[start]?.trim()) continue
    const inside = marked.slice(start, start + snippetLines).flat()
    const worth = new Set(inside.map(({ term }) => term)).size * 100 + Math.min(99, inside.length)
    if (worth > most) {
      most = worth
      best = start
    }
  }
  return best
}

function emphasise(line: string, found: readonly Match[], bold: (text: string) => string): string {
  let text = ''
  let at = 0
  for (const { start, end } of found) {
    text += line.slice(at, start) + bold(line.slice(start, end))
    at = end
  }
  return text + line.slice(at)
}

/** The words of the query without stop words, unless there are only stop words. */
function queryTerms(query: string): Set<string> {
  const all = new Set(terms(query).map(({ term }) => term))
  const content = [...all].filter((term) => !isStopWord(term))
  return content.length ? new Set(content) : all
}

function whyLines({ explain, by, distance }: SearchHit, { paint, width }: Look): string[] {
  const facts = [
    `found by ${by}`,
    explain?.words
      ? `words ${explain.words.rank === null ? '' : `#${explain.words.rank} `}${explain.words.score.toFixed(2)} (share ${explain.words.share.toFixed(2)})`
      : null,
    explain?.meaning
      ? `meaning ${explain.meaning.rank === null ? '' : `#${explain.meaning.rank} `}${explain.meaning.cosine.toFixed(3)}`
      : null,
    explain?.exact ? `literal ${explain.exact.toFixed(2)}` : null,
    explain?.name ? `${explain.name} the name` : null,
    explain?.role
      ? explain.role === 'other language'
        ? 'in another language, counts less'
        : `${explain.role} file, counts less`
      : null,
    explain?.half ? `${explain.half} half` : null,
    explain ? `relevance ${explain.relevance.toFixed(3)}` : null,
    explain ? `length ${signed(explain.length)}` : null,
    explain?.reranked === undefined ? null : `reranked ${signed(explain.reranked)}`,
    explain?.successor ? 'as good as what it supersedes' : null,
    explain ? `score ${explain.score.toFixed(3)}` : null,
    distance === null ? null : `distance ${distance.toFixed(3)}`,
  ]
  const added = Object.entries(explain?.terms ?? {}).map(
    ([term, score]) => `${safe(term)} ${score.toFixed(2)}`,
  )
  const lines = [facts.filter(Boolean).join(' · '), ...(added.length ? [`terms: ${added.join(', ')}`] : [])]
  return lines.flatMap((line) => wrap(line, width - margin)).map(paint.dim)
}

/** Log-odds. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}

function stageLines(stages: readonly Stage[], { paint }: Look): string[] {
  const rows = stages.map(({ name, ms, state, reason }) => [
    name,
    `${ms.toFixed(1)} ms`,
    reason ? `${state}: ${safe(reason)}` : state,
  ])
  return [paint.bold('Stages'), ...indented(table(rows, [1]))]
}
