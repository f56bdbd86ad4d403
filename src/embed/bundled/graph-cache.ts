// A cache of the converted model: converting takes half a second, later processes read and check the file.
// Beside `<name>.onnx` lies `<name>.json` with its size and hash, and with the marks of the weights files that passed
// their own check. Both are renamed into place, so that any number of processes may make them at once, and a process
// that dies half-way leaves nothing that counts.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { digest } from '../digest.js'
import type { Encoded } from '../onnx/protobuf.js'
import type { PinnedFile } from './model.js'
import { checkFile, type FileMark, sameMark } from './model-files.js'

export interface Conversion {
  /** A change to the graph or the quantisation changes the name, and with it makes a new file. */
  name: string
  /** What it is made of. */
  weights: readonly { path: string; pinned: PinnedFile }[]
  convert(): Encoded
}

/** Path of the converted model; the bytes themselves where the folder cannot be written. */
export async function cachedGraph(folder: string, conversion: Conversion): Promise<string | Uint8Array> {
  const { name, weights, convert } = conversion
  const graphPath = join(folder, `${name}.onnx`)
  const recordPath = join(folder, `${name}.json`)
  const record = await readRecord(recordPath)
  const marks = await Promise.all(
    weights.map(({ path, pinned }, i) => checkFile(path, pinned, record?.weights[i])),
  )
  if (record && (await isWhole(graphPath, record.graph))) {
    const isKnown = marks.every((mark, i) => record.weights[i] && sameMark(mark, record.weights[i]))
    if (!isKnown) await keep(folder, recordPath, toRecord(marks, record.graph))
    return graphPath
  }
  const graph = convert()
  const saved = await keep(folder, graphPath, graph)
  if (!saved) return Buffer.concat(graph.parts)
  await keep(folder, recordPath, toRecord(marks, saved))
  return graphPath
}

interface Record {
  weights: FileMark[]
  graph: PinnedFile
}

async function readRecord(path: string): Promise<Record | null> {
  try {
    const { weights, graph } = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(weights) && typeof graph?.sha256 === 'string' ? { weights, graph } : null
  } catch {
    return null
  }
}

// The whole file is hashed at every start (20 ms for 23 MB): the runtime would load a damaged one without a word.
async function isWhole(path: string, expected: PinnedFile): Promise<boolean> {
  try {
    if ((await stat(path)).size !== expected.size) return false
    return (await digest(path)).sha256 === expected.sha256
  } catch {
    return false
  }
}

function toRecord(weights: FileMark[], graph: PinnedFile): Encoded {
  const text = new TextEncoder().encode(`${JSON.stringify({ weights, graph }, null, 2)}\n`)
  return { size: text.length, parts: [text] }
}

/** Writes a file whole or not at all; null when the folder does not take it (read-only, full). */
async function keep(folder: string, path: string, content: Encoded): Promise<PinnedFile | null> {
  const draft = `${path}.${process.pid}.${randomUUID()}.tmp`
  try {
    await mkdir(folder, { recursive: true })
    await sweepDrafts(path)
    const written = await write(draft, content)
    await rename(draft, path)
    return written
  } catch {
    await rm(draft, { force: true }).catch(() => {})
    return null
  }
}

async function write(path: string, { parts, size }: Encoded): Promise<PinnedFile> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  try {
    for (const block of blocks(parts)) {
      hash.update(block)
      await file.writeFile(block)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

// Thousands of small parts lie between the tensors; they are written together.
function* blocks(parts: Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = []
  for (const part of parts) {
    if (part.length < 4096) {
      small.push(part)
      continue
    }
    if (small.length > 0) yield Buffer.concat(small)
    small = []
    yield part
  }
  if (small.length > 0) yield Buffer.concat(small)
}

// What processes that were killed left behind. A draft in the making is minutes old at most.
async function sweepDrafts(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(path)) || !name.endsWith('.tmp')) continue
    const draft = join(folder, name)
    const old = await stat(draft).catch(() => null)
    if (old && Date.now() - old.mtimeMs > 3_600_000) await rm(draft, { force: true })
  }
}
