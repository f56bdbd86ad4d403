// Files that could not be taken, remembered with how they looked: a file that takes the full time limit to fail would
// otherwise cost that much on every run. A changed file, one that may take longer now, or `--force`, is tried again.
import type { Stamp } from '../model/document.js'
import type { Limits } from '../model/settings.js'
import { looksSame } from '../sources/safe-file.js'
import type { Store } from '../store/port.js'
import type { Refused } from './task.js'

export type Refusals = Record<string, Refusal>

type Refusal = Stamp & Omit<Refused, 'passing'>

const kind = '~refusals'
const most = 5000

export async function recall(store: Store, source: string): Promise<Refusals> {
  return (await store.records.get<Refusals>(kind, source)) ?? {}
}

/** The refusal that still holds: the file looks the same, and may not take longer than it did. */
export function stillRefused(
  refusals: Refusals,
  { path, stamp }: { path: string; stamp: Stamp },
  { fileMs }: Limits,
): Refusal | null {
  const refusal = refusals[path]
  if (!refusal || !looksSame(stamp, refusal)) return null
  return fileMs > (refusal.givenMs ?? fileMs) ? null : refusal
}

export async function remember(
  store: Store,
  source: string,
  refused: readonly { path: string; stamp: Stamp; reading: Refused }[],
) {
  if (refused.length === 0) return
  await store.records.update<Refusals>(kind, source, (before) => {
    const all = { ...before }
    for (const { path, stamp, reading } of refused) {
      const { state, reason, givenMs } = reading
      all[path] = { ...stamp, state, reason, givenMs }
    }
    return Object.fromEntries(Object.entries(all).slice(-most))
  })
}

export async function forgetRefusals(store: Store, source: string) {
  await store.records.delete(kind, source)
}
