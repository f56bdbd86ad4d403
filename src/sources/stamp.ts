import type { Stats } from 'node:fs'
import type { Stamp } from '../model/document.js'

export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): Stamp {
  return { size, mtimeMs, ctimeMs, ino }
}

/** False if the change time is unknown: the caller must compare the bytes. */
export function looksSame(one: Stamp, other: Stamp): boolean {
  return (
    one.ctimeMs !== null &&
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino
  )
}
