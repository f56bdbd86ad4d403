// Exports a source as one file that others can import: its documents, their metadata and their vectors.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Library } from '../../../answer/library.js'
import { allSources, findSource, isOwn, type SourceRecord, short } from '../../../answer/source-records.js'
import { Problem } from '../../../model/problem.js'
import { archiveLimits, tarParts } from '../../../sources/package/tar.js'
import { renameFile } from '../../../sources/rename-file.js'
import { notWritten, removeLeftovers, temporaryFor } from '../../../sources/whole-file.js'
import { byText } from '../../../store/order.js'
import { readBlob, stateOfBytes } from '../blob-store.js'
import { type DocumentRecord, documentRecords } from '../document-records.js'
import {
  type BundleList,
  bundleVersion,
  documentPath,
  type HashedVector,
  listName,
  vectorsPath,
  writeVectors,
} from './contents.js'

export interface Exported {
  file: string
  source: { id: string; title: string }
  documents: number
  vectors: number
  bytes: number
}

export async function exportSource(
  library: Library,
  request: { source: string; file: string; cwd: string; signal?: AbortSignal },
): Promise<Exported> {
  const source = await exportable(library, request.source)
  const records = (await documentRecords(library, source.id)).sort((a, b) => byText(a.path, b.path))
  const vectors = await vectorsOf(library, records)
  const list = await listOf(library, source, records, vectors)
  const file = resolve(request.cwd, request.file)
  removeLeftovers(file)
  const fresh = temporaryFor(file)
  const work = { library, records, vectors, list }
  try {
    await pipeline(
      Readable.from(tarParts(entries(work))),
      createGzip({ level: 9 }),
      createWriteStream(fresh, { flags: 'wx', mode: 0o644 }),
      request.signal ? { signal: request.signal } : {},
    )
    await flushed(fresh)
    await renameFile(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {})
    throw notWritten(file, error)
  }
  const count = vectors.parts.reduce((sum, part) => sum + part.length, 0)
  const { id, title } = source
  return {
    file,
    source: { id, title },
    documents: records.length,
    vectors: count,
    bytes: (await stat(file)).size,
  }
}

async function exportable(library: Library, named: string): Promise<SourceRecord> {
  const source = await findSource(library, named)
  if (!source) {
    const own = (await allSources(library)).filter(isOwn).map(({ title }) => title)
    throw new Problem(
      'unknown_source',
      `There is no source ${short(named)}.`,
      own.length > 0
        ? `Those that can be exported: ${own.join(', ')}.`
        : 'Nothing was uploaded or crawled yet.',
    )
  }
  if (isOwn(source)) return source
  if (source.type === 'memory')
    throw new Problem(
      'memory_source',
      `"${source.title}" is what this project remembers, which is not exported.`,
      'Export shares uploads and crawls.',
    )
  throw new Problem(
    'configured_source',
    `"${source.title}" is a ${source.type} of the configuration, whose files are its own.`,
    'Export shares uploads and crawls; "carrel pack FOLDER" makes a bundle of a folder.',
  )
}

interface Vectors {
  model: string
  dimensions: number
  parts: HashedVector[][]
}

const partBytes = 8_000_000

/** One vector for each different passage, in the order of the documents. */
async function vectorsOf(library: Library, records: readonly DocumentRecord[]): Promise<Vectors> {
  const { embedder, store } = library
  if (!embedder) return { model: '', dimensions: 0, parts: [] }
  const { model, dimensions } = embedder
  const found = new Map<string, Float32Array>()
  for (const record of records) {
    const chunks = await store.chunksOf(record)
    const known = await store.vectors.of(
      model,
      chunks.map(({ id }) => id),
    )
    for (const { id, hash } of chunks) {
      const vector = known.get(id)
      if (vector) found.set(hash, vector)
    }
  }
  const all = [...found].map(([hash, vector]) => ({ hash, vector }))
  const rows = Math.max(1, Math.floor(partBytes / (16 + dimensions * 4)))
  const parts = Array.from({ length: Math.ceil(all.length / rows) }, (_, i) =>
    all.slice(i * rows, (i + 1) * rows),
  )
  return { model, dimensions, parts }
}

async function listOf(
  library: Library,
  { id, title, url, type }: SourceRecord,
  records: readonly DocumentRecord[],
  { model, dimensions, parts }: Vectors,
): Promise<BundleList> {
  const total =
    records.reduce((sum, { bytes }) => sum + bytes, 0) +
    parts.reduce((sum, part) => sum + part.length * (16 + dimensions * 4), 0)
  if (total > archiveLimits.totalBytes * 0.95) throw tooMuch(total)
  for (const record of records) await requireBytes(library, record)
  return {
    format: 'carrel-source',
    version: bundleVersion,
    source: { id, title, url, type },
    documents: records.map(({ path, name, hash, bytes, title, url, metadata, createdAt }) => ({
      ...{ path, name, hash, bytes, title, url, metadata, createdAt },
    })),
    vectors: parts.length
      ? {
          model,
          dimensions,
          parts: parts.map((part) => ({
            hash: createHash('sha256').update(writeVectors(part, dimensions)).digest('hex'),
            count: part.length,
          })),
        }
      : null,
  }
}

async function requireBytes(library: Library, record: DocumentRecord) {
  if ((await stateOfBytes(library, record)) !== 'whole')
    throw new Problem(
      'damaged',
      `The kept bytes of "${record.path}" are damaged or gone.`,
      `Update or delete the document (${record.id}), then export again.`,
    )
}

interface Work {
  library: Library
  records: readonly DocumentRecord[]
  vectors: Vectors
  list: BundleList
}

async function* entries({ library, records, vectors, list }: Work) {
  yield { path: listName, bytes: Buffer.from(`${JSON.stringify(list, null, 1)}\n`) }
  const written = new Set<string>()
  for (const record of records) {
    if (written.has(record.hash)) continue
    written.add(record.hash)
    yield { path: documentPath(record.hash), bytes: await buffer(readBlob(library, record)) }
  }
  for (const [i, part] of vectors.parts.entries())
    yield { path: vectorsPath(i), bytes: writeVectors(part, vectors.dimensions) }
}

async function flushed(file: string) {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function tooMuch(total: number): Problem {
  return new Problem(
    'too_large',
    `The source has ${Math.round(total / 1_000_000)} MB, and a bundle holds ${archiveLimits.totalBytes / 1_000_000} MB.`,
    'Divide its documents between several sources.',
  )
}
