// The documents of architecture among all that is indexed, by the addresses they go by here.

import type { DocumentSummary, StoredDocument } from '../../model/document.js'
import { type Note, Problem } from '../../model/problem.js'
import { type Ref, refKey, type Source } from '../../model/source.js'
import type { Adr, AdrReading } from '../../parse/adr/adr.js'
import { supersessionOf } from '../../parse/adr/supersession.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import { nearest } from '../../text/nearest.js'
import { longestTitle, oneLine } from '../../text/one-line.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import { cachedPerIndexVersion, type Library, placeOf } from '../library.js'
import { unindexedFoldersNotes } from '../notes/index-state.js'
import { refresh } from '../refresh.js'
import { decisionReadings } from './decision-readings.js'
import { howToAdd, type Kind, kindNamed, kinds, placesOf } from './places.js'

export interface ArchitectureDocument {
  kind: Kind
  /** The part of its uri after the kind. */
  name: string
  uri: string
  title: string
  aliases: string[]
  source: Source
  ref: Ref
  /** Of its file. */
  hash: string
  chars: number
  /** The parsed decision; null for a guideline or pattern. */
  adr: Adr | null
  /** A decision's present status. It differs from the written one if a later decision supersedes it. */
  status: Adr['status'] | null
  /** The uris of the decisions that hold in place of a superseded one. */
  supersededBy: string[]
}

type Found = Omit<ArchitectureDocument, 'uri' | 'status' | 'supersededBy'>

/** All of them, by kind and name. */
export const architectureDocuments = cachedPerIndexVersion(
  'architecture documents',
  async (library): Promise<ArchitectureDocument[]> => withStanding(named(await found(library))),
)

/** The document by that name: a uri, a name, a title, or the path it has for every other tool. */
export async function findArchitecture(
  library: Library,
  written: string,
  wanted: readonly Kind[],
): Promise<ArchitectureDocument> {
  const all = (await architectureDocuments(library)).filter(({ kind }) => wanted.includes(kind))
  const match = matching(all, written, wanted)
  if (match) return match
  const what = wanted.length === 1 ? singular[wanted[0]!] : singular[wanted[0]!]
  const [unread] = await unindexedFoldersNotes(library)
  const others = all.length === 0 ? howToAdd(library, wanted[0]!) : closest(all, written, wanted[0]!)
  const hint = unread?.message ?? others
  throw new Problem('not_found', `There is no ${what} "${written.slice(0, 120)}".`, hint)
}

/** The only document with this name; null if none has it, or several do. */
export function namedAmong(
  documents: readonly ArchitectureDocument[],
  written: string,
): ArchitectureDocument | null {
  return matching(documents, written, kinds) ?? null
}

/** Where an `architecture://` uri leads; null when it leads nowhere. */
export async function refOfUri(library: Library, uri: string): Promise<Ref | null> {
  const parts = uriParts(uri)
  if (!parts) return null
  const all = (await architectureDocuments(library)).filter(({ kind }) => kind === parts.kind)
  return matching(all, parts.name, [parts.kind])?.ref ?? null
}

/** A suggestion for an unknown address: a sentence, or none. */
export async function nearTo(library: Library, uri: string): Promise<string[]> {
  const parts = uriParts(uri)
  const own = (await architectureDocuments(library)).filter(({ kind }) => kind === parts?.kind)
  const near = parts ? nearestName(own, parts.name) : null
  return near === null ? [] : [`Did you mean "${near}"?`]
}

export interface OpenedArchitecture {
  document: ArchitectureDocument
  stored: StoredDocument
  notes: Note[]
}

/** Its text as its file is now. */
export async function openArchitecture(
  library: Library,
  document: ArchitectureDocument,
): Promise<OpenedArchitecture | null> {
  const { changed, notes } = await refresh(library, [document.ref])
  const stored = await library.store.document(document.ref)
  return stored && { document, stored, notes: changed ? [] : notes }
}

const singular: Record<Kind, string> = { guidelines: 'guideline', patterns: 'pattern', adr: 'decision' }
const pageSize = 1_000

