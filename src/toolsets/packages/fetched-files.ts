// Where the files of packages are that are not read in place: each in a folder of its own in the data folder.
import { mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../../answer/library.js'
import { type Location, packageId } from '../../sources/package/location.js'
import type { OpenedPackage } from '../../sources/package/open-package.js'
import { renameFileSync } from '../../sources/rename-file.js'
import { listDataFolder, makeDataFolder, removeFromData } from '../../store/data-files.js'

export function newFolder(library: Library): string {
  return realpathSync.native(mkdtempSync(join(makeDataFolder(library.settings.data, packages), beginning)))
}

const beginning = 'new-'
const packages = 'packages'

/** What was fetched takes the place of what was fetched before, in one step. */
export function keepFetched(
  library: Library,
  location: Location,
  opened: OpenedPackage,
  folder: string,
): OpenedPackage {
  if ((location.kind === 'folder' || location.kind === 'manifest') && !opened.onWeb) return opened
  const home = homeOf(library, location)
  removeFromData(library.settings.data, `${packages}/${packageId(location)}`)
  renameFileSync(folder, home)
  const moved = (path: string) => (path.startsWith(folder) ? home + path.slice(folder.length) : path)
  const items = opened.listing.items.map((item) =>
    item.at ? { ...item, at: { ...item.at, root: moved(item.at.root) } } : item,
  )
  return { ...opened, root: moved(opened.root), listing: { ...opened.listing, items } }
}

export function homeOf(library: Library, location: Location): string {
  return join(realpathSync.native(makeDataFolder(library.settings.data, packages)), packageId(location))
}

/** Takes away what belongs to no package any more, and what a killed process began. Only for who may index. */
export async function tidyFetched(library: Library): Promise<void> {
  const ids = new Set((await library.whole.sources()).map(({ id }) => id))
  const names = listDataFolder(library.settings.data, packages)
  for (const name of names)
    if (/^new-\w{1,12}$/.test(name) || (/^package-[0-9a-f]{12}$/.test(name) && !ids.has(name)))
      await removeFetched(library, name)
}

/** A folder that cannot be removed now goes with a later sync. */
export async function removeFetched(library: Library, name: string): Promise<void> {
  try {
    removeFromData(library.settings.data, `${packages}/${name}`)
  } catch {}
}
