// Reads tensors out of a safetensors file one at a time, so that the whole of it is never in memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Problem } from '../../model/problem.js'
import { halfTable } from '../arithmetic.js'

export interface Tensor {
  shape: number[]
  data: Float32Array
}

export interface Safetensors {
  /** The tensor of that name, as 32-bit floats whatever the file holds. */
  read(name: string): Tensor
  has(name: string): boolean
  close(): void
}

export function openSafetensors(path: string): Safetensors {
  const file = openSync(path, 'r')
  try {
    const { entries, start } = readHeader(file, path)
    return {
      read: (name) => readTensor(file, start, name, entries),
      has: (name) => Object.hasOwn(entries, name),
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

interface Entry {
  dtype: keyof typeof widths
  shape: number[]
  data_offsets: [number, number]
}

const widths = { F32: 4, F16: 2, BF16: 2, I8: 1 } as const

// Real headers are a few kilobytes; a larger number means that this is another kind of file.
const largestHeader = 16 * 1024 * 1024

function readHeader(file: number, path: string) {
  const size = fstatSync(file).size
  const length = size >= 8 ? Number(new DataView(readBytes(file, 0, 8).buffer).getBigUint64(0, true)) : -1
  if (length < 2 || length > Math.min(largestHeader, size - 8)) throw broken(path, 'its header is cut off')
  const entries = parseHeader(readBytes(file, 8, length), path)
  const start = 8 + length
  for (const [name, entry] of Object.entries(entries)) checkEntry(path, name, entry, size - start)
  return { entries, start }
}

function parseHeader(bytes: Uint8Array, path: string): Record<string, Entry> {
  try {
    const { __metadata__, ...entries } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return entries
  } catch (cause) {
    throw broken(path, 'its header is not JSON', cause)
  }
}

function checkEntry(path: string, name: string, entry: Entry, available: number) {
  const [from, to] = entry?.data_offsets ?? []
  if (!Number.isInteger(from) || !Number.isInteger(to) || from! < 0 || to! < from!)
    throw broken(path, `"${name}" has no place in it`)
  if (to! > available) throw broken(path, `it ends before "${name}"`)
  const width = widths[entry.dtype]
  if (width === undefined) return
  if (!Array.isArray(entry.shape)) throw broken(path, `"${name}" has no shape`)
  const count = entry.shape.reduce((product, n) => product * n, 1)
  if (count * width !== to! - from!) throw broken(path, `the size of "${name}" does not fit its shape`)
}

function readTensor(file: number, start: number, name: string, entries: Record<string, Entry>): Tensor {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (!entry) throw new Problem('embedder_weights', `The model's weights have no "${name}".`, reinstall)
  if (!(entry.dtype in widths))
    throw new Problem(
      'embedder_weights',
      `"${name}" is stored as ${entry.dtype}, which is not read.`,
      reinstall,
    )
  const [from, to] = entry.data_offsets
  return { shape: entry.shape, data: toFloats(readBytes(file, start + from, to - from), entry.dtype) }
}

function readBytes(file: number, position: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, position + done)
    if (read === 0)
      throw new Problem('embedder_weights', "The model's weights ended while being read.", reinstall)
    done += read
  }
  return bytes
}

function toFloats(bytes: Uint8Array<ArrayBuffer>, type: Entry['dtype']): Float32Array {
  if (type === 'F32') return new Float32Array(bytes.buffer)
  if (type === 'I8') return Float32Array.from(new Int8Array(bytes.buffer))
  const halves = new Uint16Array(bytes.buffer)
  if (type === 'BF16') return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer)
  const table = halfTable()
  const floats = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i++) floats[i] = table[halves[i]!]!
  return floats
}

const reinstall = 'Install Carrel again, so that its packages are whole.'

function broken(path: string, what: string, cause?: unknown): Problem {
  return new Problem('embedder_weights', `The weights file ${path} is damaged: ${what}.`, reinstall, {
    cause,
  })
}
