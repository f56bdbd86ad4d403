// An ONNX file may keep tensors in other files and name them by path. The native runtime reads whatever they name, so a
// model could read any file of this machine. Only files in the model's own folder are allowed.
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { Problem } from '../../model/problem.js'
import type { ModelFolder } from './model-folder.js'

/** Refuses a model that names files outside its folder. */
export async function requireOwnData({
  folder,
  modelPath,
}: Pick<ModelFolder, 'folder' | 'modelPath'>): Promise<void> {
  const allowed = await allowedFolders(folder)
  for (const location of await externalFiles(modelPath)) {
    const path = isAbsolute(location) ? null : join(dirname(modelPath), location)
    const real = path && isInside(folder, path) ? await realpath(path).catch(() => path) : null
    if (real === null || !allowed.some((one) => isInside(one, real) || isInside(folder, real)))
      throw outside(modelPath, location)
  }
}

// The Hugging Face cache keeps a model as links from snapshots/REVISION to files in blobs.
async function allowedFolders(folder: string): Promise<string[]> {
  const real = await realpath(folder)
  const isSnapshot = basename(dirname(real)) === 'snapshots'
  return isSnapshot ? [real, join(dirname(dirname(real)), 'blobs')] : [real]
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function outside(modelPath: string, location: string): Problem {
  return new Problem(
    'embedder_files',
    `The model file ${modelPath} takes data from ${JSON.stringify(location.slice(0, 200))}, which is outside its folder.`,
    'Use a model that keeps all of its files in one folder.',
  )
}

type MessageType = 'model' | 'graph' | 'node' | 'attribute' | 'tensor' | 'sparse' | 'function' | 'training'

/** The fields of onnx.proto that lead to tensors, by number. Other fields are skipped without being read. */
const fields: Record<MessageType, Record<number, MessageType | 'external'>> = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  tensor: { 13: 'external' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  function: { 7: 'node', 11: 'attribute' },
  training: { 1: 'graph', 2: 'graph' },
}

/** Every file that the tensors of a model name. */
export async function externalFiles(modelPath: string): Promise<string[]> {
  const file = await open(modelPath, 'r')
  try {
    const { size } = await file.stat()
    const found = new Set<string>()
    const reader = windowed((buffer, at) => file.read(buffer, 0, buffer.length, at))
    await walk('model', 0, size, 0)
    return [...found]

    async function walk(type: MessageType, from: number, end: number, depth: number): Promise<void> {
      if (depth > mostDepth) throw malformed(modelPath)
      await eachField(reader, from, end, async (field, start, stop) => {
        const inner = fields[type][field]
        if (inner === 'external') await readEntry(start, stop)
        else if (inner) await walk(inner, start, stop, depth + 1)
      })
    }

    /** A key and a value; the key "location" has the file. */
    async function readEntry(from: number, end: number) {
      const entry: Record<number, string> = {}
      await eachField(reader, from, end, async (field, start, stop) => {
        if (stop - start > longestEntry) throw malformed(modelPath)
        if (field === 1 || field === 2) entry[field] = await reader.text(start, stop)
      })
      if (entry[1] === 'location') found.add(entry[2] ?? '')
    }
  } catch (error) {
    throw error instanceof RangeError ? malformed(modelPath) : error
  } finally {
    await file.close()
  }
}

const mostDepth = 100
const longestEntry = 65_536

function malformed(modelPath: string): Problem {
  return new Problem(
    'embedder_files',
    `The model file ${modelPath} cannot be loaded: it is no valid ONNX file.`,
    'Copy the model folder again.',
  )
}

interface Reader {
  byte(at: number): Promise<number>
  text(from: number, end: number): Promise<string>
}

/** Reads a large file a window at a time: the weights between the fields are never read. */
function windowed(read: (buffer: Buffer, at: number) => Promise<{ bytesRead: number }>): Reader {
  const window = Buffer.alloc(65_536)
  let [start, length] = [0, 0]
  return {
    async byte(at) {
      if (at < start || at >= start + length) {
        start = at
        length = (await read(window, at)).bytesRead
        if (length === 0) throw new RangeError('The file ends too early.')
      }
      return window[at - start]!
    },
    async text(from, end) {
      const bytes = Buffer.alloc(end - from)
      await read(bytes, from)
      return bytes.toString('utf8')
    },
  }
}

/** Calls back for each length-delimited field of a message. A message that is not whole is a RangeError. */
async function eachField(
  reader: Reader,
  from: number,
  end: number,
  found: (field: number, start: number, stop: number) => Promise<void>,
) {
  let at = from
  const varint = async () => {
    let value = 0
    for (let i = 0; i < 10; i++) {
      if (at >= end) break
      const byte = await reader.byte(at++)
      value += (byte & 127) * 2 ** (7 * i)
      if (byte < 128) return value
    }
    throw new RangeError('A number does not end.')
  }
  while (at < end) {
    const tag = await varint()
    const wireType = tag % 8
    if (wireType === 0) await varint()
    else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else if (wireType === 2) {
      const length = await varint()
      if (length > end - at) throw new RangeError('A field is longer than its message.')
      await found(Math.floor(tag / 8), at, at + length)
      at += length
    } else throw new RangeError('There is no such type of field.')
  }
  if (at > end) throw new RangeError('A field is longer than its message.')
}
