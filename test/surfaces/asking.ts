// Raw requests, as a client that has no library makes them.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export const token = 'a-token-that-is-long-enough'
export const accept = 'application/json, text/event-stream'

/** A request as it is on the wire, with headers that fetch would not let us set. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string; json: () => never }>(
    (resolve, reject) => {
      const req = request(url, { method, headers, agent: false }, (res) => {
        const parts: Buffer[] = []
        res.on('data', (part) => parts.push(part))
        res.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            json: () => JSON.parse(text) as never,
          })
        })
        res.on('error', reject)
      })
      req.on('error', reject)
      req.end(body)
    },
  )
}

export const post = (url: string, value: unknown, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(value),
  })

export const initialize = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

/** The last message of a response that streams. */
export function lastMessage(text: string) {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'))
  return JSON.parse(data.at(-1)!.slice(6))
}

export async function until(met: () => boolean) {
  for (const end = performance.now() + 20_000; performance.now() < end && !met(); ) await sleep(5)
  assert.ok(met(), 'it did not come about')
}
