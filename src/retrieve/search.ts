// The road out: both arms, scoped before ranking; fused; assembled within a budget. Every stage says that it ran, was
// skipped or was cut short. Pure over the ports.
import type { StoredChunk } from '../model/document.js'
import type { Found, Hit, Stage } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import type { Scope } from '../model/source.js'
import type { Store } from '../store/port.js'
import { type Passage, passages, type Scored, withinBudget } from './assemble.js'
import { relevanceOfWords } from './calibrate.js'
import { byWords, type WordHits } from './words.js'

export interface Ports {
  store: Store
}

export interface Search {
  text: string
  scope: Scope
  mode: 'text' | 'vector' | 'hybrid' | 'rerank'
  limit: number
  /** How many passages one document may have while others wait. */
  perDocument: number
  maxTokens?: number
  deadlineMs?: number
  explain?: boolean
}

export async function search(ports: Ports, query: Search): Promise<Found> {
  const notes: Note[] = []
  const stages: Stage[] = []
  const words = await timed(stages, 'words', () =>
    byWords(ports.store, { text: query.text, scope: query.scope, limit: candidates(query.limit) }),
  )
  if (words.asked.terms.length === 0)
    notes.push({ code: 'empty_query', message: 'The query has no words to look for.' })
  if (words.asked.cut)
    notes.push({
      code: 'query_cut',
      message: 'The query is very long; only its first words were looked for.',
    })
  if (words.phraseMissed)
    notes.push({
      code: 'phrase_missed',
      message: 'The quoted phrase stands nowhere; these passages have its words.',
    })
  const hits = await timed(stages, 'assemble', () => assemble(ports.store, query, words))
  return { hits, notes, stages }
}

// Enough to fill the list after joining neighbours and capping documents.
function candidates(limit: number): number {
  return Math.max(100, limit * 5)
}

async function assemble(store: Store, query: Search, words: WordHits): Promise<Hit[]> {
  const ranks = words.ranks.slice(0, candidates(query.limit))
  const chunks = new Map(
    (await store.chunks(ranks.map(({ chunk }) => chunk))).map((chunk) => [chunk.id, chunk]),
  )
  const scored: Scored[] = ranks.flatMap(({ chunk, score }) => {
    const found = chunks.get(chunk)
    return found ? [{ chunk: found, score: relevanceOfWords(score, words.ceiling) }] : []
  })
  const chosen = passages(scored, query)
  const texts = withinBudget(chosen.map(textOf), query.maxTokens)
  return texts.map(({ text, cut }, i) => ({
    ...hitOf(chosen[i]!, text, cut),
    ...(query.explain ? { explain: explain(chosen[i]!, words) } : {}),
  }))
}

/** Chunks of one passage may have blank lines between them; offsets restore what stands there. */
function textOf({ chunks }: Passage): string {
  let text = chunks[0]!.text
  for (let i = 1; i < chunks.length; i++)
    text += '\n'.repeat(Math.max(1, chunks[i]!.line - chunks[i - 1]!.endLine)) + chunks[i]!.text
  return text
}

function hitOf(passage: Passage, text: string, cut: boolean): Hit {
  const first = passage.chunks[0]!
  const last = passage.chunks.at(-1)!
  const { chunk, score } = passage.best
  return {
    ref: first.ref,
    title: first.title,
    heading: chunk.headings.at(-1) ?? null,
    headings: chunk.headings,
    symbols: [...new Set(passage.chunks.flatMap((one) => one.symbols))],
    kind: chunk.kind,
    format: first.format,
    language: chunk.language,
    lines: [first.line, last.endLine],
    text,
    score,
    distance: null,
    by: 'words',
    index: first.index,
    count: first.count,
    cut,
  }
}

function explain({ best }: Passage, words: WordHits): Hit['explain'] {
  const rank = words.ranks.findIndex(({ chunk }) => chunk === (best.chunk as StoredChunk).id)
  const found = words.ranks[rank]!
  return {
    words: { rank: rank + 1, score: found.score },
    meaning: null,
    fused: best.score,
    terms: Object.fromEntries(words.asked.terms.map(({ term }, i) => [term, found.parts[i] ?? 0])),
  }
}

async function timed<T>(stages: Stage[], name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  stages.push({ name, ms: performance.now() - start, state: 'ran' })
  return result
}
