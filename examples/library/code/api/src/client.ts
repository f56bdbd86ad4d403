import type { Priority } from './domain/notification.js'

export interface ClientOptions {
  readonly baseUrl: string
  readonly token?: string
}

export interface SendRequest {
  readonly to: string
  readonly template: string
  readonly data?: Record<string, unknown>
  readonly priority?: Priority
  readonly idempotencyKey?: string
}

/** A thin client: one function, one request, no hidden retries. Repeating is the caller's decision. */
export function createClient({ baseUrl, token }: ClientOptions) {
  return {
    async send({ idempotencyKey, ...body }: SendRequest): Promise<{ id: string; state: string }> {
      const answer = await fetch(new URL('/v1/notifications', baseUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { id: string; state: string }
    },
  }
}
