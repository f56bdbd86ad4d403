// Stale while revalidate: a value that is slow to make serves for a while, and is made again behind the answer that used it.

export interface Revalidated<T> {
  /** Made within `freshMs`, or being made: waits for it. */
  fresh(): Promise<T>
  /** Made within `staleMs`, else null. One that is no longer fresh is made again a moment later. */
  known(): T | null
}

/** So that the work that asks is done before a value is made again. */
const behindMs = 250

export function revalidated<T>(
  make: () => Promise<T>,
  { freshMs, staleMs = Number.POSITIVE_INFINITY }: { freshMs: number; staleMs?: number },
): Revalidated<T> {
  let making: { at: number; value: Promise<T> } | undefined
  let last: { at: number; value: T } | undefined
  let isDue = false

  function fresh(): Promise<T> {
    if (making && performance.now() - making.at < freshMs) return making.value
    const at = performance.now()
    const value = make().then((made) => {
      last = { at, value: made }
      return made
    })
    const own = { at, value }
    making = own
    value.catch(() => {
      if (making === own) making = undefined
    })
    return value
  }

  function known(): T | null {
    if (!last) return null
    const age = performance.now() - last.at
    if (age >= freshMs && !isDue) {
      isDue = true
      setTimeout(() => {
        isDue = false
        fresh().catch(() => {})
      }, behindMs).unref()
    }
    return age < staleMs ? last.value : null
  }

  return { fresh, known }
}
