// Keeps notes current: files that changed on disk are read again before a note is shown or changed.
import type { Library } from '../../answer/library.js'
import { rereadAll } from '../../ingest/reread.js'
import { withTimeout } from '../../runtime/timeout.js'
import { recoverRenames } from './journal.js'
import { refreshVaults, restampNote, type Spot, type Vault } from './vaults.js'

/**
 * Finishes renames that a killed process left half done, then refreshes the vaults. A rename with thousands of links takes
 * longer than a reader should wait: it then goes on in the background, and the answer shows the files as they are.
 */
export async function recoverAndRefresh(library: Library): Promise<readonly Vault[]> {
  await finishRenames(library)
  return refreshVaults(library)
}

/**
 * Finishes or undoes renames that a killed process left, for two seconds at most. The rest goes on behind the caller, and
 * the library closes after it.
 */
export async function finishRenames(library: Library): Promise<void> {
  await withTimeout(recoveryTimeoutMs, undefined, () => recoverRenames(library))
}

const recoveryTimeoutMs = 2_000

const rounds = 3

/** Picks notes, indexes those again whose files changed, and then picks once more: others may have been added. */
export async function refreshAndPick<T extends Spot>(
  library: Library,
  pick: (vaults: readonly Vault[]) => T[] | Promise<T[]>,
): Promise<T[]> {
  let picked = await pick(await recoverAndRefresh(library))
  for (let round = 0; round < rounds && (await refresh(library, picked)); round++)
    picked = await pick(await refreshVaults(library))
  return picked
}

/** Reads files again whose bytes are not those that were indexed, even where they look the same. */
export async function readAgain(library: Library, spots: readonly Spot[]): Promise<void> {
  await refresh(library, spots, { byBytes: true })
}

/** True when the vaults are not as they were. */
async function refresh(library: Library, spots: readonly Spot[], { byBytes = false } = {}): Promise<boolean> {
  const files = [...new Map(spots.map((spot) => [spot.vault.known.get(spot.path), spot]))].flatMap(
    ([known, { vault, path }]) => (known ? { ...filesRun(library, vault), vault, path, known } : []),
  )
  const toRead = byBytes ? files.map((file) => ({ ...file, known: { ...file.known, stamp: null } })) : files
  const seen = await rereadAll(library, toRead)
  // A file that was only touched does not change the store's version, so its new stamp is kept here.
  for (const [i, one] of seen.entries())
    if (one.state === 'same' && one.seen) restampNote(library, files[i]!, one.seen)
  return seen.some(({ state }) => state === 'replaced' || state === 'forgotten')
}

export function filesRun(library: Library, vault: Vault) {
  return { source: vault.source.id, folder: vault.folder, limits: library.settings.limits }
}
