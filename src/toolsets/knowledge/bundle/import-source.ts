// Imports a bundle: its documents are stored like any upload, and vectors of the same model need not be computed again.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkedMetadata } from '../../../answer/checked-fields.js'
import type { Library } from '../../../answer/library.js'
import {
  createSource,
  findSource,
  isOwn,
  type SourceRecord,
  updateSource,
} from '../../../answer/source-records.js'
import { meaningOf } from '../../../chunk/context.js'
import { Problem, reasonOf } from '../../../model/problem.js'
import { stageBlob } from '../blob-store.js'
import { forgetDocument } from '../delete-source.js'
import { documentRecords } from '../document-records.js'
import { putDocument } from '../documents.js'
import { type BundleList, documentPath, type HashedVector, readVectors, vectorsPath } from './contents.js'
import { type OpenBundle, openBundle } from './open-bundle.js'

export interface ImportRequest {
  file: string
  cwd: string
  /** Imports into a new source with this title. */
  as?: string | undefined
  /** Replaces an existing source by the bundle. */
  replace?: boolean | undefined
  signal?: AbortSignal | undefined
}

export interface Imported {
  source: { id: string; title: string }
  added: number
  updated: number
  unchanged: number
  removed: number
  failed: { path: string; reason: string }[]
  vectors: number
  notes: string[]
}

/** A bundle that is incomplete or does not match its list changes nothing. */
export async function importSource(library: Library, request: ImportRequest): Promise<Imported> {
  const bundle = await openBundle(library, request)
  try {
    const source = await sourceFor(library, bundle.list, request)
    const report: Imported = {
      source: { id: source.id, title: source.title },
      ...{ added: 0, updated: 0, unchanged: 0, removed: 0, failed: [], vectors: 0, notes: [] },
    }
    await takeDocuments(library, source, bundle, request, report)
    await takeVectors(library, source, bundle, request, report)
    await library.store.settle(request.signal)
    return report
  } finally {
    await bundle.close()
  }
}

async function sourceFor(
  library: Library,
  { source: { id, title, url, type } }: BundleList,
  { as, replace }: ImportRequest,
): Promise<SourceRecord> {
  if (as !== undefined) return createSource(library, { title: as, url, type })
  const before = await findSource(library, id)
  if (!before) return createSource(library, { id, title, url, type })
  if (replace && isOwn(before) && before.type === type) return updateSource(library, id, { title, url })
  throw new Problem(
    'source_exists',
    `The source ${id} ("${before.title}") is here already.`,
    'Say --replace to make it what the bundle says, or --as TITLE to keep both.',
  )
}

async function takeDocuments(
  library: Library,
  source: SourceRecord,
  { list, folder }: OpenBundle,
  request: ImportRequest,
  report: Imported,
) {
  const words = { created: 'added', updated: 'updated', unchanged: 'unchanged' } as const
  for (const { hash, bytes: _, ...given } of list.documents) {
    request.signal?.throwIfAborted()
    try {
      const metadata = checkedMetadata(given.metadata)
      const content = await stageBlob(library, createReadStream(join(folder, documentPath(hash))))
      const { state } = await putDocument(library, source, { ...given, metadata, content })
      report[words[state]]++
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      report.failed.push({ path: given.path, reason: reasonOf(error) })
    }
  }
  const paths = new Set(list.documents.map(({ path }) => path))
  for (const { id, path } of await documentRecords(library, source.id))
    if (!paths.has(path) && (await forgetDocument(library, id))) report.removed++
}

async function takeVectors(
  library: Library,
  source: SourceRecord,
  bundle: OpenBundle,
  { signal }: ImportRequest,
  report: Imported,
) {
  const { embedder } = library
  const { vectors } = bundle.list
  if (!vectors || !embedder) return
  const note = (why: string) => report.notes.push(`${why} Its passages are embedded anew.`)
  if (vectors.model !== embedder.model || vectors.dimensions !== embedder.dimensions)
    return note(
      `The vectors in the bundle are of the model ${vectors.model}, and ${embedder.model} is set up.`,
    )
  const known = new Map<string, Float32Array>()
  for (const [i, { count }] of vectors.parts.entries()) {
    const bytes = await readFile(join(bundle.folder, vectorsPath(i)))
    const rows = readVectors(bytes, { dimensions: vectors.dimensions, count })
    if (!rows) return note('The vectors in the bundle are malformed.')
    for (const { hash, vector } of rows) known.set(hash, vector)
  }
  const wanted = await missing(library, source, known)
  const mismatch = await findMismatch(library, wanted, signal)
  if (mismatch) return note(mismatch)
  report.vectors = await putAll(library, wanted)
}

interface Wanted extends HashedVector {
  chunk: number
  text: string
}

/** The passages that have no vector here yet, with the bundle's. */
async function missing(
  { store, embedder }: Library,
  { id }: SourceRecord,
  known: ReadonlyMap<string, Float32Array>,
): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (const path of (await store.fingerprints(id)).keys()) {
    const chunks = await store.chunksOf({ source: id, path })
    const have = await store.vectors.of(
      embedder!.model,
      chunks.map((chunk) => chunk.id),
    )
    for (const { id: chunk, hash, context, text } of chunks) {
      const vector = known.get(hash)
      if (vector && !have.has(chunk)) wanted.push({ chunk, hash, vector, text: meaningOf(context, text) })
    }
  }
  return wanted
}

const samples = 12
/** Rounding and another processor move a vector by far less than another text does. */
const leastCosine = 0.97

/** Why the vectors are refused: a sample of them must equal those that this model computes from the texts. */
async function findMismatch(
  { embedder }: Library,
  wanted: readonly Wanted[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const step = Math.max(1, Math.floor(wanted.length / samples))
  const some = wanted.filter((_, i) => i % step === 0).slice(0, samples)
  if (some.length === 0) return null
  const texts = some.map(({ text }) => text)
  try {
    const own = await embedder!.embed(texts, { kind: 'passage', ...(signal ? { signal } : {}) })
    const genuine = some.every(({ vector }, i) => cosine(vector, own[i]!) >= leastCosine)
    return genuine ? null : 'The vectors in the bundle are not those of its texts.'
  } catch (error) {
    // The documents are in by now: a model that fails is worth a note, not a failure.
    signal?.throwIfAborted()
    return `The vectors in the bundle could not be checked. ${reasonOf(error)}`
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

const atOnce = 256

async function putAll({ store, embedder }: Library, wanted: readonly Wanted[]): Promise<number> {
  let stored = 0
  for (let i = 0; i < wanted.length; i += atOnce)
    stored += await store.vectors.put(embedder!.model, wanted.slice(i, i + atOnce))
  return stored
}
