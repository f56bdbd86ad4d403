import type { LeaseHolder, LeaseStore } from '../../../src/model/lease.js'
import { byText } from '../../../src/store/order.js'
import type { RecordStore } from '../../../src/store/port.js'

export function referenceRecords(): RecordStore {
  const kinds = new Map<string, Map<string, unknown>>()
  const of = (kind: string) => kinds.get(kind) ?? new Map<string, unknown>()
  const put = (kind: string, id: string, value: unknown) => {
    kinds.set(kind, of(kind).set(id, structuredClone(value)))
  }
  const get = <T>(kind: string, id: string) => structuredClone(of(kind).get(id) ?? null) as T | null
  return {
    async put(kind, id, value) {
      put(kind, id, value)
    },
    async putAll(records) {
      // Copied first: one that cannot be must not leave half of them behind.
      for (const { kind, id, value } of structuredClone([...records])) put(kind, id, value)
    },
    async get<T>(kind: string, id: string) {
      return get<T>(kind, id)
    },
    async all<T>(kind: string) {
      const entries = [...of(kind)].sort(([a], [b]) => byText(a, b))
      return entries.map(([id, value]) => ({ id, value: structuredClone(value) as T }))
    },
    async update<T>(kind: string, id: string, change: (value: T | null) => T | null) {
      const value = change(get<T>(kind, id))
      if (value === null) of(kind).delete(id)
      else put(kind, id, value)
      return structuredClone(value)
    },
    async delete(kind, id) {
      return of(kind).delete(id)
    },
    async clear(kind) {
      const { size } = of(kind)
      kinds.delete(kind)
      return size
    },
  }
}

export function referenceLeases(now: () => number): LeaseStore {
  const leases = new Map<string, { holder: LeaseHolder; until: number }>()
  const heldNow = (name: string) => {
    const lease = leases.get(name)
    return lease && lease.until > now() ? { ...lease.holder } : null
  }
  return {
    async take(name, holder, ttlMs, gone = () => false) {
      const other = heldNow(name)
      if (other && other.id !== holder.id && !gone(other)) return other
      leases.set(name, { holder: { ...holder }, until: now() + ttlMs })
      return null
    },
    async release(name, holderId) {
      if (leases.get(name)?.holder.id === holderId) leases.delete(name)
    },
    async holder(name) {
      return heldNow(name)
    },
  }
}
