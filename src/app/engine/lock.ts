import { realpathSync } from 'node:fs'
import { tryLock } from '../../store/sqlite/file-lock.js'

export type EngineLock = { release(): void }

let held: { folder: string; lock: EngineLock } | null = null

/** Makes this process the one that may be the engine of a data folder. Null: there can be none. */
export function takeEngineLock(data: string): EngineLock | 'busy' | null {
  const folder = realFolder(data)
  if (folder === null) return null
  if (held?.folder === folder) return held.lock
  const lock = tryLock(folder, 'engine.lock')
  if (lock === null || lock === 'busy') return lock
  const release = () => {
    held = null
    lock.release()
  }
  held = { folder, lock: { release } }
  return held.lock
}

/** What this process holds: the door and the program each have a copy of this module, and the door gives it on. */
export const heldEngineLock = () => held

export function takeOverEngineLock(given: typeof held) {
  held = given
}

function realFolder(data: string): string | null {
  try {
    return realpathSync.native(data)
  } catch {
    return null
  }
}
