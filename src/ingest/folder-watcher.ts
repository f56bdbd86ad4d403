// Watches a folder and everything below it for changes that may affect reading: files, their permissions, and folders that
// are added, removed or replaced. The system watches the folder that was at a path at first, not the path. So each folder
// is known by its inode, and a new one at the same path is watched anew.
import { type BigIntStats, type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { createLocalMutex } from '../runtime/mutex.js'
import { createYielder } from '../runtime/yield.js'
import { type ExcludedPaths, excludedPaths, unreadFiles } from '../sources/excluded-paths.js'
import { secretIn } from '../sources/secret-files.js'
import { placeIn } from './missing-folder.js'
import { isRead } from './readers.js'

export interface FolderWatcher {
  /** A part of it is no longer watched, so it has to be watched anew. */
  isLost(): boolean
  /** Looks whether each folder is still the one that is watched: events get lost when there are too many. */
  check(): Promise<void>
  /** Looks at the reported changes at once, without waiting for more events. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Held {
  path: string
  /** The one it lies in, unless that is not ours. */
  above: Held | null
  /** Which folder it is; empty when it may have gone meanwhile. */
  place: string
  /** Null if it cannot be read. */
  watcher: FSWatcher | null
  inside: Map<string, Held>
}

/** On these systems one watch covers a whole tree, and events name the path. */
const watchesTrees = process.platform === 'darwin' || process.platform === 'win32'
/** Events come in bursts, several for each change. */
const gatherMs = 20
/** About 2 kB each, and systems have limits of their own. */
const mostHeld = 50_000

export interface WatchedFolder {
  path: string
  /** A folder whose changes are not reported: the data folder. */
  except: string
}

/** Null when the system does not watch so much: most often its limit of watches (ENOSPC). */
export async function watchFolders(
  { path, except }: WatchedFolder,
  onChange: () => void,
): Promise<FolderWatcher | null> {
  const heard = new Map<Held, Set<string>>()
  const yieldIfDue = createYielder()
  let count = 0
  let timer: NodeJS.Timeout | null = null
  const lock = createLocalMutex()
  let lost = false
  let closed = false
  let over: ExcludedPaths = await excludedPaths(path)

  async function hold(folder: string, place: string, above: Held | null): Promise<Held> {
    const held: Held = { path: folder, above, place, watcher: null, inside: new Map() }
    if (count >= mostHeld) throw Object.assign(new Error('too many folders'), { code: 'ENOSPC' })
    try {
      held.watcher = watch(folder, { recursive: watchesTrees }, (event, name) => hear(held, event, name))
      held.watcher.on('error', () => doubt(held))
      count++
    } catch (error) {
      if (limits.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    // Listed after the watch is set, so that no change in between is lost.
    if (held.watcher) await compareAll(held).catch((error) => fail(held, error))
    return held
  }

  function fail(held: Held, error: unknown): never {
    release(held)
    throw error
  }

  function release(held: Held) {
    if (held.watcher) count--
    held.watcher?.close()
    held.watcher = null
    heard.delete(held)
    for (const inner of held.inside.values()) release(inner)
    held.inside.clear()
  }

  function hear(held: Held, event: string, name: string | null) {
    // Of itself it speaks by its own name: it was moved or removed, and its number may be another's by now.
    if (event === 'rename' && name === basename(held.path)) doubt(held)
    if (name !== null) note(held, name)
  }

  function doubt(held: Held) {
    held.place = ''
    if (held.above) note(held.above, basename(held.path))
    else lost = true
  }

  function note(held: Held, name: string) {
    const names = heard.get(held) ?? new Set()
    heard.set(held, names.add(name))
    timer ??= setTimeout(() => {
      timer = null
      void update(lookAtHeard)
    }, gatherMs)
  }

  /** One at a time: two at once would watch a folder twice. */
  function update(work: () => Promise<void>): Promise<void> {
    return lock(async () => {
      if (closed) return
      try {
        await work()
      } catch {
        lost = true
        onChange()
      }
    })
  }

  async function lookAtHeard() {
    const all = [...heard]
    heard.clear()
    let matters = false
    for (const [held, names] of all)
      for (const name of names)
        if (held.watcher && (await compare(held, name))) {
          // At once, and again when everything is watched, to find changes in a folder from before its watch was set.
          if (!matters) onChange()
          matters = true
        }
    if (matters && !closed) onChange()
  }

  /** Whether a change at this name may affect reading. */
  async function compare(held: Held, name: string): Promise<boolean> {
    const at = join(held.path, name)
    const inside = relative(path, at).replaceAll(sep, '/')
    if (isUnread(name) || at === except || at.startsWith(except + sep) || !over.keeps(inside)) return false
    await yieldIfDue()
    const known = held.inside.get(name)
    const found = statOf(at)
    // A file may have a name for which a folder is passed over.
    if (found?.isDirectory() && !over.keeps(`${inside}/`)) {
      if (known) release(known)
      return held.inside.delete(name)
    }
    if (!found?.isDirectory()) {
      if (known) release(known)
      held.inside.delete(name)
      return known !== undefined || mayBeRead(name, found !== null)
    }
    if (secretIn(`${name}/`) !== null) return false
    const place = placeIn(found)
    if (watchesTrees || closed) return true
    if (known?.watcher && known.place === place) {
      // Its permissions may have changed, and with them the visible files.
      await compareAll(known)
      return true
    }
    if (known) release(known)
    held.inside.delete(name)
    held.inside.set(name, await hold(at, place, held))
    return true
  }

  async function compareAll(held: Held) {
    if (watchesTrees) return
    for (const name of new Set([...foldersIn(held.path), ...held.inside.keys()])) await compare(held, name)
  }

  const root = await lock(() => hold(path, 'root', null)).catch(() => null)
  async function close() {
    closed = true
    if (timer) clearTimeout(timer)
    await lock(() => {})
    if (root) release(root)
  }
  async function checkAll(held: Held) {
    over = await excludedPaths(path)
    await compareAll(held)
  }
  async function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    await update(lookAtHeard)
  }
  if (root?.watcher) return { isLost: () => lost, check: () => update(() => checkAll(root)), flush, close }
  await close()
  return null
}

// In this thread, as each call elsewhere costs several times as much, and there are thousands.
function statOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true })
  } catch {
    return null
  }
}

function foldersIn(path: string): string[] {
  let entries: Dirent[] = []
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch {
    // Gone, or unreadable: the watch on its parent reports when that changes.
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

const limits = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'])
const ignoreFiles = new Set(['.gitignore', '.ignore', '.rgignore'])
const unread = new Set(unreadFiles.filter((glob) => !glob.includes('*') && !ignoreFiles.has(glob)))

/** By a name, or a path where whole trees are watched. */
function isUnread(name: string): boolean {
  return unread.has(basename(name))
}

function mayBeRead(name: string, isThere: boolean): boolean {
  if (ignoreFiles.has(basename(name))) return true
  if (secretIn(name) !== null) return false
  if (isRead(name)) return true
  // If whole trees are watched, it is unknown whether a removed name was a folder.
  return watchesTrees && !isThere && !basename(name).includes('.')
}
