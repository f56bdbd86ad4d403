import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Of this process and those it started, where the system says so (in hundredths of a second). */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  const children = existsSync('/proc/self/stat')
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    : []
  return children.reduce((sum, pid) => sum + childMs(pid), (user + system) / 1000)
}

/** Of the processes that this one started and that are over. Each alone is off by as much as 10 ms; their sum is not. */
export function endedMs(): number {
  try {
    const fields = fieldsOf('self')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return Number.NaN
  }
}

/** Of the main thread of a process, which does the work that its first answer waits for. */
export function mainThreadMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

function childMs(pid: string): number {
  try {
    const fields = fieldsOf(pid)
    return Number(fields[1]) === process.pid ? (Number(fields[11]) + Number(fields[12])) * 10 : 0
  } catch {
    return 0
  }
}

function fieldsOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
