// Notices that something in a folder changed. A new listing finds the changes: that is quick, and right for bursts, renames
// and atomic saves alike, where single events mislead.

import { type FSWatcher, watch } from 'node:fs'
import { sourceFolders } from '../sources/excluded-paths.js'
import { gitFoldersOf } from '../sources/tracked-files.js'
import { type FolderWatcher, type WatchedFolder, watchFolders } from './folder-watcher.js'
import { placeOf } from './missing-folder.js'

export interface Watcher {
  /** How it watches: by the system's events, or by looking again and again. */
  readonly by: 'events' | 'looking'
  /** Looks whether all that should be watched is. */
  check(): Promise<void>
  /** Looks at the reported changes at once. */
  flush(): Promise<void>
  close(): Promise<void>
}

const lookEveryMs = 1_500

export async function watchFolder(folder: WatchedFolder, onChange: () => void): Promise<Watcher> {
  // Read before the watch is set, so that a folder that replaces it from now on is recognised as another.
  const place = placeOf(folder.path)
  const held = await watchFolders(folder, onChange)
  const watcher = held ? holdOn(folder, { held, place }, onChange) : lookAgain(onChange)
  const git = await watchGit(folder.path, () => void watcher.check().then(onChange))
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
  folder: WatchedFolder,
  first: { held: FolderWatcher; place: string | null },
  onChange: () => void,
): Watcher {
  let held: FolderWatcher | null = first.held
  let place = first.place
  let looking: Promise<void> | null = null
  let closed = false

  async function look() {
    const now = placeOf(folder.path)
    if (now === place && (now === null || (held && !held.isLost()))) return
    const again = now !== place || held !== null
    await held?.close()
    // Where it could not be held, looking has to do until another folder stands there.
    held = now === null || !again ? null : await watchFolders(folder, onChange)
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
    flush: async () => held?.flush(),
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
  return {
    by: 'looking',
    check: async () => {},
    flush: async () => {},
    close: async () => clearInterval(timer),
  }
}

// Watches git's own data on a folder, besides its ignore files: the index of tracked files, and the exclude file of this
// clone.
interface GitWatcher {
  close(): void
}

/** Every git command writes its index, most often several times. */
const gatherMs = 300

/** Calls `onChange` when git may list other files of a folder than before. A repository that is created later is not noticed. */
async function watchGit(folder: string, onChange: () => void): Promise<GitWatcher> {
  const watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let before = await trackedFolders(folder)
  const compare = async () => {
    const now = await trackedFolders(folder)
    if (now !== before) onChange()
    before = now
  }
  const later = (work: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(work, gatherMs).unref()
  }
  const { own, info } = gitFoldersOf(folder) ?? {}
  watchFile(own, (name) => name === 'index' && later(() => void compare().catch(onChange)))
  watchFile(info, (name) => name === 'exclude' && onChange())

  function watchFile(path: string | undefined, onEvent: (name: string | null) => void) {
    if (path === undefined) return
    try {
      const watcher = watch(path, { persistent: false }, (_, name) => onEvent(name))
      watchers.push(watcher.on('error', () => watcher.close()))
    } catch {
      // Not there, or more than the system can watch: the regular check covers it.
    }
  }
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

async function trackedFolders(folder: string): Promise<string> {
  return [...(await sourceFolders(folder))].sort().join('\0')
}
