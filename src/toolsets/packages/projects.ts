// Several projects may share a data folder, and one package may be named by several of them, each with its own alias.
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../../answer/library.js'
import { lockSources } from '../../answer/source-records.js'
import type { Source } from '../../model/source.js'
import { type Location, packageId } from '../../sources/package/location.js'
import type { OpenedPackage } from '../../sources/package/open-package.js'
import { renameFileSync } from '../../sources/rename-file.js'
import { aliasesOf } from '../../store/configured.js'
import { listDataFolder, makeDataFolder, removeFromData } from '../../store/data-files.js'
import { lockFile } from '../../store/sqlite/file-lock.js'

/** The aliases in a package's row, with this project's added. */
export function namedHere({ settings }: Library, before: Source | undefined, alias: string) {
  return { ...(before ? aliasesOf(before) : {}), [settings.root]: alias }
}

/** This project no longer names the package. It leaves the index unless another one does. */
export function releasePackage(library: Library, id: string): Promise<void> {
  return lockSources(library, () => release(library, id))
}

async function release(library: Library, id: string): Promise<void> {
  const { whole, settings } = library
  const source = (await whole.sources()).find((row) => row.id === id)
  if (!source) return
  const named = Object.entries(aliasesOf(source))
  const others = named.filter(([root]) => root !== settings.root && existsSync(root))
  if (others.length === 0) {
    await whole.forgetSource(id)
    await removeFetched(library, id)
  } else if (others.length < named.length)
    await whole.putSource({
      ...source,
      name: others[0]![1],
      details: { ...source.details, aliases: Object.fromEntries(others) },
    })
}

/** Removes an alias of this project. */
export async function forgetAlias(library: Library, alias: string): Promise<void> {
  for (const { kind, name, id } of await library.store.sources())
    if (kind === 'package' && name === alias) await releasePackage(library, id)
}

/**
 * A mutex for changes of a context.json and its context.lock, among all processes that share the data folder. The user's own
 * file is also changed by projects with other data folders, so it has a lock file as well.
 */
export function lockContext<T>(library: Library, file: string, work: () => T): Promise<T> {
  const shared = file === library.settings.contexts.global
  return library.mutex.withLock('context files', async () => (shared ? lockFile(file, work) : work()))
}

// Where the files of packages are that are not read in place: each in a folder of its own in the data folder.

export function newFolder(library: Library): string {
  return realpathSync.native(mkdtempSync(join(makeDataFolder(library.settings.data, packages), beginning)))
}

const beginning = 'new-'
const packages = 'packages'

/** Replaces the fetched files of a package by new ones atomically. */
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

/** Removes files of former packages, and remains of killed processes. Only for a process that may index. */
export async function tidyFetched(library: Library): Promise<void> {
  const ids = new Set((await library.whole.sources()).map(({ id }) => id))
  const names = listDataFolder(library.settings.data, packages)
  for (const name of names)
    if (/^new-\w{1,12}$/.test(name) || (/^package-[0-9a-f]{12}$/.test(name) && !ids.has(name)))
      await removeFetched(library, name)
}

/** A folder that cannot be removed now goes with a later sync. */
async function removeFetched(library: Library, name: string): Promise<void> {
  try {
    removeFromData(library.settings.data, `${packages}/${name}`)
  } catch {}
}
