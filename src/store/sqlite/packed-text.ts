// How texts lie in bytes. A text is deflated where that saves space. Packed bytes start with 255, which UTF-8 never has, so
// that short texts can stay as they are:
//   255, the length of the text, the length of each deflated block (four bytes each, little-endian), the blocks.
// A block holds 64 kB of the text, so a chunk of a large document is read without inflating all of it.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { damagedIndex } from './checksums.js'

const mark = 255
const blockBytes = 65_536
/** Shorter texts save less than the bytes around them cost. */
const leastBytes = 128
// On pages of some kilobytes level 3 is as fast as level 1. The small window and memory level make the start cheaper.
const deflate = { level: 3, windowBits: 14, memLevel: 7 }
const inflate = { windowBits: deflate.windowBits }

/** The bytes to store. */
export function packText(text: Uint8Array): Uint8Array {
  if (text.length < leastBytes) return text
  const blocks: Buffer[] = []
  for (let at = 0; at < text.length; at += blockBytes)
    blocks.push(deflateRawSync(text.subarray(at, at + blockBytes), deflate))
  const head = Buffer.alloc(headBytes(blocks.length))
  head[0] = mark
  head.writeUInt32LE(text.length, 1)
  for (const [i, block] of blocks.entries()) head.writeUInt32LE(block.length, headBytes(i))
  const packed = Buffer.concat([head, ...blocks])
  return packed.length < text.length ? packed : text
}

/** Packs a body that was stored as it was. Anything else is damage, which its checksum tells. */
export function repackText(body: unknown): unknown {
  return body instanceof Uint8Array ? packText(body) : body
}

export interface PackedText {
  /** In bytes. */
  length: number
  slice(from: number, to: number): Uint8Array
}

/** Opens stored bytes. A block is inflated when a slice needs it, and once. */
export function openText(stored: Uint8Array | null): PackedText {
  // The driver returns null for an empty blob.
  const bytes = stored ?? new Uint8Array()
  if (bytes[0] !== mark) return { length: bytes.length, slice: (from, to) => bytes.subarray(from, to) }
  const { length, ends } = readHead(bytes)
  const inflated: Uint8Array[] = []
  const block = (i: number) => {
    inflated[i] ??= inflateBlock(
      bytes.subarray(ends[i], ends[i + 1]),
      Math.min(blockBytes, length - i * blockBytes),
    )
    return inflated[i]
  }
  return {
    length,
    slice(from, to) {
      const first = Math.floor(from / blockBytes)
      const last = Math.ceil(Math.min(to, length) / blockBytes) - 1
      const start = first * blockBytes
      if (first >= last)
        return last < 0 || first > last ? new Uint8Array() : block(first).subarray(from - start, to - start)
      const blocks = Array.from({ length: last - first + 1 }, (_, i) => block(first + i))
      return Buffer.concat(blocks).subarray(from - start, to - start)
    },
  }
}

/** All of a stored text. */
export function unpackText(stored: Uint8Array | null): Uint8Array {
  const text = openText(stored)
  return text.slice(0, text.length)
}

function headBytes(blocks: number): number {
  return 5 + 4 * blocks
}

/** `ends[i]` is where block i starts, and where the one before it ends. */
function readHead(bytes: Uint8Array): { length: number; ends: number[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headBytes(0)) throw damagedText()
  const length = view.getUint32(1, true)
  const blocks = Math.ceil(length / blockBytes)
  if (bytes.length < headBytes(blocks)) throw damagedText()
  const ends = [headBytes(blocks)]
  for (let i = 0; i < blocks; i++) ends.push(ends[i]! + view.getUint32(headBytes(i), true))
  return { length, ends }
}

function inflateBlock(bytes: Uint8Array, length: number): Uint8Array {
  try {
    const block = inflateRawSync(bytes, { ...inflate, maxOutputLength: length })
    if (block.length === length) return block
  } catch {
    // The caller learns the same from both.
  }
  throw damagedText()
}

function damagedText() {
  return damagedIndex('a packed text cannot be read')
}
