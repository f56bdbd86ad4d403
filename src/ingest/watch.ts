// Notices that something in a folder changed. What changed is found by listing it again: that is quick, and right for
// bursts, renames and atomic saves alike, where single events mislead.
import { basename } from 'node:path'
import { watch as watchTree } from 'chokidar'
import type { FolderSettings } from '../model/settings.js'
import { neverIndexed } from '../sources/folder.js'
import { secretIn } from '../sources/secret-files.js'
import { placeOf } from './away.js'
import { isRead } from './readers.js'

export interface Watcher {
  /** How it watches: by the system's events, or by looking again and again. */
  readonly by: 'events' | 'looking'
  close(): Promise<void>
}

/** Above this many files a watch for each costs too much memory (about 300 MB at 31,000). */
const mostWatched = 20_000
const lookEveryMs = 1_500

export async function watchFolder(
  folder: FolderSettings,
  files: number,
  onChange: () => void,
): Promise<Watcher> {
  const tree = files > mostWatched ? null : await openTree(folder, onChange)
  return tree ? holdOn(folder, tree, onChange) : lookAgain(onChange)
}

interface Tree {
  /** The folder itself went, and its watch with it. */
  isLost(): boolean
  close(): Promise<void>
}

/** Null when the system does not watch so much: most often its limit of watches (ENOSPC). Looking always works. */
async function openTree(folder: FolderSettings, onChange: () => void): Promise<Tree | null> {
  let lost = false
  const tree = watchTree(folder.path, {
    ignored: (path, stats) => path !== folder.path && ignored(path, stats?.isFile() ?? false),
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    atomic: false,
  })
  tree.on('all', (event, path) => {
    if (event === 'unlinkDir' && path === folder.path) lost = true
    onChange()
  })
  try {
    await new Promise<void>((resolve, reject) => {
      tree.once('ready', resolve)
      tree.once('error', reject)
    })
  } catch {
    await tree.close()
    return null
  }
  tree.on('error', onChange)
  return { isLost: () => lost, close: () => tree.close() }
}

/**
 * The system says nothing of a folder that takes the place of a watched one, not even when it is the same that was away
 * for a moment. So the folder's own place is looked at, and watched anew.
 */
function holdOn(folder: FolderSettings, first: Tree, onChange: () => void): Watcher {
  let tree: Tree | null = first
  let place = placeOf(folder.path)
  let looking: Promise<void> | null = null
  let closed = false

  async function look() {
    const now = placeOf(folder.path)
    if (now === place && (now === null || (tree && !tree.isLost()))) return
    await tree?.close()
    tree = now === null ? null : await openTree(folder, onChange)
    place = now
    if (closed) await tree?.close()
    else onChange()
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null
    })
  }, lookEveryMs)
  return {
    by: 'events',
    async close() {
      closed = true
      clearInterval(timer)
      await looking
      await tree?.close()
    },
  }
}

function lookAgain(onChange: () => void): Watcher {
  const timer = setInterval(onChange, lookEveryMs)
  return { by: 'looking', close: async () => clearInterval(timer) }
}

const folders = new Set(neverIndexed.filter((glob) => !glob.includes('*')))
const ignoreFiles = new Set(['.gitignore', '.ignore', '.rgignore'])

function ignored(path: string, isFile: boolean): boolean {
  const name = basename(path)
  if (ignoreFiles.has(name)) return false
  return folders.has(name) || secretIn(isFile ? name : `${name}/`) !== null || (isFile && !isRead(path))
}
