// Who else has a file open. Linux tells; where nothing is told, nobody is named.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'

/** The other processes that have a file open, each as `1234 (node carrel.mjs serve)`. */
export function processesWith(file: string): string[] {
  const pids = orNone(() => readdirSync('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )
  const paths = orNone(() => [realpathSync.native(file)])
  return pids.filter((pid) => paths.some((path) => hasOpen(pid, path))).map(described)
}

// Those of other people cannot be looked into, and any may end while it is.
function hasOpen(pid: string, path: string): boolean {
  const handles = orNone(() => readdirSync(`/proc/${pid}/fd`))
  return handles.some((handle) => orNone(() => [readlinkSync(`/proc/${pid}/fd/${handle}`)])[0] === path)
}

// Up to the first option: what follows may be nobody's business.
function described(pid: string): string {
  const words = orNone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'))
  const end = words.findIndex((word) => word === '' || word.startsWith('-'))
  const command = words.slice(0, end === -1 ? undefined : end).map((word) => basename(word))
  return command.length > 0 ? `${pid} (${command.join(' ')})` : pid
}

function orNone(read: () => string[]): string[] {
  try {
    return read()
  } catch {
    return []
  }
}
