// State in memory that belongs to one open library: loaded graphs, sessions that go on, cached lists. The library owns it
// (`library.state`), so two libraries in one process share none, and it is dropped with the library. Each module declares
// its own piece here, because `Library` lies below the toolsets and must not know them.
import type { Library } from './library.js'

/** By the key of each declaration. `openLibrary` creates it empty. */
export type LibraryState = Map<symbol, unknown>

/**
 * Declares a piece of state and returns its accessor. The first access creates the state of a library, later ones return the
 * same object. Declare it once, at the top level of the module that owns it; the name is for debuggers.
 */
export function libraryState<T>(name: string, create: (library: Library) => T): (library: Library) => T {
  const key = Symbol(name)
  return (library) => {
    if (!library.state.has(key)) library.state.set(key, create(library))
    return library.state.get(key) as T
  }
}

/**
 * Declares a cached value that is computed once for each version of the index, also for calls at the same time. A failed
 * computation is not cached.
 */
export function cachedPerIndexVersion<T>(
  name: string,
  compute: (library: Library) => Promise<T>,
): (library: Library) => Promise<T> {
  const cacheOf = libraryState(name, () => ({}) as { version?: string; value?: Promise<T> })
  return async (library) => {
    const version = await library.store.version()
    const cache = cacheOf(library)
    if (cache.version === version) return cache.value!
    const value = compute(library)
    Object.assign(cache, { version, value })
    value.catch(() => {
      if (cache.value === value) cache.version = undefined
    })
    return value
  }
}
