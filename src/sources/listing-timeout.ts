// Detects a listing that hangs. ripgrep opens anything named like an ignore file; if that is a pipe, it waits for a
// writer for ever. So after a while without output we look for such a pipe. A slow disk gets more time.
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../model/problem.js'

const untilLook = 5_000
const mostSilence = 300_000

export interface Listening {
  /** Call it when the listing printed something. */
  restart(): void
  /** Call it when the listing ended. */
  over(): void
}

/** Calls `stop` once if the listing will never end. */
export function listenTo(folder: string, obeysIgnoreFiles: boolean, stop: (why: Problem) => void): Listening {
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looked = !obeysIgnoreFiles
  const restart = () => {
    clearTimeout(timer)
    if (end.signal.aborted) return
    timer = looked ? setTimeout(() => stop(silent(folder)), mostSilence) : setTimeout(look, untilLook)
  }
  const look = async () => {
    looked = true
    const path = await endlessIn(folder, end.signal)
    if (path !== null && !end.signal.aborted) stop(blocked(folder, path))
    else restart()
  }
  restart()
  return {
    restart,
    over() {
      end.abort()
      clearTimeout(timer)
    },
  }
}

function blocked(folder: string, path: string): Problem {
  return new Problem(
    'list_failed',
    `The files of ${folder} could not be listed: ${path} is a pipe or a device, not a file with patterns.`,
    'Take it away or put a file in its place.',
  )
}

function silent(folder: string): Problem {
  return new Problem(
    'list_failed',
    `The files of ${folder} could not be listed: nothing was heard of them for ${mostSilence / 60_000} minutes.`,
    'Check that the disk answers; "carrel doctor" looks at the folder.',
  )
}

const ignoreFiles = new Set(['.gitignore', '.ignore', '.rgignore'])
const notEntered = new Set(['.git', 'node_modules'])

/** The first ignore file in the folder that is a pipe or device. */
async function endlessIn(root: string, signal: AbortSignal): Promise<string | null> {
  const folders = ['']
  for (let at = folders.shift(); at !== undefined && !signal.aborted; at = folders.shift()) {
    const entries = await readdir(join(root, at), { withFileTypes: true }).catch((): Dirent[] => [])
    const names = entries.filter((entry) => ignoreFiles.has(entry.name)).map(({ name }) => name)
    if (entries.some(({ name }) => name === '.git')) names.push('.git/info/exclude')
    for (const name of names) if (await isEndless(join(root, at, name))) return join(at, name)
    for (const entry of entries)
      if (entry.isDirectory() && !notEntered.has(entry.name)) folders.push(join(at, entry.name))
  }
  return null
}

async function isEndless(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && (found.isFIFO() || found.isCharacterDevice())
}
