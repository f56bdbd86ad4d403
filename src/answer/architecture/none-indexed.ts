// Why there is nothing of a kind to answer from, and what to do about it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../model/problem.js'
import type { Library } from '../library.js'
import { emptyIndexSentence } from '../notes/empty-index.js'
import { unindexedFoldersNotes } from '../notes/unindexed-folders.js'
import { placeOf } from '../project-places.js'
import { type Kind, places } from './places.js'

/** Null: of any kind. */
export async function noneIndexed(library: Library, kind: Kind | null): Promise<Note> {
  const { documents } = await library.store.counts()
  const what = kind === null ? 'guidelines, patterns or decisions' : kind === 'adr' ? 'decisions' : kind
  const where = kind === 'adr' ? 'docs/adr and its like' : 'mcp/resources and in docs/adr and its like'
  const unread = unindexedFolders(library, kind)
  if (documents === 0 && unread === null)
    return { code: 'unread', message: await emptyIndexSentence(library) }
  const about = await unindexedFoldersNotes(library)
  const message = [
    `No ${what} are indexed: they are looked for in ${where}.`,
    ...(unread ? [unread] : []),
    ...about.map((note) => note.message),
  ].join(' ')
  return { code: unread || about.length > 0 ? 'unread' : 'none_indexed', message }
}

/** What to do where there is none of a kind, as a hint that works. */
export function howToAdd(library: Library, kind: Kind): string {
  const unread = unindexedFolders(library, kind)
  if (unread) return `None is indexed. ${unread}`
  const place = kind === 'adr' ? 'decisions lie in docs/adr' : `put Markdown files into mcp/resources/${kind}`
  const isRead = isInSource(library, kind === 'adr' ? 'docs/adr' : `mcp/resources/${kind}`)
  const later = isRead ? '' : ' A server that runs sees a new folder when it starts again.'
  return `None is indexed: ${place}, and "carrel index" reads them.${later}`
}

/** Folders that are there for this and that no source has; null when there are none. */
function unindexedFolders(library: Library, kind: Kind | null): string | null {
  const { root, architecture } = library.settings
  const wanted = places(architecture).listed.filter((one) => kind === null || one.kind === kind)
  const unread = [...new Set(wanted.map(({ folder }) => folder))].filter(
    (folder) => folder !== '' && isFolder(join(root, folder)) && !isInSource(library, folder),
  )
  if (unread.length === 0) return null
  const [are, they, them] = unread.length === 1 ? ['is', 'it', 'it'] : ['are', 'they', 'them']
  const rest = `start the server again if ${they} ${are} new, else add ${them} to "sources" in carrel.json.`
  return `${unread.slice(0, mostNamed).join(', ')} ${are} there, but no source has ${them}: ${rest}`
}

const mostNamed = 5

function isInSource(library: Library, folder: string): boolean {
  return library.sources.some((source) => {
    const place = placeOf(library, source)
    return place !== null && (place === '' || folder === place || folder.startsWith(`${place}/`))
  })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}
