// A body brought in whole or not at all: unpacked while it comes, counted on the wire and after every unpacking, and
// given up when it only drips.
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'

export interface BodyLimits {
  maxBytes: number
  /** At least `bytes` in every `ms`, or the body counts as stalled. */
  progress: { bytes: number; ms: number }
}

export interface Body {
  bytes: Buffer
  wireBytes: number
}

/** Why a body was refused. */
export class BodyTrouble extends Error {
  override readonly name = 'BodyTrouble'
  constructor(
    readonly kind: 'too_large' | 'stalled' | 'truncated' | 'broken',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

type Bytes = AsyncIterable<Buffer>

/** The content encodings that can be undone, best first, as a request offers them. */
export const offeredEncodings = [
  'br',
  ...('createZstdDecompress' in zlib ? ['zstd'] : []),
  'gzip',
  'deflate',
].join(', ')

/** The steps that undo a `content-encoding`, outermost last as the header lists them; null for one we do not know. */
export function encodingsOf(header: string | null): string[] | null {
  const names = (header ?? '').split(',').flatMap((name) => {
    const plain = name
      .trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip')
    return plain === '' || plain === 'identity' ? [] : [plain]
  })
  const known = new Set(offeredEncodings.split(', '))
  return names.length <= mostEncodings && names.every((name) => known.has(name)) ? names : null
}

const mostEncodings = 2

/** Reads to the end. The stream is destroyed on every way out but success. */
export async function readBody(
  stream: Readable,
  encodings: readonly string[],
  limits: BodyLimits,
): Promise<Body> {
  const wire = { count: 0 }
  const parts: Buffer[] = []
  const watch = watchProgress(stream, wire, limits.progress)
  const steps = encodings.toReversed().flatMap((encoding) => [unpacking(encoding), counting(limits.maxBytes)])
  try {
    const road = [stream, counting(limits.maxBytes, wire), ...steps, collecting(parts)]
    await pipeline(road as unknown as NodeJS.ReadWriteStream[])
    return { bytes: Buffer.concat(parts), wireBytes: wire.count }
  } catch (error) {
    const trouble = explained(error)
    // An empty body has no bytes, compressed or not.
    if (wire.count === 0 && trouble !== error) return { bytes: Buffer.alloc(0), wireBytes: 0 }
    throw trouble
  } finally {
    clearInterval(watch)
  }
}

function watchProgress(stream: Readable, wire: { count: number }, { bytes, ms }: BodyLimits['progress']) {
  let before = 0
  return setInterval(() => {
    if (wire.count - before < bytes)
      stream.destroy(
        new BodyTrouble('stalled', 'The server sends so little that the rest is not waited for.'),
      )
    before = wire.count
  }, ms)
}

function counting(most: number, total = { count: 0 }) {
  return async function* (bytes: Bytes) {
    for await (const part of bytes) {
      total.count += part.length
      if (total.count > most) throw tooLarge(most)
      yield part
    }
  }
}

export function tooLarge(most: number): BodyTrouble {
  const size = most >= 1_000_000 ? `${Math.round(most / 100_000) / 10} MB` : `${most} bytes`
  return new BodyTrouble('too_large', `It is larger than the ${size} that are taken.`)
}

function collecting(parts: Buffer[]) {
  return async (bytes: Bytes) => {
    for await (const part of bytes) parts.push(part)
  }
}

// The engines work in other threads and wait for their reader, so a bomb is counted while it bursts.
function unpacking(encoding: string) {
  switch (encoding) {
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return (zlib as unknown as { createZstdDecompress(): zlib.Gunzip }).createZstdDecompress()
    case 'gzip':
      return zlib.createGunzip()
    default:
      return inflated
  }
}

/** Some servers leave out the wrapper that "deflate" should have; its first bytes tell. */
async function* inflated(bytes: Bytes) {
  const parts = bytes[Symbol.asyncIterator]()
  const first = await parts.next()
  if (first.done) return
  const engine = isWrapped(first.value) ? zlib.createInflate() : zlib.createInflateRaw()
  connect(Readable.from(joined(first.value, { [Symbol.asyncIterator]: () => parts })), engine, () => {})
  for await (const part of engine) yield part as Buffer
}

function isWrapped([a = 0, b]: Buffer): boolean {
  return (a & 15) === 8 && (b === undefined || (a * 256 + b) % 31 === 0)
}

async function* joined(first: Buffer, rest: Bytes) {
  yield first
  yield* rest
}

function explained(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'Z_BUF_ERROR')
    return new BodyTrouble('truncated', 'The body ends before its end.', { cause: error })
  // Node leaves the name of brotli out of its error codes: ERR__ERROR_FORMAT_PADDING_1.
  return /^(Z_|ERR_*(BROTLI|ZSTD|ERROR_)|BROTLI|ZSTD)/.test(code)
    ? new BodyTrouble('broken', 'The body cannot be unpacked.', { cause: error })
    : error
}
