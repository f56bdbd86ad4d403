// Several projects may share a data folder, and one package may be named by several of them, each with its own alias.
import { existsSync } from 'node:fs'
import type { Library } from '../../answer/library.js'
import { lockSources } from '../../answer/source-records.js'
import type { Source } from '../../model/source.js'
import { aliasesOf } from '../../store/configured.js'
import { removeFetched } from './fetched-files.js'

/** What a package's row remembers of those that name it, once this project does so too. */
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

/** Nothing goes by this alias in this project any more. */
export async function forgetAlias(library: Library, alias: string): Promise<void> {
  for (const { kind, name, id } of await library.store.sources())
    if (kind === 'package' && name === alias) await releasePackage(library, id)
}
