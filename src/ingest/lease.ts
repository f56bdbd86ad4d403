// One process indexes at a time. A lease is renewed while the work goes on, and taken over from a process that died.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../model/problem.js'
import type { LeaseHolder, LeaseStore } from '../store/port.js'

const ttlMs = 12_000
const renewMs = 3_000
const pollMs = 200

/** Waits for the lease, does the work under it, gives it back. The work's signal fires if the lease is lost. */
export async function underLease<T>(
  leases: LeaseStore,
  name: string,
  options: { signal?: AbortSignal; onWait?: (holder: LeaseHolder) => void },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const me = holder()
  for (;;) {
    options.signal?.throwIfAborted()
    const other = await leases.take(name, me, ttlMs, isFree)
    if (other === null) break
    options.onWait?.(other)
    await sleep(pollMs, undefined, { signal: options.signal })
  }
  return holding(leases, name, me, options.signal, work)
}

/** The same without waiting: null when somebody else has the lease. */
export async function ifLeaseIsFree<T>(
  leases: LeaseStore,
  name: string,
  options: { signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const me = holder()
  options.signal?.throwIfAborted()
  if ((await leases.take(name, me, ttlMs, isFree)) !== null) return null
  return holding(leases, name, me, options.signal, work)
}

function holder(): LeaseHolder {
  return { id: randomUUID(), pid: process.pid, host: hostname() }
}

async function holding<T>(
  leases: LeaseStore,
  name: string,
  me: LeaseHolder,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const timer = setInterval(() => void renew(), renewMs)
  timer.unref()
  const renew = async () => {
    const other = await leases.take(name, me, ttlMs).catch(() => null)
    if (other)
      lost.abort(
        new Problem(
          'lease_lost',
          `Process ${other.pid} took over while this one stood still.`,
          'Run the command again.',
        ),
      )
  }
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    clearInterval(timer)
    await leases.release(name, me.id).catch(() => leave(me))
  }
}

/** Leases that this process gave back, but whose rows a full disk kept: it must not wait for itself. */
const left = new Set<string>()

function leave({ id }: LeaseHolder) {
  left.add(id)
  setTimeout(() => left.delete(id), ttlMs).unref()
}

/** Whether a lease's holder has no use for it any more. */
export function isFree(holder: LeaseHolder): boolean {
  return left.has(holder.id) || isGone(holder)
}

/** Whether a holder on this machine has died. Of other machines nothing is known but the lease's end. */
export function isGone(holder: LeaseHolder): boolean {
  if (holder.host !== hostname()) return false
  try {
    process.kill(holder.pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
