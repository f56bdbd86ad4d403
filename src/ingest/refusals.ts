// Files that could not be taken, remembered with how they looked: a file that takes the full time limit to fail would
// otherwise cost that much on every run. A changed file, or `--force`, is tried again.
import type { Stamp } from '../model/document.js'
import type { Store } from '../store/port.js'

export type Refusals = Record<string, Refusal>

interface Refusal extends Stamp {
  state: 'skipped' | 'failed'
  reason: string
}

const kind = '~refusals'
const most = 5000

export async function recall(store: Store, source: string): Promise<Refusals> {
  return (await store.records.get<Refusals>(kind, source)) ?? {}
}

export async function remember(
  store: Store,
  source: string,
  refused: readonly (Refusal & { path: string })[],
) {
  if (refused.length === 0) return
  await store.records.update<Refusals>(kind, source, (before) => {
    const all = { ...before }
    for (const { path, ...refusal } of refused) all[path] = refusal
    return Object.fromEntries(Object.entries(all).slice(-most))
  })
}

export async function forgetRefusals(store: Store, source: string) {
  await store.records.delete(kind, source)
}
