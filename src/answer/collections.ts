// Lists collections and documents, and finds them by the names people and models use. A miss is a sentence that offers the
// closest name.
import type { StoredDocument } from '../model/document.js'
import type { Note } from '../model/problem.js'
import type { Ref, Source } from '../model/source.js'
import { didYouMean } from '../text/nearest.js'
import { normalForms } from '../text/normal-forms.js'
import { pathInside, refOfAddress } from './addresses.js'
import { unsyncedPackages } from './configured-packages.js'
import { isMiss, type Miss } from './find-passages.js'
import type { Library } from './library.js'
import { placeOf } from './library.js'
import {
  emptyIndexSentence,
  knownSources,
  unindexedFolders,
  unindexedFoldersNotes,
} from './notes/index-state.js'
import { failureOfFile, refresh } from './refresh.js'
import { collectionNamed, namesOf } from './source-records.js'

/** A collection by its alias, its id or its title. */
async function findCollection(library: Library, name: string): Promise<Source | Miss> {
  const sources = await knownSources(library)
  const found = await collectionNamed(library, sources, name)
  if (found) return found
  const packages = await unsyncedPackages(library)
  const unsynced = packages.find(({ alias }) => alias === name)
  if (unsynced) return { miss: unsynced.sentence }
  const names = [...sources.map((source) => source.name), ...packages.map(({ alias }) => alias)]
  return missing(`Collection "${short(name)}" not found.`, await hint(library, names, name))
}

export async function findCollections(library: Library, names: readonly string[]): Promise<Source[] | Miss> {
  const found = await Promise.all(names.map((name) => findCollection(library, name)))
  return found.find(isMiss) ?? (found as Source[])
}

export interface FoundDocument {
  source: Source
  document: StoredDocument
  notes: Note[]
}

/** A document by its collection's name and its path, as its file is now. */
export async function openDocument(
  library: Library,
  { collection, document }: { collection: string; document: string },
): Promise<FoundDocument | Miss> {
  const source = await findCollection(library, collection)
  if (isMiss(source)) return source
  for (const ending of endings) {
    const found = await openIn(library, source, { document, ending })
    if (found) return found
  }
  return noDocument(library, [source], { document, where: `collection "${short(collection)}"` })
}

/** All documents of that path in some collections. */
export async function openInAny(
  library: Library,
  sources: readonly Source[],
  document: string,
): Promise<FoundDocument[] | Miss> {
  for (const ending of endings) {
    const found: FoundDocument[] = []
    for (const source of sources) {
      const one = await openIn(library, source, { document, ending })
      if (one) found.push(one)
    }
    if (found.length > 0) return found
  }
  const where =
    sources.length === 1 ? `collection "${sources[0]!.name}"` : `any of ${sources.length} collections`
  return noDocument(library, sources, { document, where })
}

/** The miss for an unknown document. It suggests no other if the file exists and is only not indexed yet. */
async function noDocument(
  library: Library,
  sources: readonly Source[],
  { document, where }: { document: string; where: string },
): Promise<Miss> {
  const ids = sources.map(({ id }) => id)
  const [unread] = await unindexedFoldersNotes(library, ids)
  if (unread) return missing(`Document "${short(document)}" is not indexed in ${where}.`, unread.message)
  const miss = `Document "${short(document)}" not found in ${where}.`
  const refused = await refusalOf(library, sources, document)
  if (refused !== null) return missing(miss, `Its file was not taken in: ${refused}`)
  return missing(miss, await closestDocument(library, sources, document))
}

async function refusalOf(
  library: Library,
  sources: readonly Source[],
  document: string,
): Promise<string | null> {
  for (const source of sources)
    for (const path of await paths(library, source, document)) {
      const reason = await failureOfFile(library, { source: source.id, path })
      if (reason !== null) return reason
    }
  return null
}

export function missing(sentence: string, hint: string | undefined): Miss {
  return { miss: hint ? `${sentence} ${hint}` : sentence }
}

/** A model's text, cut for use in a message. */
export function short(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}

// A name that is no path may be a note's without its ending: discoveries and sessions go by their ids.
const endings = ['', '.md']

async function openIn(
  library: Library,
  source: Source,
  { document, ending }: { document: string; ending: string },
): Promise<FoundDocument | null> {
  for (const path of await paths(library, source, document)) {
    const found = await openRef(library, { source: source.id, path: path + ending })
    if (found) return { source, ...found }
  }
  return null
}

