import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/server'

export type Body = { json: unknown } | { refused: { status: 400 | 413 | 415; message: string; code: number } }

/** Reads a JSON body up to a size. What lies beyond is thrown away. */
export async function readJson(req: IncomingMessage, mostBytes: number): Promise<Body> {
  if (!isJsonContentType(req.headers['content-type'] ?? null))
    return refuse(415, 'Send the body as application/json.')
  if (!declaresUtf8(req.headers['content-type'])) return refuse(415, 'Send the body as UTF-8.')
  if (req.headers['content-encoding'] && req.headers['content-encoding'] !== 'identity')
    return refuse(415, 'Send the body without compression.')
  const bytes = await readBytes(req, mostBytes)
  if (bytes === null) return refuse(413, `A body may have at most ${mostBytes} bytes.`)
  // Else letters would become replacement characters, and those would be kept in place of what was meant.
  if (!isUtf8(bytes)) return refuse(400, 'The body is not valid UTF-8.', -32700)
  try {
    return { json: JSON.parse(bytes.toString().replace(/^\ufeff/, '')) }
  } catch {
    return refuse(400, 'The body is not valid JSON.', -32700)
  }
}

/** JSON is UTF-8 unless the sender says otherwise. */
function declaresUtf8(contentType = ''): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? []
  return /^(?:utf-?8|us-ascii)$/i.test(charset)
}

function refuse(status: 400 | 413 | 415, message: string, code = -32000): Body {
  return { refused: { status, message, code } }
}

// A client that is cut off while it still writes sees a broken connection in place of the refusal. So what is too much
// is read to its end all the same and thrown away, unless that is very much or takes long.
const drained = 16
const drainMs = 5_000

function readBytes(req: IncomingMessage, mostBytes: number): Promise<Buffer | null> {
  const [declared, mostDrained] = [Number(req.headers['content-length']), mostBytes * drained]
  if (declared > mostDrained) {
    req.resume()
    return Promise.resolve(null)
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    let patience: NodeJS.Timeout | undefined
    const drop = () => {
      parts.length = 0
      patience ??= setTimeout(resolve, drainMs, null)
      if (length > mostDrained) resolve(null)
    }
    if (declared > mostBytes) drop()
    req.on('data', (part: Buffer) => {
      length += part.length
      if (length > mostBytes) drop()
      else parts.push(part)
    })
    req.on('end', () => {
      clearTimeout(patience)
      resolve(length > mostBytes ? null : Buffer.concat(parts))
    })
    req.on('error', reject)
    req.on('close', () => {
      clearTimeout(patience)
      reject(new Error('The client went away.'))
    })
  })
}
