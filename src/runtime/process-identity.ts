// Which process is meant by a pid: the machine (or sandbox) the pid belongs to, and when the process was started. A pid
// alone is given to other processes after its own has ended.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  pid: number
  host: string
  /** What no later process with the same pid has. Absent where the system does not tell. */
  start?: string
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, host: thisHost(), ...(ownStart === null ? {} : { start: ownStart }) }
}

/** Where process ids mean what they mean here: a sandbox has the name of its machine, but ids of its own. */
export function thisHost(): string {
  return `${hostname()}${sandbox}`
}

/**
 * Whether a process of this machine has ended. Of another machine's process nothing is known: false. `form` is applied
 * to the start of the process that has the pid now, for callers that keep a short form of it.
 */
export function isGone({ pid, host, start }: ProcessIdentity, form = (text: string) => text): boolean {
  if (host !== thisHost()) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  const now = start === undefined ? null : startOf(pid)
  return now !== null && form(now) !== start
}

// Linux gives the processes of the machine itself this one.
const outermost = 'pid:[4026531836]'
const sandbox = idsOf('/proc/self/ns/pid')

function idsOf(link: string): string {
  try {
    const ids = readlinkSync(link)
    return ids === outermost ? '' : ` ${ids}`
  } catch {
    return ''
  }
}

const ownStart = startOf(process.pid)

/** The boot of the machine and the clock tick the process was started in; null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets, which may have blanks and brackets in it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks ? `${boot} ${ticks}` : null
  } catch {
    return null
  }
}