async function openRef(library: Library, ref: Ref) {
  const { notes, changed } = await refresh(library, [ref])
  const document = await library.store.document(ref)
  return document && { document, notes: changed ? [] : notes }
}

/** The paths that a name may mean in a collection. */
async function paths(library: Library, source: Source, document: string): Promise<string[]> {
  const ref = await refOfAddress(library, document)
  if (ref) return ref.source === source.id ? [ref.path] : []
  return spellings(await namesOf(library, source), placeOf(library, source), document)
}

// As results name it, with the collection in front as links between collections do, with a dot as shells do, or below the
// root as files are named.
function spellings(collection: readonly string[], place: string | null, document: string): string[] {
  const bare = document.replace(/^(\.?\/)+/, '').replaceAll('\\', '/')
  const fronts = collection.filter((name) => document.startsWith(`${name}:`))
  const below = pathInside(place, bare)
  const ways = [
    document,
    ...fronts.map((name) => document.slice(name.length + 1)),
    bare,
    ...(below === null ? [] : [below]),
  ]
  return [...new Set([...ways, ...ways.flatMap(normalForms)])]
}

async function hint(library: Library, names: readonly string[], name: string): Promise<string> {
  if (names.length === 0) return emptyIndexSentence(library)
  const inOrder = names.toSorted()
  return didYouMean(name, inOrder) ?? `There are: ${inOrder.slice(0, 20).join(', ')}.`
}

const compared = 200

async function closestDocument(
  { store }: Library,
  sources: readonly Source[],
  written: string,
): Promise<string | undefined> {
  const paths: string[] = []
  for (const { id } of sources) for (const path of (await store.fingerprints(id)).keys()) paths.push(path)
  return closestOf(paths, written) ?? 'documents_list_documents lists what is there.'
}

/** Which of some paths may have been meant: those with the same file name, else the one spelled most alike. */
export function closestOf(paths: readonly string[], written: string): string | undefined {
  const wanted = written.toLowerCase()
  const file = wanted.slice(wanted.lastIndexOf('/') + 1)
  const same = paths.filter(
    (path) => path.toLowerCase().endsWith(`/${file}`) || path.toLowerCase() === wanted,
  )
  if (file && same.length > 0)
    return `Did you mean ${same
      .slice(0, 3)
      .map((path) => `"${path}"`)
      .join(' or ')}?`
  return didYouMean(written, likely(wanted, paths))
}

// Comparing letter by letter with a hundred thousand paths takes a second; counting letters first takes milliseconds.
function likely(wanted: string, paths: readonly string[]): string[] {
  if (paths.length <= compared) return [...paths]
  const letters = countLetters(wanted)
  return paths
    .map((path) => ({ path, apart: difference(letters, countLetters(path.toLowerCase())) }))
    .sort((a, b) => a.apart - b.apart)
    .slice(0, compared)
    .map(({ path }) => path)
}

function countLetters(text: string): Int16Array {
  const counts = new Int16Array(64)
  for (let i = 0; i < Math.min(text.length, 300); i++) counts[text.charCodeAt(i) & 63]!++
  return counts
}

function difference(a: Int16Array, b: Int16Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum
}

export interface Collection {
  source: Source
  documents: number
  notes: Note[]
}

/** All collections, also those that are configured but not indexed yet. */
export async function listCollections(library: Library): Promise<Collection[]> {
  const { bySource } = await library.store.counts()
  const unread = new Set((await unindexedFolders(library)).map(({ id }) => id))
  const all = (await knownSources(library)).map(async (source) => ({
    source,
    documents: bySource[source.id]?.documents ?? 0,
    notes: unread.has(source.id) ? await unindexedFoldersNotes(library, [source.id]) : [],
  }))
  return (await Promise.all(all)).sort(
    (a, b) => compare(a.source.name, b.source.name) || compare(a.source.id, b.source.id),
  )
}

export interface DocumentList {
  source: Source
  documents: { path: string; title: string; chars: number }[]
  total: number
  notes: Note[]
}

export interface DocumentPage {
  collection: string
  offset: number
  limit: number
}

/** In the order of their ids. A page past the end is empty. */
export async function listDocuments(
  library: Library,
  { collection, offset, limit }: DocumentPage,
): Promise<DocumentList | Miss> {
  const source = await findCollection(library, collection)
  if (isMiss(source)) return source
  const { documents, total } = await library.store.documents({ sources: [source.id] }, { offset, limit })
  return {
    source,
    documents: documents.map(({ ref, title, chars }) => ({ path: ref.path, title, chars })),
    total,
    notes: await unindexedFoldersNotes(library, [source.id]),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
