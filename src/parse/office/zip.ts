// Reads untrusted archives. The table of contents is checked before a byte is unpacked, and no part may unpack to more
// than it declares: a zip bomb is refused for its declared size, or stopped while it unpacks.
import { inflateRawSync } from 'node:zlib'
import { Problem } from '../../model/problem.js'
import { damaged, locked } from './converted.js'

export interface Zip {
  /** In the order of the table of contents. */
  names: readonly string[]
  /** Null if the part does not exist. */
  bytes(name: string): Uint8Array | null
}

export interface ZipLimits {
  entries: number
  /** All parts together, as declared. */
  totalBytes: number
  /** A single unpacked part. */
  partBytes: number
  /** The highest compression ratio of a large part. Deflate reaches 1,032; real documents stay below 100. */
  ratio: number
}

export const zipLimits: ZipLimits = {
  entries: 20_000,
  totalBytes: 400_000_000,
  partBytes: 64_000_000,
  ratio: 300,
}

export function openZip(bytes: Uint8Array, limits: ZipLimits = zipLimits): Zip {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = entriesOf(file, limits)
  return {
    names: [...entries.keys()],
    bytes: (name) => {
      const entry = entries.get(name)
      return entry ? unpack(file, entry, limits) : null
    },
  }
}

interface Entry {
  name: string
  method: number
  encrypted: boolean
  packed: number
  size: number
  offset: number
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 }

function entriesOf(file: Buffer, limits: ZipLimits): Map<string, Entry> {
  const end = endRecord(file)
  const count = file.readUInt16LE(end + 10)
  if (count > limits.entries) throw tooMany(limits)
  const entries = new Map<string, Entry>()
  let at = file.readUInt32LE(end + 16)
  let total = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== signatures.central)
      throw damaged('the list of its parts is broken')
    const { entry, next } = entryAt(file, at)
    at = next
    total += entry.size
    if (total > limits.totalBytes) throw bomb(`its parts come to more than ${megabytes(limits.totalBytes)}`)
    if (entry.size > smallPart && entry.size > entry.packed * limits.ratio)
      throw bomb(
        `one of its parts unpacks to ${Math.round(entry.size / Math.max(1, entry.packed))} times its size`,
      )
    // A name that leads out of the archive is ignored; of two entries with the same name, the first counts.
    if (isInside(entry.name) && !entries.has(entry.name)) entries.set(entry.name, entry)
  }
  return entries
}

// Below this, a high ratio is harmless: an empty table of thousands of equal rows.
const smallPart = 8_000_000

/** The record at the end of the file; only a comment may follow it. */
function endRecord(file: Buffer): number {
  const lowest = Math.max(0, file.length - 22 - 0xffff)
  for (let at = file.length - 22; at >= lowest; at--) {
    if (file.readUInt32LE(at) === signatures.end) return at
  }
  throw damaged('the end of the archive is missing')
}

function entryAt(file: Buffer, at: number): { entry: Entry; next: number } {
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
    file.readUInt16LE(at + field),
  ) as [number, number, number]
  const nameEnd = at + 46 + nameLength
  const sizes = {
    size: file.readUInt32LE(at + 24),
    packed: file.readUInt32LE(at + 20),
    offset: file.readUInt32LE(at + 42),
  }
  return {
    entry: {
      name: file.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/'),
      method: file.readUInt16LE(at + 10),
      encrypted: (file.readUInt16LE(at + 8) & 1) === 1,
      ...wide(sizes, file.subarray(nameEnd, nameEnd + extraLength)),
    },
    next: nameEnd + extraLength + commentLength,
  }
}

/** Sizes that exceed their fields, or were unknown in advance, are in an extra field after the name. */
function wide<T extends Record<string, number>>(sizes: T, extra: Buffer): T {
  const known = { ...sizes } as Record<string, number>
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2))
    let field = at + 4
    for (const name of ['size', 'packed', 'offset']) {
      if (known[name] !== 0xffffffff || field + 8 > end) continue
      known[name] = Number(extra.readBigUInt64LE(field))
      field += 8
    }
  }
  return known as T
}

function isInside(name: string): boolean {
  return (
    !name.startsWith('/') &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(name) &&
    !/^[a-z]:/i.test(name) &&
    !name.includes('\0')
  )
}

function unpack(file: Buffer, entry: Entry, limits: ZipLimits): Uint8Array {
  if (entry.encrypted) throw locked()
  if (entry.size > limits.partBytes)
    throw new Problem(
      'too_large',
      `Its part "${entry.name}" has ${megabytes(entry.size)}; the limit is ${megabytes(limits.partBytes)}.`,
    )
  const { offset } = entry
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== signatures.local)
    throw damaged(`its part "${entry.name}" is not where it should be`)
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  const packed = file.subarray(start, start + entry.packed)
  if (entry.method === 0) return packed
  if (entry.method !== 8)
    throw new Problem('unsupported', `It is packed by a method that is not read (${entry.method}).`)
  return inflate(packed, entry)
}

function inflate(packed: Buffer, entry: Entry): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw bomb(`its part "${entry.name}" unpacks to more than it announces`)
    throw damaged(`its part "${entry.name}" cannot be unpacked`, { cause: error })
  }
}

function tooMany(limits: ZipLimits): Problem {
  return bomb(`it has more than ${limits.entries} parts`)
}

function bomb(what: string): Problem {
  return new Problem('too_large', `It was not unpacked: ${what}.`)
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}
