// Mutexes. The first queues callers within this process and takes a lease across processes; the second is for one process.
import type { LeaseStore } from '../model/lease.js'
import { underLease } from './lease.js'

export interface Mutex {
  /** Does the work while no other work under this name is done, in this process or another that shares the store. */
  withLock<T>(
    name: string,
    work: () => Promise<T>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<T>
}

export function createMutex(leases: LeaseStore): Mutex {
  const queues = new Map<string, Promise<unknown>>()
  return {
    async withLock(name, work, { signal } = {}) {
      const before = queues.get(name) ?? Promise.resolve()
      const mine = before.then(() => underLease(leases, name, { signal }, work))
      const last = mine.catch(() => {})
      queues.set(name, last)
      try {
        return await mine
      } finally {
        if (queues.get(name) === last) queues.delete(name)
      }
    },
  }
}

export type LocalMutex = <T>(work: () => Promise<T> | T) => Promise<T>

/** Does each piece of work after the one before it has ended, also when that one failed. */
export function createLocalMutex(): LocalMutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(() => work())
    last = result.catch(() => {})
    return result
  }
}
