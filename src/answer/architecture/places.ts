// Which files are guidelines, patterns and decisions: by where they lie.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../model/problem.js'
import type { ArchitectureSettings } from '../../model/settings.js'
import { fileStem, isNumbered, stemOf } from '../../parse/adr/file-names.js'
import { cleanPath, isGlob, mayLieBelow, pathMatcher, staticPart } from '../../text/glob.js'
import { type Library, libraryState, placeOf } from '../library.js'
import { emptyIndexSentence, unindexedFoldersNotes } from '../notes/index-state.js'

export const kinds = ['guidelines', 'patterns', 'adr'] as const
export type Kind = (typeof kinds)[number]

/** Other names of a kind. */
export const otherNames: Readonly<Record<Kind, readonly string[]>> = {
  guidelines: ['guideline'],
  patterns: ['pattern'],
  adr: ['adrs', 'decision', 'decisions'],
}

/** The kind by any of its names: `pattern` is `patterns`. */
export function kindNamed(name: string): Kind | null {
  const lower = name.toLowerCase()
  return kinds.find((kind) => kind === lower || otherNames[kind].includes(lower)) ?? null
}

const usual: ArchitectureSettings = {
  guidelines: ['mcp/resources/guidelines'],
  patterns: ['mcp/resources/patterns'],
  adr: [
    'mcp/resources/adr',
    'docs/adr',
    'docs/adrs',
    'doc/adr',
    'docs/decisions',
    'docs/architecture/decisions',
    'adr',
    'adrs',
    'doc/adrs',
    'doc/decisions',
    'doc/architecture/decisions',
    'docs/architecture/adr',
    'docs/architecture/adr-*.md',
    'architecture/decisions',
    'docs/architecture-decisions',
    'docs/architecture-decision-records',
    'docs/decision-records',
    'docs/developer/decision-records',
    'docs/developer/adr',
    'docs/dev/adr',
    'docs/design/adr',
    'src/adr',
    'architecture-decision-record',
    'architecture-decision-records',
  ],
}

export interface Place {
  kind: Kind
  /** Without wildcards. */
  folder: string
  /** The pattern of its files, from the root. */
  pattern: string
}

export interface Places {
  listed: readonly Place[]
  /** The kind and name of a document by its path; null if it is no document of architecture. */
  of(path: string): { kind: Kind; name: string } | null
  /** Whether an unreadable folder may contain such documents. */
  mayLieBelow(folder: string): boolean
  /** The folders to look in, without wildcards. */
  folders: string[]
}

/** Those of a library. */
export const placesOf = libraryState('architecture places', ({ settings }) => places(settings.architecture))

/** The folders everybody has, and those that the configuration adds. */
export function places(settings: ArchitectureSettings | undefined): Places {
  const listed = kinds.flatMap((kind) => {
    const own = [...usual[kind], ...(settings?.[kind] ?? [])].map(cleanPath)
    return own.map((one) => {
      const pattern = below(one)
      return { kind, folder: staticPart(one), pattern, is: pathMatcher([pattern]) }
    })
  })
  return {
    listed,
    mayLieBelow: (folder) =>
      mayLieBelow(
        folder,
        listed.map(({ pattern }) => pattern),
      ),
    folders: [...new Set(listed.map(({ folder }) => folder))],
    of(path) {
      if (!/\.(?:md|markdown)$/i.test(path)) return null
      const plain = path.normalize('NFC')
      const found = listed.find(({ folder, is }) => plain.startsWith(folder.normalize('NFC')) && is(path))
      return found && !isAuxiliary(path) ? { kind: found.kind, name: nameOf(path, found) } : null
    },
  }
}

function below(pattern: string): string {
  return isGlob(pattern) && /\.(?:md|markdown|\*)$/i.test(pattern) ? pattern : `${pattern}/**`
}

// Templates and tables of contents are in the same folders, but are no documents. Other templates of decisions: see
// kinds.ts.
function isAuxiliary(path: string): boolean {
  return !isNumbered(stemOf(path)) && /^(?:readme|index|_?(?:[a-z-]*adr-?)?template)$/i.test(fileStem(path))
}

// A decision is called by its number, which is read from its text as well: see documents.ts.
function nameOf(path: string, { folder }: { folder: string }): string {
  return path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.(?:md|markdown)$/i, '')
}

/** Says why no document of a kind (null: of any kind) is indexed, and how to change that. */
export async function noneIndexed(library: Library, kind: Kind | null): Promise<Note> {
  const { documents } = await library.store.counts()
  const what = kind === null ? 'guidelines, patterns or decisions' : kind === 'adr' ? 'decisions' : kind
  const where = kind === 'adr' ? 'docs/adr and its like' : 'mcp/resources and in docs/adr and its like'
  const unread = foldersOutside(library, kind)
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

/** A hint on how to add the first document of a kind. */
export function howToAdd(library: Library, kind: Kind): string {
  const unread = foldersOutside(library, kind)
  if (unread) return `None is indexed. ${unread}`
  const place = kind === 'adr' ? 'decisions lie in docs/adr' : `put Markdown files into mcp/resources/${kind}`
  const isRead = isInSource(library, kind === 'adr' ? 'docs/adr' : `mcp/resources/${kind}`)
  const later = isRead ? '' : ' A server that runs sees a new folder when it starts again.'
  return `None is indexed: ${place}, and "carrel index" reads them.${later}`
}

/** A sentence on folders of this kind that exist but are in no source; null if there are none. */
function foldersOutside(library: Library, kind: Kind | null): string | null {
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
