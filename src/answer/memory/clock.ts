import type { Library } from '../library.js'

export const day = 86_400_000

export function now(library: Library): number {
  return library.now?.() ?? Date.now()
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
