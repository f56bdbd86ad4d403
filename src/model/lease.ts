export interface LeaseHolder {
  id: string
  pid: number
  host: string
  /** What distinguishes the process from a later one with the same pid; absent where the system does not say. */
  start?: string
}

/**
 * A lease is lost when its holder is dead for sure, or when the holder did not renew it within its time to live. Each
 * process measures that time on a clock of its own that nobody sets; the time of day decides nothing.
 */
export interface LeaseStore {
  /** Takes or renews a lease. Null when taken; otherwise who has it. `gone` says whether a holder is dead for sure. */
  take(
    name: string,
    holder: LeaseHolder,
    ttlMs: number,
    gone?: (holder: LeaseHolder) => boolean,
  ): Promise<LeaseHolder | null>
  release(name: string, holderId: string): Promise<void>
  /** Who has it now, if it has not run out. */
  holder(name: string): Promise<LeaseHolder | null>
}
