import type { Notification } from '@domain/notification.js'

export interface RenderedMessage {
  readonly messageId: string
  readonly address: string
  readonly subject?: string
  readonly text: string
}

export type DeliveryResult =
  | { readonly outcome: 'delivered'; readonly receipt?: string }
  | { readonly outcome: 'deferred'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly outcome: 'refused'; readonly reason: string }

/** A road to a recipient. Nothing else in Lantern knows what a mail server is. */
export interface ChannelPort {
  readonly name: string
  deliver(message: RenderedMessage): Promise<DeliveryResult>
}

/** Where notifications are kept. Both stores pass the same contract tests. */
export interface StorePort {
  findByKey(idempotencyKey: string): Promise<Notification | null>
  dueBefore(time: Date, limit: number): Promise<Notification[]>
  save(notification: Notification): Promise<void>
}

export interface Clock {
  now(): Date
  monotonicMs(): number
}
