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

interface WatchedNode {
  path: string
  /** Null for the root. */
  parent: WatchedNode | null
  /** The folder's identity; empty when another folder may have taken its path. */
  place: string
  /** Null if it cannot be read. */
  watcher: FSWatcher | null
  children: Map<string, WatchedNode>
}

/** On these systems one watch covers a whole tree, and events name the path. */
const watchesTrees = process.platform === 'darwin' || process.platform === 'win32'
/** Events come in bursts, several for each change. */
const gatherMs = 20
/** About 2 kB each, and systems have limits of their own. */
const mostWatched = 50_000

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
  const reported = new Map<WatchedNode, Set<string>>()
  const yieldIfDue = createYielder()
  let count = 0
  let timer: NodeJS.Timeout | null = null
  const lock = createLocalMutex()
  let lost = false
  let closed = false
  let over: ExcludedPaths = await excludedPaths(path)

  async function watchTree(folder: string, place: string, parent: WatchedNode | null): Promise<WatchedNode> {
    const node: WatchedNode = { path: folder, parent, place, watcher: null, children: new Map() }
    if (count >= mostWatched) throw Object.assign(new Error('too many folders'), { code: 'ENOSPC' })
    try {
      node.watcher = watch(folder, { recursive: watchesTrees }, (event, name) => onEvent(node, event, name))
      node.watcher.on('error', () => distrust(node))
      count++
    } catch (error) {
      if (limits.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    // Listed after the watch is set, so that no change in between is lost.
    if (node.watcher) await compareAll(node).catch((error) => fail(node, error))
    return node
  }

  function fail(node: WatchedNode, error: unknown): never {
    release(node)
    throw error
  }

  function release(node: WatchedNode) {
    if (node.watcher) count--
    node.watcher?.close()
    node.watcher = null
    reported.delete(node)
    for (const inner of node.children.values()) release(inner)
    node.children.clear()
  }

  function onEvent(node: WatchedNode, event: string, name: string | null) {
    // An event with the folder's own name says that it was moved or removed. Another folder may have its inode by now.
    if (event === 'rename' && name === basename(node.path)) distrust(node)
    if (name !== null) report(node, name)
  }

  function distrust(node: WatchedNode) {
    node.place = ''
    if (node.parent) report(node.parent, basename(node.path))
    else lost = true
  }

  function report(node: WatchedNode, name: string) {
    const names = reported.get(node) ?? new Set()
    reported.set(node, names.add(name))
    timer ??= setTimeout(() => {
      timer = null
      void update(compareReported)
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

  async function compareReported() {
    const all = [...reported]
    reported.clear()
    let matters = false
    for (const [node, names] of all)
      for (const name of names)
        if (node.watcher && (await compare(node, name))) {
          // At once, and again when everything is watched, to find changes in a folder from before its watch was set.
          if (!matters) onChange()
          matters = true
        }
    if (matters && !closed) onChange()
  }

  /** Whether a change at this name may affect reading. */
  async function compare(node: WatchedNode, name: string): Promise<boolean> {
    const at = join(node.path, name)
    const inside = relative(path, at).replaceAll(sep, '/')
    if (isUnread(name) || at === except || at.startsWith(except + sep) || !over.keeps(inside)) return false
    await yieldIfDue()
    const known = node.children.get(name)
    const found = statOf(at)
    // The name may exclude only folders, not files.
    if (found?.isDirectory() && !over.keeps(`${inside}/`)) {
      if (known) release(known)
      return node.children.delete(name)
    }
    if (!found?.isDirectory()) {
      if (known) release(known)
      node.children.delete(name)
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
    node.children.delete(name)
    node.children.set(name, await watchTree(at, place, node))
    return true
  }

  async function compareAll(node: WatchedNode) {
    if (watchesTrees) return
    for (const name of new Set([...foldersIn(node.path), ...node.children.keys()])) await compare(node, name)
  }

  const root = await lock(() => watchTree(path, 'root', null)).catch(() => null)
  async function close() {
    closed = true
    if (timer) clearTimeout(timer)
    await lock(() => {})
    if (root) release(root)
  }
  async function checkAll(node: WatchedNode) {
    over = await excludedPaths(path)
    await compareAll(node)
  }
  async function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    await update(compareReported)
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
