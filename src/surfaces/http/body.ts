import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/server'

export type Body = { json: unknown } | { refused: { status: 400 | 413 | 415; message: string; code: number } }

/** Reads a JSON body up to a size. What lies beyond is thrown away unread. */
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
    return { json: JSON.parse(bytes.toString()) }
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

function readBytes(req: IncomingMessage, mostBytes: number): Promise<Buffer | null> {
  if (Number(req.headers['content-length']) > mostBytes) {
    req.resume()
    return Promise.resolve(null)
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    req.on('data', (part: Buffer) => {
      length += part.length
      if (length <= mostBytes) parts.push(part)
      else {
        parts.length = 0
        resolve(null)
      }
    })
    req.on('end', () => resolve(length > mostBytes ? null : Buffer.concat(parts)))
    req.on('error', reject)
    req.on('close', () => reject(new Error('The client went away.')))
  })
}