async function found(library: Library): Promise<Found[]> {
  const where = placesOf(library)
  const all: Found[] = []
  const read = new Set<string>()
  const yieldIfDue = createYielder()
  for (const source of await library.store.sources()) {
    const before = placeOf(library, source) ?? ''
    const under = where.folders.flatMap((folder) => [folder, ...inside(folder, before)])
    for (const summary of await listed(library.store, source, under)) {
      const { path } = summary.ref
      const place = (before === '' ? null : where.of(`${before}/${path}`)) ?? where.of(path)
      const reading = place?.kind === 'adr' ? await decision(library, summary) : null
      if (reading) read.add(keyOf(summary))
      await yieldIfDue()
      if (!place || (reading && reading.kind !== 'adr')) continue
      const adr = reading
        ? { adr: reading.adr, name: reading.adr.id, title: oneLine(reading.adr.title, longestTitle) }
        : { adr: null }
      all.push({ ...place, ...described(summary), source, ...adr })
    }
  }
  decisionReadings(library).keep(read)
  return all
}

function described({ ref, hash, title, aliases, chars }: DocumentSummary) {
  return { ref, hash, title, aliases, chars }
}

/** Read once for each version of its file: a change elsewhere in the index costs nothing here. */
async function decision(library: Library, { ref, hash }: DocumentSummary): Promise<AdrReading> {
  const known = decisionReadings(library)
  const key = keyOf({ ref, hash })
  const before = known.get(key)
  if (before) return before
  // Loaded with the first record that nobody has read yet.
  const { readAdr } = await import('../../parse/adr/parse-adr.js')
  const reading = readAdr(ref.path, (await library.store.document(ref))?.text ?? '')
  known.set(key, reading)
  return reading
}

function keyOf({ ref, hash }: Pick<DocumentSummary, 'ref' | 'hash'>): string {
  return `${refKey(ref)}\0${hash}`
}

/** A folder of the project as a source below the root sees it; the source's whole when it lies in that folder. */
function inside(folder: string, before: string): string[] {
  if (before === '') return []
  if (folder === '' || before === folder || before.startsWith(`${folder}/`)) return ['']
  return folder.startsWith(`${before}/`) ? [folder.slice(before.length + 1)] : []
}

async function listed(store: Store, { id }: Source, under: string[]): Promise<DocumentSummary[]> {
  const scope = {
    sources: [id],
    formats: ['markdown' as const],
    ...(under.includes('') ? {} : { under: [...new Set(under)] }),
  }
  const all: DocumentSummary[] = []
  for (;;) {
    const { documents, total } = await store.documents(scope, { offset: all.length, limit: pageSize })
    all.push(...documents)
    if (documents.length === 0 || all.length >= total) return all
  }
}

/** A name that two documents would have goes to the first; the others are called by their whole paths. */
function named(found: Found[]): (Found & { uri: string })[] {
  const order = (one: { kind: Kind; name: string; ref: Ref }) =>
    `${one.kind}\0${one.name}\0${one.ref.path}\0${one.ref.source}`
  const used = new Set<string>()
  return [...found]
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((one) => {
      const choices = [one.name, stem(one.ref.path), one.ref.path, `${one.source.name}:${one.ref.path}`]
      const name = choices.find((choice) => !used.has(`${one.kind}/${choice.toLowerCase()}`)) ?? choices[3]!
      used.add(`${one.kind}/${name.toLowerCase()}`)
      return { ...one, name, uri: `architecture://${one.kind}/${asPath(name)}` }
    })
}

