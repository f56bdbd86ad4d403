// A lease is a lock among processes: its holder renews it while it works, and others take it over when the holder dies.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeaseHolder, LeaseStore } from '../model/lease.js'
import { Problem } from '../model/problem.js'
import { isGone, thisProcess } from './process-identity.js'

/** Held by the process that updates the index. */
export const indexingLease = 'indexing'

const ttlMs = 12_000
const renewMs = 3_000
const pollMs = 25

// Short, so that a suspended process that is next does not keep the others waiting for long.
const placeTtlMs = 2_000
const placeRenewMs = 500

/** Waits for the lease, does the work, releases the lease. The work's signal fires if the lease is lost. */
export async function underLease<T>(
  leases: LeaseStore,
  name: string,
  options: { signal?: AbortSignal; onWait?: (holder: LeaseHolder) => void },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const me = holder()
  await wait(leases, name, me, options)
  return holding(leases, name, me, options.signal, work)
}

async function wait(
  leases: LeaseStore,
  name: string,
  me: LeaseHolder,
  { signal, onWait }: { signal?: AbortSignal; onWait?: (holder: LeaseHolder) => void },
) {
  const place = placeInLine(leases, name)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const first = await place.heldBy()
      const other = first ?? (await takeIfFree(leases, name, me, ttlMs))
      if (other === null) return
      await place.take()
      onWait?.((await leases.holder(name)) ?? other)
      await sleep(pollMs, undefined, { signal })
    }
  } finally {
    await place.leave()
  }
}

/**
 * The right to get a lease next. It is a lease itself, so that all processes see it and a dead one loses it. Nobody takes
 * the lease before the process that is next: a busy process would otherwise take it again the moment it released it, and
 * a process that polls would never find it free.
 */
function placeInLine(leases: LeaseStore, name: string) {
  const [place, me] = [`${name}, next`, holder()]
  let takenAt: number | null = null
  const take = async () => {
    const other = await takeIfFree(leases, place, me, placeTtlMs)
    takenAt = other === null ? performance.now() : null
    return other
  }
  return {
    /** The other process that is next, if any. */
    async heldBy(): Promise<LeaseHolder | null> {
      if (takenAt === null) return heldByOther(leases, place, me)
      return performance.now() - takenAt > placeRenewMs ? take() : null
    },
    async take() {
      if (takenAt === null) await take()
    },
    async leave() {
      if (takenAt !== null) await leases.release(place, me.id).catch(() => leave(me))
    },
  }
}

/** Takes or renews a lease. It reads first, because many processes poll and writing is dear. */
async function takeIfFree(leases: LeaseStore, name: string, me: LeaseHolder, ttl: number) {
  return (await heldByOther(leases, name, me)) ?? leases.take(name, me, ttl, isFree)
}

async function heldByOther(leases: LeaseStore, name: string, me: LeaseHolder): Promise<LeaseHolder | null> {
  const other = await leases.holder(name)
  return other && other.id !== me.id && !isFree(other) ? other : null
}

/** The same without waiting: null when another holder has the lease. */
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
  return { id: randomUUID(), ...thisProcess() }
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

/** Leases that this process released but could not delete, since the disk was full: it must not wait for itself. */
const left = new Set<string>()

function leave({ id }: LeaseHolder) {
  left.add(id)
  setTimeout(() => left.delete(id), ttlMs).unref()
}

/** Whether the holder released the lease or is dead. */
export function isFree(holder: LeaseHolder): boolean {
  return left.has(holder.id) || isGone(holder)
}
