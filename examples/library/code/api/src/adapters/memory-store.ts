import type { Notification } from '../domain/notification.js'
import type { StorePort } from '../domain/ports.js'

/** The slow, obvious store: the reference that the real ones are compared with in tests. */
export class MemoryStore implements StorePort {
  readonly #byId = new Map<string, Notification>()

  async findByKey(idempotencyKey: string): Promise<Notification | null> {
    for (const row of this.#byId.values()) if (row.idempotencyKey === idempotencyKey) return row
    return null
  }

  async dueBefore(time: Date, limit: number): Promise<Notification[]> {
    return [...this.#byId.values()]
      .filter((row) => row.state === 'accepted' && row.dueAt <= time)
      .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
      .slice(0, limit)
  }

  async save(notification: Notification): Promise<void> {
    this.#byId.set(notification.id, notification)
  }
}
