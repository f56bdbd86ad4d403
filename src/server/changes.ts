/** Something a connected client may want to hear of. */
export type Change = { kind: 'resource'; uri: string } | { kind: 'resources' } | { kind: 'prompts' }

export interface Changes {
  publish(change: Change): void
  /** Returns the way out. */
  subscribe(listener: (change: Change) => void): () => void
}

/** Carries word of changes from the services to whoever is connected, inside one process. */
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
