// Judged sets of every kind, opened alike: an index in a folder of its own, questions, and what is relevant to each.
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Library } from '../src/answer/library.js'
import { embedBatch } from '../src/answer/vectors.js'
import { openEmbedder } from '../src/app/embedder.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import type { Embedder } from '../src/embed/port.js'
import { prepare } from '../src/ingest/prepare.js'
import type { Found } from '../src/model/hit.js'
import { type Search, search } from '../src/retrieve/search.js'
import type { Store } from '../src/store/port.js'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { projectRoot, settingsFor } from '../test/support/world.js'
import { readSet, type SetName, setNames } from './sets/read.js'

export interface Judged {
  name: string
  questions: { text: string; relevant: ReadonlySet<string> }[]
  ask(text: string, how: Partial<Search>): Promise<Found>
  close(): Promise<void>
}

export const beirSets = ['cranfield', 'limit-small'] as const
export type JudgedName = SetName | (typeof beirSets)[number]
export const judgedNames: JudgedName[] = [...setNames, ...beirSets]

/** The sets named on the command line; without a name, all. */
export function chosenSets(words: readonly string[]): JudgedName[] {
  const named = judgedNames.filter((name) => words.includes(name))
  return named.length > 0 ? named : judgedNames
}

const bundled = { provider: 'bundled', threads: 2 } as const

export function embedder(): Embedder {
  return openEmbedder(bundled)!
}

/** Null when the set's data is not here. */
export async function openJudged(name: JudgedName, model: Embedder | null): Promise<Judged | null> {
  const beir = beirSets.find((set) => set === name)
  return beir ? openBeir(beir, model) : openQuestions(name as SetName, model)
}

async function openQuestions(name: SetName, model: Embedder | null): Promise<Judged | null> {
  const set = readSet(name)
  if (set.missing) return null
  const questions = set.questions.map(({ query, document }) => ({
    text: query,
    relevant: new Set([document]),
  }))
  return { ...(await openFolder(set.folder, questions, model)), name }
}

/** Any folder, with questions about its files. An index in `kept` is there the next time. */
export async function openFolder(
  folder: string,
  questions: Judged['questions'],
  model: Embedder | null,
  indexFolder?: string,
): Promise<Judged & { library: Library }> {
  const data = indexFolder ?? mkdtempSync(join(tmpdir(), 'carrel-evals-'))
  const settings = { ...settingsFor(folder), data }
  const library = await openLibrary(model ? { ...settings, embedding: bundled } : settings)
  await indexAll(library, {})
  if (model) await embedAll(library.store, model)
  return {
    name: folder,
    questions,
    library,
    ask: asker(library.store, model),
    async close() {
      await library.close()
      if (!indexFolder) rmSync(data, { recursive: true, force: true })
    },
  }
}

async function openBeir(name: string, model: Embedder | null): Promise<Judged | null> {
  const folder = join(projectRoot, '../shared/data/retrieval', name)
  if (!existsSync(folder)) return null
  const data = mkdtempSync(join(tmpdir(), 'carrel-evals-'))
  const store = await openSqliteStore({ folder: data })
  await store.putSource({
    id: 'eval',
    name: 'eval',
    kind: 'api',
    location: 'eval:',
    createdAt: '',
    updatedAt: '',
    details: {},
  })
  const documents = []
  for await (const { _id, title, text } of lines(join(folder, 'corpus.jsonl')))
    documents.push(
      await prepare({
        ref: { source: 'eval', path: `${_id}.txt` },
        bytes: Buffer.from(text!),
        stamp: null,
        readAt: 0,
        title,
      }),
    )
  await store.replace(documents)
  if (model) await embedAll(store, model)
  const relevant = new Map<string, Set<string>>()
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t')
    if (Number(grade) > 0) relevant.set(query!, (relevant.get(query!) ?? new Set()).add(`${document}.txt`))
  }
  const questions = []
  for await (const { _id, text } of lines(join(folder, 'queries.jsonl')))
    if (relevant.has(String(_id))) questions.push({ text: text!, relevant: relevant.get(String(_id))! })
  return {
    name,
    questions,
    ask: asker(store, model),
    async close() {
      await store.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

function asker(store: Store, model: Embedder | null): Judged['ask'] {
  return (text, how) =>
    search({ store, embedder: model }, { text, scope: {}, mode: 'hybrid', limit: 10, perDocument: 1, ...how })
}

async function embedAll(store: Store, model: Embedder) {
  while ((await embedBatch(store, model, { limit: 64 })) !== null);
}

async function* lines(file: string): AsyncGenerator<Record<string, string>> {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') }))
    if (line.trim()) yield JSON.parse(line) as Record<string, string>
}