/** With its slashes, and without signs that would end it. */
function asPath(name: string): string {
  return encodeURI(name).replace(/[?#]/g, encodeURIComponent)
}

/** Each source numbers its records for itself, and "ADR 3" is its own. */
function withStanding(documents: (Found & { uri: string })[]): ArchitectureDocument[] {
  const uris = new Map(documents.map(({ adr, uri }) => [adr, uri]))
  const bySource = new Map<string, Adr[]>()
  for (const { adr, ref } of documents) {
    const own = bySource.get(ref.source) ?? []
    bySource.set(ref.source, own)
    if (adr) own.push(adr)
  }
  const supersessions = new Map([...bySource].map(([source, adrs]) => [source, supersessionOf(adrs)]))
  return documents.map((document) => {
    const { adr, ref } = document
    const supersession = supersessions.get(ref.source)
    if (!adr || !supersession?.isReplaced(adr))
      return { ...document, status: adr?.status ?? null, supersededBy: [] }
    return {
      ...document,
      status: 'superseded',
      supersededBy: supersession.current(adr).map((one) => uris.get(one)!),
    }
  })
}

function stem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}

function uriParts(uri: string): { kind: Kind; name: string } | null {
  const [, kind, name] = /^architecture:\/\/([a-z]+)\/(.+)$/is.exec(uri.trim()) ?? []
  const known = kind && kindNamed(kind)
  return known && name ? { kind: known, name: percentDecoded(name) } : null
}

/** `patterns/x` and `pattern/x` are short for the address, unless a document is called so itself. */
function matching(
  all: readonly ArchitectureDocument[],
  written: string,
  wanted: readonly Kind[],
): ArchitectureDocument | undefined {
  const own = matchingName(all, written, wanted)
  return own ?? matchingName(all, `architecture://${written.trim()}`, wanted)
}

function matchingName(
  all: readonly ArchitectureDocument[],
  written: string,
  wanted: readonly Kind[],
): ArchitectureDocument | undefined {
  const parts = uriParts(written)
  if (parts && !wanted.includes(parts.kind)) return undefined
  const name = parts?.name ?? written.trim()
  const candidates = parts ? all.filter(({ kind }) => kind === parts.kind) : all
  const ordered = [...candidates].sort((a, b) => wanted.indexOf(a.kind) - wanted.indexOf(b.kind))
  const path = name.replace(/^(?:\.?\/)+/, '')
  const loose = loosely(name)
  return (
    ordered.find((one) => one.name.toLowerCase() === name.toLowerCase().replace(/\.md$/, '')) ??
    ordered.find((one) => one.ref.path === path || `${one.source.name}:${one.ref.path}` === name) ??
    ordered.find((one) => calledNames(one).includes(loose))
  )
}

/** The names that people may use for it: its name, its file's name, its title and its aliases. */
function calledNames({ kind, name, title, aliases, ref }: ArchitectureDocument): string[] {
  return [name, stem(ref.path), title, ...aliases].map(loosely).concat(kind === 'adr' ? [numberOf(name)] : [])
}

/** Whether the text is a part of its name, title or file name, or the number of a decision. */
export function mayBeCalled({ kind, name, title, ref }: ArchitectureDocument, written: string): boolean {
  const wanted = loosely(written)
  const calls = [name, title, stem(ref.path)].map(loosely).concat(kind === 'adr' ? [numberOf(name)] : [])
  return wanted !== '' && calls.some((call) => call.includes(wanted))
}

function loosely(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const number = /^(?:adr|decision)? ?0*(\d{1,8})$/.exec(words)?.[1]
  return number ?? words.replace(/ (?:pattern|guideline|guidelines)$/, '')
}

function numberOf(name: string): string {
  return /^0*(\d{1,5})$/.exec(name)?.[1] ?? loosely(name)
}

function closest(all: readonly ArchitectureDocument[], written: string, kind: Kind): string {
  const own = all.filter((one) => one.kind === kind)
  const some = own.length > 0 ? own : all
  const near = nearestName(some, written)
  if (near !== null) return `Did you mean "${near}"?`
  const names = some.map(({ name }) => name)
  return `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`
}

function nearestName(documents: readonly ArchitectureDocument[], written: string): string | null {
  const near = nearest(
    loosely(written),
    documents.map(({ name }) => loosely(name)),
  )
  return documents.find(({ name }) => loosely(name) === near)?.name ?? null
}
