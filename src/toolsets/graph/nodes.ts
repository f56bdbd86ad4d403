// Builds the nodes that tools return: a note's text, tags, links with titles, and warnings.

import { type Library, libraryState } from '../../answer/library.js'
import { fileOfRef, type Reader, recordShown } from '../../answer/shown-to-client.js'
import { bodyStart } from '../../graph/frontmatter.js'
import { type GraphNote, linkWarnings } from '../../graph/graph.js'
import { shown } from '../../graph/written.js'
import type { Link } from '../../model/document.js'
import { readFrontmatter } from '../../parse/frontmatter.js'
import { truncate, truncationMark, wholeCharacters } from '../../text/truncate.js'
import { idOf, type Spot, type Vault } from './vaults.js'

export interface Node {
  id: string
  title: string
  content: string
  tags: string[]
  links: { id: string; title: string }[]
}

/** `version` is the hash of the file's bytes; `if_version` is compared with it. */
export type Versioned = Node & { version: string; frontmatter?: Record<string, unknown>; warnings: string[] }

export const contentLimits = { single: 10_000, list: 500, neighbour: 200 } as const

/** How much of a note's text a node contains, and which client gets it. */
export interface ContentOptions {
  /** In characters. Null: no text. */
  limit: number | null
  reader?: Reader | undefined
}

/** A node from the index; null when the note was deleted in the meantime. */
export async function nodeAt(
  library: Library,
  spot: Spot,
  { limit, reader }: ContentOptions,
  alone = false,
): Promise<Node | null> {
  const note = spot.vault.graph.notes.get(spot.path)
  if (!note) return null
  const stored = limit === null ? null : await storedAt(library, spot)
  if (limit !== null && !stored) return null
  const text = stored?.text ?? ''
  const start = bodyStart(text)
  const content = truncate(text.slice(start), limit ?? 0)
  const file = stored && fileOfRef(library, stored.ref)
  const stretch = { start, end: start + shownOf(text.length - start, content) }
  if (stored && file) recordShown(library, reader, { file, hash: stored.hash, whole: alone, shown: stretch })
  return {
    id: idOf(spot),
    title: note.facts.title,
    content,
    tags: [...note.facts.tags],
    links: linksOf(spot.vault, note),
  }
}

/** How many characters of the body the truncated content has. */
function shownOf(length: number, content: string): number {
  return content.length === length ? length : Math.max(0, content.length - truncationMark.length)
}

/** A single node has its version, and the warnings that were not returned since the file was last read. */
export async function singleNode(
  library: Library,
  spot: Spot,
  { limit = contentLimits.single, reader }: Partial<ContentOptions> = {},
): Promise<Versioned | null> {
  const node = await nodeAt(library, spot, { limit, reader }, true)
  const known = spot.vault.known.get(spot.path)
  if (!node || !known) return null
  const fields = limit === null ? null : await frontmatterAt(library, spot)
  const warnings = warningsOnce(library, spot)
  return { ...node, version: known.hash, ...(fields && { frontmatter: fields }), warnings }
}

// As long as the content of a listed note: some programs keep whole tables in the frontmatter.
const mostFrontmatter = 2_000

/** The fields of the frontmatter besides title and tags, which a node has anyway; null when there are none. */
async function frontmatterAt(library: Library, spot: Spot): Promise<Record<string, unknown> | null> {
  const text = await textAt(library, spot)
  const shown: [string, unknown][] = []
  let room = mostFrontmatter
  for (const [name, value] of Object.entries((text && readFrontmatter(text)?.fields) || {})) {
    if (ownFields.has(name)) continue
    room -= JSON.stringify([name, value]).length
    if (room < 0) break
    shown.push([name, value])
  }
  return shown.length > 0 ? Object.fromEntries(shown) : null
}

const ownFields: ReadonlySet<string> = new Set(['title', 'tags', 'tag'])

export async function textAt(library: Library, spot: Spot): Promise<string | null> {
  return (await storedAt(library, spot))?.text ?? null
}

function storedAt({ store }: Library, { vault, path }: Spot) {
  return store.document({ source: vault.source.id, path })
}

function linksOf(vault: Vault, { out }: GraphNote): Node['links'] {
  return out.map((path) => ({
    id: idOf({ vault, path }),
    title: vault.graph.notes.get(path)?.facts.title ?? path,
  }))
}

/** By note id: the version and the warnings when the note was last returned. */
const shownWarnings = libraryState(
  'shown warnings',
  () => new Map<string, { hash: string; warnings: ReadonlySet<string> }>(),
)

/** A link may break without a change of the note that contains it, so each warning is remembered separately. */
function warningsOnce(library: Library, spot: Spot): string[] {
  const shown = shownWarnings(library)
  const [id, { hash }] = [idOf(spot), spot.vault.known.get(spot.path)!]
  const [before, warnings] = [shown.get(id), warningsOf(spot)]
  shown.set(id, { hash, warnings: new Set(warnings) })
  return before?.hash === hash ? warnings.filter((one) => !before.warnings.has(one)) : warnings
}

function warningsOf({ vault, path }: Spot): string[] {
  const { broken, ambiguous } = linkWarnings(vault.graph.notes.get(path)!)
  const all = [
    ...broken.map((link) => `Broken link: ${shown(link)}`),
    ...ambiguous.map(({ link, paths }) => {
      const ids = paths.slice(0, 5).map((one) => idOf({ vault, path: one }))
      return `Ambiguous link: ${shown(link)} could be ${ids.join(', ')}${paths.length > 5 ? ' …' : ''}; it is taken as the first.`
    }),
    ...vault.known.get(path)!.notes.map(({ message }) => message),
  ]
  return [...new Set(all)].slice(0, mostWarnings)
}

const mostWarnings = 50
const contextChars = 200

/** The sentence around a link, on one line. */
export function sentenceAround(text: string, { start, end }: Link): string {
  const before = /(?:^|[\r\n]|[.!?。！？](?=\s|$)|[。！？])((?:(?![.!?]\s)[^\r\n。！？])*)$/u.exec(
    text.slice(Math.max(0, start - 400), start),
  )
  const after = /^(?:(?![.!?](?:\s|$))[^\r\n。！？])*[.!?。！？]?/u.exec(text.slice(end, end + 400))
  const head = (before?.[1] ?? '').trimStart()
  const link = text.slice(start, end)
  const tail = after?.[0] ?? ''
  const room = Math.max(0, contextChars - link.length)
  const beginning =
    head.length > room * 0.6 && head.length + tail.length > room
      ? lastCharacters(head, Math.floor(room * 0.6))
      : head
  return truncate((beginning + link + tail).replace(/\s+/g, ' ').trim(), contextChars, '…')
}

function lastCharacters(text: string, most: number): string {
  const cut = text.length - most
  return `…${text.slice(wholeCharacters(text, cut).length)}`
}
