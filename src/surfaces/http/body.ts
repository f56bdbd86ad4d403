import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/server'

type Status = 400 | 408 | 413 | 415 | 503

export type Body = { json: unknown } | { refused: { status: Status; message: string; code: number } }

export interface BodyLimits {
  /** Of one body. */
  bodyBytes: number
  /** Of all bodies that are being read. */
  bodiesBytes: number
  /** How long a body may take to arrive. */
  bodyMs: number
}

export interface BodyReader {
  /** Reads a JSON body up to a size. The rest is discarded. */
  readJson(req: IncomingMessage): Promise<Body>
}

/** Reads the bodies of one server, which share its memory. */
export function bodyReader(limits: BodyLimits): BodyReader {
  const pending = pendingBodies(limits.bodiesBytes)
  return {
    async readJson(req) {
      const type = req.headers['content-type']
      if (!isJsonContentType(type ?? null)) return refuse(415, 'Send the body as application/json.')
      if (!declaresUtf8(type)) return refuse(415, 'Send the body as UTF-8.')
      if (req.headers['content-encoding'] && req.headers['content-encoding'] !== 'identity')
        return refuse(415, 'Send the body without compression.')
      const read = await readBytes(req, limits, pending)
      if (!Buffer.isBuffer(read)) return refusals[read](limits)
      // Otherwise replacement characters would be stored in place of the letters.
      if (!isUtf8(read)) return refuse(400, 'The body is not valid UTF-8.', -32700)
      try {
        return { json: JSON.parse(read.toString().replace(/^\ufeff/, '')) }
      } catch {
        return refuse(400, 'The body is not valid JSON.', -32700)
      }
    },
  }
}

/** JSON is UTF-8 unless the sender says otherwise. */
function declaresUtf8(contentType = ''): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? []
  return /^(?:utf-?8|us-ascii)$/i.test(charset)
}

function refuse(status: Status, message: string, code = -32000): Body {
  return { refused: { status, message, code } }
}

const refusals = {
  large: ({ bodyBytes }: BodyLimits) => refuse(413, `A body may have at most ${bodyBytes} bytes.`),
  slow: ({ bodyMs }: BodyLimits) => refuse(408, `The body did not arrive within ${bodyMs / 1000} s.`),
  full: () => refuse(503, 'Too many requests are being read; send this one again.'),
}

interface PendingBody {
  bytes: number
  giveUp(): void
}

/** The bodies that are being read, and the bytes they hold. When they hold too much, the oldest one is given up. */
function pendingBodies(mostBytes: number) {
  // In the order in which they began.
  const all = new Set<PendingBody>()
  let total = 0
  const remove = (body: PendingBody) => {
    if (all.delete(body)) total -= body.bytes
  }
  return {
    grow(body: PendingBody, bytes: number) {
      total += bytes - (all.has(body) ? body.bytes : 0)
      body.bytes = bytes
      all.add(body)
      while (total > mostBytes) {
        const [oldest] = all
        remove(oldest!)
        oldest!.giveUp()
      }
    },
    remove,
  }
}

// A client that is cut off while it still writes sees a broken connection in place of the refusal. So a body that is too
// large is read to its end and discarded, unless it is very large or takes long.
const drained = 16
const drainMs = 5_000

function readBytes(
  req: IncomingMessage,
  { bodyBytes, bodyMs }: BodyLimits,
  pending: ReturnType<typeof pendingBodies>,
): Promise<Buffer | keyof typeof refusals> {
  const [declared, mostDrained] = [Number(req.headers['content-length']), bodyBytes * drained]
  if (declared > mostDrained) {
    req.resume()
    return Promise.resolve('large')
  }
  return new Promise((resolve, reject) => {
    const buffer = growingBuffer(bodyBytes)
    let length = 0
    let patience: NodeJS.Timeout | undefined
    const release = () => {
      clearTimeout(patience)
      clearTimeout(slow)
      pending.remove(body)
      buffer.clear()
    }
    const end = (result: Buffer | keyof typeof refusals) => {
      release()
      resolve(result)
    }
    const body: PendingBody = { bytes: 0, giveUp: () => end('full') }
    const slow = setTimeout(end, bodyMs, 'slow')
    const drop = () => {
      pending.remove(body)
      buffer.clear()
      patience ??= setTimeout(end, drainMs, 'large')
      if (length > mostDrained) end('large')
    }
    if (declared > bodyBytes) drop()
    req.on('data', (part: Buffer) => {
      length += part.length
      if (length > bodyBytes) drop()
      else if (buffer.append(part)) pending.grow(body, buffer.capacity())
    })
    req.on('end', () => end(length > bodyBytes ? 'large' : buffer.bytes()))
    req.on('error', reject)
    req.on('close', () => {
      release()
      reject(new Error('The client went away.'))
    })
  })
}

/** One buffer that doubles when it is full, so that parts of a single byte take little more room than they have. */
function growingBuffer(mostBytes: number) {
  let [buffer, length, isCleared] = [Buffer.alloc(0), 0, false]
  return {
    /** Whether it had to grow. */
    append(part: Buffer): boolean {
      if (isCleared) return false
      const needed = length + part.length
      const grows = needed > buffer.length
      if (grows) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(mostBytes, 2 * buffer.length), 4_096))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      part.copy(buffer, length)
      length = needed
      return grows
    },
    bytes: () => buffer.subarray(0, length),
    capacity: () => buffer.length,
    clear() {
      ;[buffer, length, isCleared] = [Buffer.alloc(0), 0, true]
    },
  }
}
