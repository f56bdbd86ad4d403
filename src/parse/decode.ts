import { isUtf8 } from 'node:buffer'
import type { Note } from '../model/problem.js'
import { Problem } from '../model/problem.js'

/**
 * Bytes to text: by byte order mark, else UTF-8, else the encoding the file itself declares, else the likeliest guess
 * with a note. Throws only for binaries. Offsets everywhere are into this text, which lacks nothing but the mark.
 */
export function decode(bytes: Uint8Array, declared?: string | null): { text: string; notes: Note[] } {
  const marked = byMark(bytes)
  if (marked !== null) return { text: refuseBinary(marked), notes: [] }
  refuseControl(sampleOf(bytes), (i) => bytes[i]!)
  const exact = strictly('utf-8', bytes)
  if (exact !== null) return { text: exact, notes: [] }
  const asDeclared = declared ? strictly(declared, bytes) : null
  if (asDeclared !== null) return { text: asDeclared, notes: [] }
  return guess(bytes)
}

/** The encoding declared near the top of a page or XML file. A readable declaration rules out UTF-16, whatever it says. */
export function encodingWithin(bytes: Uint8Array): string | null {
  const top = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString('latin1')
  const named = /(?:charset|encoding)\s*=\s*["']?([\w:.-]+)/i.exec(top)?.[1] ?? null
  return named === null || /^(?:utf-?16|ucs-?2|(?:cs)?unicode(?!-1-1-utf-8)|iso-10646)/i.test(named)
    ? null
    : named
}

function byMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return lenient('utf-8', bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return lenient('utf-16le', bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return lenient('utf-16be', bytes)
  return null
}

function lenient(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes)
}

function strictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function refuseBinary(text: string): string {
  refuseControl(Math.min(text.length, sampleSize), (i) => text.charCodeAt(i))
  return text
}

// Git's rule (a zero among the first 8,000 bytes) and one for compressed data too short to hold a zero. Escape
// sequences, form feeds and overstrikes are normal in logs and old manuals.
const sampleSize = 8000
const controlShare = 0.05

function sampleOf(bytes: Uint8Array): number {
  return Math.min(bytes.length, sampleSize)
}

function refuseControl(length: number, at: (i: number) => number) {
  if (isBinary(length, at)) throw binary()
}

function isBinary(length: number, at: (i: number) => number): boolean {
  let control = 0
  for (let i = 0; i < length; i++) {
    const code = at(i)
    if (code === 0) return true
    if (isControl(code)) control++
  }
  return control > length * controlShare
}

/** A character that no text has, or few of. */
export function isControl(code: number): boolean {
  return code < 32 && !(code >= 8 && code <= 13) && code !== 27
}

function binary(): Problem {
  return new Problem(
    'binary',
    'This is a binary file, not text.',
    'Leave it out, or convert it to text first.',
  )
}

// A file that is UTF-8 but for a few broken bytes must not be turned into "Ã©" throughout.
function guess(bytes: Uint8Array): { text: string; notes: Note[] } {
  const text = lenient('utf-8', bytes)
  const { broken, isMost } = breaksIn(text)
  if (!isMost) return { text, notes: [guessed(`UTF-8 with ${broken} broken characters`)] }
  return { text: windows1252(bytes), notes: [guessed('Windows-1252')] }
}

function breaksIn(text: string) {
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const good = text.match(/[^\x00-\x7f\ufffd]/gu)?.length ?? 0
  return { broken, isMost: good < broken * 4 }
}

/** Whether undeclared bytes are read as Windows-1252. In large files the start decides. */
export function isWindows1252(bytes: Uint8Array): boolean {
  if (isUtf8(bytes) || byMark(bytes.subarray(0, 3)) !== null || isBinary(sampleOf(bytes), (i) => bytes[i]!))
    return false
  return breaksIn(lenient('utf-8', bytes.subarray(0, manyBytes))).isMost
}

const manyBytes = 1_000_000

function guessed(what: string): Note {
  return { code: 'encoding_guessed', message: `The file is not valid UTF-8; it was read as ${what}.` }
}

// Done by hand: some Node releases read windows-1252 as Latin-1 and lose the quotes and dashes.
const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

export function windows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return latin.replace(/[\x80-\x9f]/g, (sign) => upper[sign.charCodeAt(0) - 0x80]!)
}
