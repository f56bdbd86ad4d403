import { createServer as createHttpServer, type Server } from 'node:http'
import { accept, looksLikeTimestamp } from '@domain/notification.js'
import type { StorePort } from '@domain/ports.js'
import { MemoryStore } from './adapters/memory-store.js'
import { LanternError } from './errors.js'

const BODY_LIMIT_BYTES = 1_000_000

/** The HTTP API. Adapters are chosen here and nowhere else. */
export function createServer(store: StorePort = new MemoryStore()): Server {
  return createHttpServer(async (request, response) => {
    try {
      const body = await readBody(request)
      const key = String(request.headers['idempotency-key'] ?? '')
      if (looksLikeTimestamp(key)) response.setHeader('Lantern-Warning', 'key-looks-like-time')
      const answer = await acceptOnce(store, key, JSON.parse(body))
      response.writeHead(202).end(JSON.stringify(answer))
    } catch (error) {
      if (!(error instanceof LanternError)) throw error
      response.writeHead(error.httpStatus).end(JSON.stringify({ error: { code: error.code, message: error.message } }))
    }
  })
}

/** The same key gives the same answer; the same key with another recipient is a conflict. */
export async function acceptOnce(store: StorePort, key: string, fields: { id: string; to: string; sendAt: string }) {
  const known = await store.findByKey(key)
  if (known && known.recipientId !== fields.to) throw new LanternError('LNT-4090', undefined, { key })
  if (known) return { id: known.id, state: known.state }
  const fresh = accept({
    id: fields.id,
    recipientId: fields.to,
    idempotencyKey: key,
    priority: 'normal',
    dueAt: new Date(fields.sendAt),
  })
  await store.save(fresh)
  return { id: fresh.id, state: fresh.state }
}

async function readBody(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > BODY_LIMIT_BYTES) throw new LanternError('LNT-4130')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
