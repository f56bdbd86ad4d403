// One process indexes at a time. A lease is renewed while the work goes on, and taken over from a process that died.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../model/problem.js'
import type { LeaseHolder, LeaseStore } from '../store/port.js'
import { isGone, thisProcess } from './process-identity.js'

/** Who has it brings the index up to date. */
export const indexingLease = 'indexing'

const ttlMs = 12_000
const renewMs = 3_000
const pollMs = 25

// Short, so that one who is next and stands still keeps nobody waiting for long.
const placeTtlMs = 2_000
const placeRenewMs = 500

/** Waits for the lease, does the work under it, gives it back. The work's signal fires if the lease is lost. */
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
 * The place of whoever gets a lease next. It is a lease itself, so that all processes see it and a dead one loses it. Nobody
 * takes a lease past the one who has the place: a process with much to do would otherwise take it again the moment it gave
 * it back, and one that looks every now and then would never find it free.
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
    /** Who comes first, if anybody does. */
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

/** Takes or renews a lease, and writes only when that can be: many look, often. */
async function takeIfFree(leases: LeaseStore, name: string, me: LeaseHolder, ttl: number) {
  return (await heldByOther(leases, name, me)) ?? leases.take(name, me, ttl, isFree)
}

async function heldByOther(leases: LeaseStore, name: string, me: LeaseHolder): Promise<LeaseHolder | null> {
  const other = await leases.holder(name)
  return other && other.id !== me.id && !isFree(other) ? other : null
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
