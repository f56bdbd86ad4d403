// Notices that something in a folder changed. What changed is found by listing it again: that is quick, and right for
// bursts, renames and atomic saves alike, where single events mislead.
import { basename } from 'node:path'
import { watch as watchTree } from 'chokidar'
import type { FolderSettings } from '../model/settings.js'
import { neverIndexed } from '../sources/folder.js'
import { secretIn } from '../sources/secret-files.js'
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
  if (files > mostWatched) return lookAgain(onChange)
  const tree = watchTree(folder.path, {
    ignored: (path, stats) => path !== folder.path && ignored(path, stats?.isFile() ?? false),
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    atomic: false,
  })
  tree.on('all', onChange)
  try {
    await new Promise<void>((resolve, reject) => {
      tree.once('ready', resolve)
      tree.once('error', reject)
    })
  } catch {
    // Most often the system's limit of watches (ENOSPC): looking always works.
    await tree.close()
    return lookAgain(onChange)
  }
  tree.on('error', onChange)
  return { by: 'events', close: () => tree.close() }
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
  return folders.has(name) || secretIn(name) !== null || (isFile && !isRead(path))
}
