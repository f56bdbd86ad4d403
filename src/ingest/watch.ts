// Notices that something in a folder changed. What changed is found by listing it again: that is quick, and right for
// bursts, renames and atomic saves alike, where single events mislead.

import { type FolderToHold, type HeldFolders, holdFolders } from './folder-watcher.js'
import { holdGit } from './git-watcher.js'
import { placeOf } from './missing-folder.js'

export interface Watcher {
  /** How it watches: by the system's events, or by looking again and again. */
  readonly by: 'events' | 'looking'
  /** Looks whether all that should be watched is. */
  check(): Promise<void>
  close(): Promise<void>
}

const lookEveryMs = 1_500

export async function watchFolder(folder: FolderToHold, onChange: () => void): Promise<Watcher> {
  // Before it is watched: what takes its place from now on is another.
  const place = placeOf(folder.path)
  const held = await holdFolders(folder, onChange)
  const watcher = held ? holdOn(folder, { held, place }, onChange) : lookAgain(onChange)
  const git = await holdGit(folder.path, () => void watcher.check().then(onChange))
  return {
    ...watcher,
    async close() {
      git.close()
      await watcher.close()
    },
  }
}

/**
 * The system says nothing of a folder that takes the place of a watched one, not even when it is the same that was away
 * for a moment. So the folder's own place is looked at, and watched anew.
 */
function holdOn(
  folder: FolderToHold,
  first: { held: HeldFolders; place: string | null },
  onChange: () => void,
): Watcher {
  let held: HeldFolders | null = first.held
  let place = first.place
  let looking: Promise<void> | null = null
  let closed = false

  async function look() {
    const now = placeOf(folder.path)
    if (now === place && (now === null || (held && !held.isLost()))) return
    const again = now !== place || held !== null
    await held?.close()
    // Where it could not be held, looking has to do until another folder stands there.
    held = now === null || !again ? null : await holdFolders(folder, onChange)
    place = now
    if (closed) await held?.close()
    else onChange()
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null
    })
  }, lookEveryMs)
  return {
    by: 'events',
    check: async () => held?.check(),
    async close() {
      closed = true
      clearInterval(timer)
      await looking
      await held?.close()
    },
  }
}

/** Looking always works. */
function lookAgain(onChange: () => void): Watcher {
  const timer = setInterval(onChange, lookEveryMs)
  return { by: 'looking', check: async () => {}, close: async () => clearInterval(timer) }
}
