// Reads a judged set in BEIR form: corpus.jsonl, queries.jsonl, qrels.tsv with a header line. A malformed line is a Problem
// with file and line; a fault that only weakens the figures is a note.
import { createReadStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Problem } from '../../model/problem.js'

export interface JudgedSet {
  corpus: Entry[]
  /** Those with a judgement. */
  queries: Entry[]
  /** The grades of documents, by query. Every query has a relevant one. */
  judged: Judged
  notes: string[]
}

export interface Entry {
  id: string
  title: string
  text: string
  /** Of a query: the kind of question, as the set names it. */
  kind?: string
}

export type Judged = Map<string, Map<string, number>>

export async function readJudgedSet(folder: string): Promise<JudgedSet> {
  const files = requireFiles(folder)
  const corpus = await readEntries(files.corpus)
  const queries = await readEntries(files.queries)
  const judged = await readJudgements(files.qrels)
  if (corpus.entries.size === 0) throw new Problem('bad_set', `There is no document in ${files.corpus}.`)
  const judgedQueries = [...queries.entries.values()].filter(({ id }) => judged.has(id))
  if (judgedQueries.length === 0)
    throw new Problem('no_queries', `No query of ${files.queries} has a judgement in ${files.qrels}.`)
  const withoutQuery = [...judged.keys()].filter((id) => !queries.entries.has(id))
  const missing = new Set(
    judgedQueries.flatMap(({ id }) => relevant(judged.get(id)!)).filter((id) => !corpus.entries.has(id)),
  )
  const notes = [
    repeated(corpus.repeats, files.corpus),
    repeated(queries.repeats, files.queries),
    withoutQuery.length > 0 &&
      `${counted(withoutQuery, 'judged query', 'judged queries')} not in queries.jsonl.`,
    missing.size > 0 &&
      `${counted([...missing], 'relevant document', 'relevant documents')} not in corpus.jsonl and can never be found.`,
  ]
  return {
    corpus: [...corpus.entries.values()],
    queries: judgedQueries,
    judged,
    notes: notes.filter((note) => note !== false),
  }
}

function requireFiles(folder: string) {
  const files = {
    corpus: join(folder, 'corpus.jsonl'),
    queries: join(folder, 'queries.jsonl'),
    qrels: join(folder, 'qrels.tsv'),
  }
  const qrels = [files.qrels, join(folder, 'qrels', 'test.tsv')].find(existsSync)
  for (const file of [files.corpus, files.queries, qrels ?? files.qrels])
    if (!existsSync(file))
      throw new Problem(
        'no_set',
        `There is no ${basename(file)} in ${folder}.`,
        'An evaluation set has corpus.jsonl, queries.jsonl and qrels.tsv.',
      )
  return { ...files, qrels: qrels! }
}

/** By id, as the last line with it says. */
async function readEntries(file: string): Promise<{ entries: Map<string, Entry>; repeats: string[] }> {
  const entries = new Map<string, Entry>()
  const repeats: string[] = []
  for (const { line, number } of await readLines(file)) {
    const entry = asEntry(parsed(line))
    if (!entry)
      throw new Problem(
        'bad_set',
        `Line ${number} of ${file} is not a JSON object with "_id" and "text".`,
        'Each line is one such as {"_id": "d1", "title": "Lamps", "text": "Lanterns burn oil."}.',
      )
    if (entries.has(entry.id)) repeats.push(entry.id)
    entries.set(entry.id, entry)
  }
  return { entries, repeats }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function asEntry(value: unknown): Entry | null {
  const { _id: id, title, text, kind } = (value ?? {}) as Record<string, unknown>
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '' || typeof text !== 'string') return null
  const sort = typeof kind === 'string' && kind !== '' ? { kind } : {}
  return { id: String(id), title: typeof title === 'string' ? title : '', text, ...sort }
}

async function readJudgements(file: string): Promise<Judged> {
  const judged: Judged = new Map()
  for (const [i, { line, number }] of (await readLines(file)).entries()) {
    const [query, document, grade] = line.split('\t')
    if (i === 0 && !Number.isFinite(Number(grade))) continue
    if (query === undefined || document === undefined || !Number.isFinite(Number(grade)))
      throw new Problem(
        'bad_set',
        `Line ${number} of ${file} is not "query, document, grade" parted by tabs.`,
      )
    const row = judged.get(query) ?? new Map<string, number>()
    judged.set(query, row.set(document, Number(grade)))
  }
  for (const [query, row] of judged) if (relevant(row).length === 0) judged.delete(query)
  return judged
}

function relevant(row: ReadonlyMap<string, number>): string[] {
  return [...row].filter(([, grade]) => grade > 0).map(([document]) => document)
}

async function readLines(file: string): Promise<{ line: string; number: number }[]> {
  const lines: { line: string; number: number }[] = []
  let number = 0
  for await (const line of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++
    if (line.trim() !== '') lines.push({ line, number })
  }
  return lines
}

function repeated(ids: readonly string[], file: string): string | false {
  if (ids.length === 0) return false
  const [lines, repeat] = ids.length === 1 ? ['line', 'repeats'] : ['lines', 'repeat']
  return `${ids.length} ${lines} of ${basename(file)} ${repeat} an "_id" (${some(ids)}); the last counts.`
}

/** "2 judged queries (q1, q2) are". */
function counted(ids: readonly string[], one: string, more: string): string {
  return `${ids.length} ${ids.length === 1 ? one : more} (${some(ids)}) ${ids.length === 1 ? 'is' : 'are'}`
}

function some(ids: readonly string[]): string {
  return ids.slice(0, 3).join(', ') + (ids.length > 3 ? ', …' : '')
}
