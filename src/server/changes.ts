/** A change that connected clients are notified of. */
export type Change = { kind: 'resource'; uri: string } | { kind: 'resources' } | { kind: 'prompts' }

export interface Changes {
  publish(change: Change): void
  /** Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void
}

/** An event emitter inside one process: services publish changes, connections subscribe. */
export function changes(): Changes {
  const listeners = new Set<(change: Change) => void>()
  return {
    publish(change) {
      for (const listener of [...listeners]) listener(change)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
