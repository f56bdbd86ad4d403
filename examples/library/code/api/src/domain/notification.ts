import { RetryBudget } from './retry-budget.js'

export type Priority = 'low' | 'normal' | 'urgent'
export type State = 'accepted' | 'waiting' | 'sending' | 'delivered' | 'refused' | 'dead' | 'cancelled'

export interface Notification {
  readonly id: string
  readonly recipientId: string
  readonly idempotencyKey: string
  readonly priority: Priority
  readonly dueAt: Date
  readonly expiresAt?: Date
  readonly foldKey?: string
  state: State
  budget: RetryBudget
}

/** States that a message never leaves again. */
export const TERMINAL_STATES: ReadonlySet<State> = new Set(['delivered', 'refused', 'dead', 'cancelled'])

/** A message may be withdrawn as long as no channel has seen it. */
export function canCancel(notification: Notification): boolean {
  return notification.state === 'accepted' || notification.state === 'waiting'
}

/** Keys made from the time of sending defeat their purpose: each retry becomes a new message. */
export function looksLikeTimestamp(idempotencyKey: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:|^\d{10,13}(\D|$)/.test(idempotencyKey)
}

export function accept(
  fields: Omit<Notification, 'state' | 'budget'>,
  attempts = RetryBudget.DEFAULT_ATTEMPTS,
): Notification {
  return { ...fields, state: 'accepted', budget: new RetryBudget(attempts) }
}
