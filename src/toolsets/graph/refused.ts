// The errors with which writing tools refuse a request.
import { join } from 'node:path'
import { withoutUri } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import { unindexedFoldersNotes } from '../../answer/notes/index-state.js'
import { fileOfRef, lastShownHash, type Reader } from '../../answer/shown-to-client.js'
import { lastSegment } from '../../graph/names.js'
import { Problem } from '../../model/problem.js'
import { didYouMean, nearest } from '../../text/nearest.js'
import { invalid, type NoteFile, present } from './files.js'
import { idOf, type Spot, spotNamed, spotOf, spotsCalled, type Vault } from './vaults.js'

export function requireVersion(spot: Spot, note: NoteFile, ifVersion: string | undefined) {
  if (ifVersion === undefined || ifVersion === note.hash) return
  throw conflict(`${idOf(spot)} is at version ${note.hash}, not at ${ifVersion.slice(0, 64)}.`)
}

/** Throws if the client that replaces or deletes a text last read an older version of it. One that never read it may. */
export function requireSeen(library: Library, spot: Spot, note: NoteFile, reader: Reader) {
  const file = fileOfRef(library, { source: spot.vault.source.id, path: spot.path })
  const seen = file === null ? undefined : lastShownHash(library, reader, file)
  if (seen === undefined || seen === note.hash) return
  throw conflict(`${idOf(spot)} has changed since you last read it.`)
}

export function exists(spot: Spot): Problem {
  return new Problem(
    'exists',
    `There is already a note at ${idOf(spot)}.`,
    'Choose another title. update_node changes the note that is there.',
  )
}

export function changedMeanwhile(spot: Spot): Problem {
  return conflict(`${idOf(spot)} was changed by somebody else.`)
}

/**
 * Refuses to delete by a decision's number. The next file with the number inherits it, so a retry would delete that file.
 */
export async function refuseUri(library: Library, vaults: readonly Vault[], uri: string) {
  const spot = spotOf(vaults, await withoutUri(library, uri))
  if (spot)
    throw invalid('A note is not deleted by such an address.', `Use its id: ${JSON.stringify(idOf(spot))}.`)
}

/** The error for `delete_node` with an alias instead of the note's id. */
export function aboutOther(vaults: readonly Vault[], id: string): string | null {
  if (!spotNamed(vaults, id)) return null
  const { message, hint } = missing(vaults, id)
  return `${message} ${hint}`
}

/** Refuses a new folder named like an alias of no vault: a mistyped alias would write into the wrong vault. */
export async function requireAlias(vaults: readonly Vault[], { vault, path }: Spot) {
  const [first = ''] = path.split('/')
  const colon = first.indexOf(':')
  if (colon < 1 || (await present(join(vault.folder.path, first)))) return
  const [alias, names] = [first.slice(0, colon), vaults.map(({ source }) => source.name)]
  throw invalid(
    `There is no vault "${alias.slice(0, 100)}".`,
    `There ${names.length === 1 ? 'is' : 'are'}: ${names.slice(0, 20).join(', ')}. For a new folder with a colon in its name, put its vault in front: "${vault.source.name}:${first.slice(0, 100)}".`,
  )
}

function conflict(sentence: string): Problem {
  const hint = 'Read it again with get_node, and repeat the change on what it says now. Nothing was changed.'
  return new Problem('conflict', sentence, hint)
}

/** Updates the index after a file was changed. Its error says that the file was changed all the same. */
export async function follow<T>(done: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(
      'provider_error',
      `${done}, but the index could not be brought up to date. ${error.message}`,
      'Do not repeat the call. When that is mended, a running server takes the change in by itself; without one, run "carrel index".',
      { cause: error },
    )
  }
}

const mostCompared = 2_000

/** The error for an unknown id. It suggests no other note if the file exists and is only not indexed yet. */
export async function notFound(library: Library, vaults: readonly Vault[], id: string): Promise<never> {
  const [unread] = await unindexedFoldersNotes(library)
  if (!unread) throw missing(vaults, id)
  throw new Problem('not_found', `There is no note "${id.slice(0, 100)}" in the index.`, unread.message)
}

export function missing(vaults: readonly Vault[], id: string): Problem {
  return new Problem(
    'not_found',
    `There is no note "${id.slice(0, 100)}".`,
    closest(vaults, id) ?? 'search finds notes by what they say. search_by_tags finds them by their tags.',
  )
}

/** A note that is read under a name need not be the one that is meant when it is changed. */
function closest(vaults: readonly Vault[], id: string): string | undefined {
  const read = spotNamed(vaults, id)
  if (read) return `Did you mean "${idOf(read)}"?`
  const called = spotsCalled(vaults, id).map((spot) => `"${idOf(spot)}"`)
  if (called.length > 0)
    return `Several notes are called that: ${called.slice(0, 5).join(', ')}${called.length > 5 ? ' …' : ''}. Give the id of one.`
  if (id.length > 200) return undefined
  const initial = lastSegment(id).slice(0, 1).toLowerCase()
  const starts = (name: string) => name.toLowerCase().startsWith(initial)
  const spots = vaults.flatMap((vault) => vault.graph.paths().map((path) => ({ vault, path })))
  const ids = spots.map(idOf).filter((known) => starts(lastSegment(known)))
  return didYouMean(id, ids.slice(0, mostCompared)) ?? closestTitle(spots, id, starts)
}

function closestTitle(spots: readonly Spot[], name: string, starts: (title: string) => boolean) {
  const titles = new Map<string, string>()
  for (const spot of spots) {
    const { title } = spot.vault.graph.notes.get(spot.path)!.facts
    if (starts(title) && titles.size < mostCompared && !titles.has(title)) titles.set(title, idOf(spot))
  }
  const title = nearest(name, titles.keys())
  return title === null ? undefined : `Did you mean "${titles.get(title)}" (${title})?`
}
