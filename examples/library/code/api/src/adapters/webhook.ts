import { createHmac } from 'node:crypto'
import type { ChannelPort, DeliveryResult } from '../domain/ports.js'

export const WEBHOOK_TIMEOUT_MS = 8_000

export function webhookChannel(secret: string, nowSeconds: () => number): ChannelPort {
  return {
    name: 'webhook',
    async deliver(message): Promise<DeliveryResult> {
      // Loaded on first use: most installations have no webhooks and need not pay for the client.
      const { request } = await import('node:https')
      const timestamp = nowSeconds()
      const signature = signPayload(secret, timestamp, message.text)
      return new Promise((resolve) => {
        const req = request(message.address, { method: 'POST', timeout: WEBHOOK_TIMEOUT_MS }, (res) => {
          res.resume()
          resolve(classifyStatus(res.statusCode ?? 0))
        })
        req.setHeader('Lantern-Message-Id', message.messageId)
        req.setHeader('Lantern-Timestamp', String(timestamp))
        req.setHeader('Lantern-Signature', `v1=${signature}`)
        req.on('error', (error) => resolve({ outcome: 'deferred', reason: error.message }))
        req.end(message.text)
      })
    },
  }
}

export function signPayload(secret: string, timestamp: number, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

export function classifyStatus(status: number): DeliveryResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  const passing = status === 429 || status >= 500
  return { outcome: passing ? 'deferred' : 'refused', reason: `HTTP ${status}` }
}
