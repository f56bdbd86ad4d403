// Names of files and folders that are on their way into the data folder. A name says which process it belongs to.
import { createHash, randomBytes } from 'node:crypto'
import { isGone, thisHost, thisProcess } from '../../ingest/process-identity.js'

const own = thisProcess()
const ownPrefix = `new-${own.pid}-${short(own.host)}-${own.start === undefined ? '0' : short(own.start)}`

export function inFlightName(): string {
  return `${ownPrefix}-${randomBytes(6).toString('hex')}`
}

export interface InFlightOwner {
  /** Whether the process has ended for sure. Of another machine's process that is not known. */
  isGone(): boolean
}

const form = /^new-(\d+)-([0-9a-f]{8})-(0|[0-9a-f]{8})-[0-9a-f]{12}(?:-copy)?$/
/** Names that earlier versions gave, by process id and time. */
const earlier = /^new-(\d+)-\d+-\d+(?:-copy)?$/

/** Null for a name that is not of this form. */
export function ownerOfInFlight(name: string): InFlightOwner | null {
  const before = earlier.exec(name)
  if (before) return { isGone: () => isGone({ pid: Number(before[1]), host: thisHost() }) }
  const [, pid, host, start] = form.exec(name) ?? []
  if (pid === undefined) return null
  return {
    isGone: () =>
      host === short(thisHost()) &&
      isGone({ pid: Number(pid), host: thisHost(), ...(start === '0' ? {} : { start: start! }) }, short),
  }
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
