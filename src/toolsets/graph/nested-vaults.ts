// Where one source lies inside another, a file is a note of both. It is renamed and deleted in the widest, which knows most
// of the links to it, and read into the others then.
import { isAbsolute, join, relative, sep } from 'node:path'
import type { Library } from '../../answer/library.js'
import { ingestFiles } from '../../ingest/ingest-files.js'
import { filesRun } from './current.js'
import { isIndexableNow } from './indexable.js'
import { follow } from './refused.js'
import { idOf, refreshVaults, type Spot, type Vault } from './vaults.js'

/** The same note in the widest folder. */
export async function widest(library: Library, vaults: readonly Vault[], spot: Spot): Promise<Spot> {
  await takeInAll(library, vaults, spot)
  const width = ({ vault }: Spot) => vault.folder.path.length
  return twinsOf(vaults, spot).reduce<Spot>((so, twin) => (width(twin) < width(so) ? twin : so), spot)
}

/** Reads a note's file into all other folders that it is in and that do not know it yet. */
export async function takeInAll(library: Library, vaults: readonly Vault[], spot: Spot) {
  for (const vault of vaults) {
    const path = vault === spot.vault ? null : pathOf(vault, spot)
    if (path !== null && !vault.graph.notes.has(path)) await isIndexableNow(library, { vault, path })
  }
  await refreshVaults(library)
}

/** The same note in all other folders. */
export function twinsOf(vaults: readonly Vault[], spot: Spot): Spot[] {
  return vaults.flatMap((vault) => {
    const path = vault === spot.vault ? null : pathOf(vault, spot)
    return path !== null && vault.graph.notes.has(path) ? [{ vault, path }] : []
  })
}

/** A file of one vault as another has it. */
function pathOf(vault: Vault, { vault: { folder }, path }: Spot): string | null {
  const found = relative(vault.folder.path, join(folder.path, path)).split(sep).join('/')
  return found.split('/')[0] === '..' || isAbsolute(found) ? null : found
}

/** How a note stood to others in a vault before it was renamed in another. */
export interface Before {
  twin: Spot
  from: readonly string[]
}

export function beforeOf(twins: readonly Spot[]): Before[] {
  return twins.map((twin) => ({ twin, from: [...twin.vault.graph.incoming(twin.path)].sort() }))
}

/** Reads changed files of a vault into the others; gives the note there, under its new name. */
export async function readTwins(
  library: Library,
  before: readonly Before[],
  { vault, to, changed }: { vault: Vault; to: string; changed: readonly string[] },
): Promise<{ spots: Spot[]; warnings: string[] }> {
  for (const { twin } of before) {
    const paths = [...changed, to].flatMap((path) => pathOf(twin.vault, { vault, path }) ?? [])
    const run = filesRun(library, twin.vault)
    await follow(`${idOf(twin)} was changed`, () => ingestFiles(library, run, [...new Set(paths)]))
  }
  if (before.length > 0) await refreshVaults(library)
  const now = before.flatMap(({ twin, from }) => {
    const path = pathOf(twin.vault, { vault, path: to })
    return path === null ? [] : [{ spot: { vault: twin.vault, path }, old: twin.path, from }]
  })
  return { spots: now.map(({ spot }) => spot), warnings: now.flatMap(lostBy) }
}

// A link may mean one note in the one folder and another in the other: it cannot be rewritten for both.
function lostBy({ spot, old, from }: { spot: Spot; old: string; from: readonly string[] }): string[] {
  const { graph, source } = spot.vault
  const lost = from.filter((path) => path !== old && !graph.notes.get(path)?.out.includes(spot.path))
  if (lost.length === 0) return []
  const some = lost.slice(0, 5).map((path) => idOf({ vault: spot.vault, path }))
  const more = lost.length > some.length ? ' …' : ''
  return [`Links that meant it in ${source.name} alone no longer lead to it: see ${some.join(', ')}${more}.`]
}
