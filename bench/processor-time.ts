import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Of this process and those it started, where the system says so (in hundredths of a second). */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  const children = existsSync('/proc/self/stat')
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    : []
  return children.reduce((sum, pid) => sum + childMs(pid), (user + system) / 1000)
}

function childMs(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[1]) === process.pid ? (Number(fields[11]) + Number(fields[12])) * 10 : 0
  } catch {
    return 0
  }
}
