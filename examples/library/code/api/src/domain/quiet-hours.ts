import { LanternError } from '@errors'
import type { Notification } from './notification.js'

/** Minutes since midnight in the recipient's zone. `from` after `to` is a window over midnight. */
export interface QuietWindow {
  readonly from: number
  readonly to: number
}

export const MINUTES_PER_DAY = 24 * 60

export function isQuiet(window: QuietWindow, minuteOfDay: number): boolean {
  const { from, to } = window
  return from <= to
    ? minuteOfDay >= from && minuteOfDay < to
    : minuteOfDay >= from || minuteOfDay < to
}

/** Minutes to wait until the window closes; 0 when it is open to everybody now. */
export function minutesUntilOpen(window: QuietWindow, minuteOfDay: number): number {
  if (!isQuiet(window, minuteOfDay)) return 0
  return (window.to - minuteOfDay + MINUTES_PER_DAY) % MINUTES_PER_DAY
}

/** When the message may be sent, or LNT-4031 when it would be worthless by then. */
export function nextAllowedTime(notification: Notification, window: QuietWindow, minuteOfDay: number): Date {
  if (notification.priority === 'urgent') return notification.dueAt
  const wait = minutesUntilOpen(window, minuteOfDay)
  const allowed = new Date(notification.dueAt.getTime() + wait * 60_000)
  if (notification.expiresAt && notification.expiresAt < allowed)
    throw new LanternError('LNT-4031', undefined, { allowed, expires: notification.expiresAt })
  return allowed
}
