/** A cache of at most `max` entries. The least recently used entry is removed first. */
export interface Lru<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  readonly size: number
}

export function lru<K, V>(max: number): Lru<K, V> {
  // A map keeps its keys in the order in which they were set.
  const entries = new Map<K, V>()
  function set(key: K, value: V) {
    entries.delete(key)
    entries.set(key, value)
    if (entries.size > max) entries.delete(entries.keys().next().value!)
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
