import type { DocumentSummary } from '../../model/document.js'
import type { Hit } from '../../model/hit.js'
import type { Note } from '../../model/problem.js'
import { type FilterName, filterNames, type Scope, scopeFields } from '../../model/scope.js'
import { type Format, type Ref, refKey, type Source } from '../../model/source.js'
import { hasConvertedLines, isLanguage, isTextFile, languageNames } from '../../parse/formats.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import { didYouMean } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'
import type { Library } from '../library.js'
import {
  emptyIndexNote,
  partiallyIndexedNote,
  skippedFilesNote,
  unindexedFolders,
  unindexedFoldersNote,
} from './index-state.js'

/** An answer from the index, as the note builders see it. */
export interface IndexAnswer {
  isEmpty: boolean
  /** There are passages, and none is relevant: such an answer is short. */
  isSilent?: boolean
  /** Ids of the sources that the user named. Undefined: all sources. */
  namedSources?: readonly string[] | undefined
}

/** A search answer, as the note builders see it. */
export interface SearchedAnswer extends IndexAnswer {
  sources: readonly Source[]
  scope: Scope
  /** The passages that are shown. */
  hits: readonly Pick<Hit, 'ref' | 'copies'>[]
}

type NoteBuilder<Answer> = (library: Library, answer: Answer) => Promise<Note | null>

// The order of these lists is the order in which every tool gives its notes.
const indexNoteBuilders: readonly NoteBuilder<IndexAnswer>[] = [unindexedFoldersNote, skippedFilesNote]
const searchNoteBuilders: readonly NoteBuilder<SearchedAnswer>[] = [
  copiesNote,
  partiallyIndexedNote,
  emptyScopeNote,
  ...indexNoteBuilders,
]

/** Why an answer from the index may be too small. */
export function indexNotes(library: Library, answer: IndexAnswer): Promise<Note[]> {
  return run(indexNoteBuilders, library, answer)
}

/** The notes on a search answer that follow from its hits, its scope and the state of the index. */
export function searchNotes(library: Library, answer: SearchedAnswer): Promise<Note[]> {
  return run(searchNoteBuilders, library, answer)
}

/** An empty index explains an empty answer, so no other note is needed then. */
async function run<Answer extends IndexAnswer>(
  builders: readonly NoteBuilder<Answer>[],
  library: Library,
  answer: Answer,
): Promise<Note[]> {
  const empty = await emptyIndexNote(library, answer)
  if (empty) return [empty]
  const notes = await Promise.all(builders.map((build) => build(library, answer)))
  return notes.filter((note) => note !== null)
}

/** A hit as the note on copies needs it. A text that stands in several documents is a hit once. */
type CopiedHit = Pick<Hit, 'ref' | 'copies'>

/** How many texts the note names, and how many other places of each. */
const most = { places: 3, texts: 3 }

/** The documents that an answer names: those of its hits, and the copies that the note names. */
export function refsShown(hits: readonly CopiedHit[]): Ref[] {
  return hits.flatMap(({ ref, copies }) => [ref, ...(copies?.refs.slice(0, most.places) ?? [])])
}

/** Names the other documents that hold the same text as a hit. */
async function copiesNote(
  _library: Library,
  { hits, sources }: { hits: readonly CopiedHit[]; sources: readonly Source[] },
): Promise<Note | null> {
  const copied = byDocument(hits)
  if (copied.length === 0) return null
  const sentences = copied.slice(0, most.texts).map(sentenceFor(sources))
  const left = copied.length - sentences.length
  const rest = left > 0 ? [`${left} more of these documents ${left === 1 ? 'has' : 'have'} copies`] : []
  return { code: 'copies', message: `A text is shown once: ${[...sentences, ...rest].join('; ')}.` }
}

interface Copied {
  ref: Ref
  others: Map<string, Ref>
  areAll: boolean
}

/** Several passages of one document are copied together. */
function byDocument(hits: readonly CopiedHit[]): Copied[] {
  const copied = new Map<string, Copied>()
  for (const { ref, copies } of hits) {
    if (!copies) continue
    const one = copied.get(refKey(ref)) ?? { ref, others: new Map(), areAll: true }
    for (const other of copies.refs) one.others.set(refKey(other), other)
    one.areAll &&= copies.areAll
    copied.set(refKey(ref), one)
  }
  return [...copied.values()]
}

function sentenceFor(sources: readonly Source[]): (copied: Copied) => string {
  const names = new Map(sources.map(({ id, name }) => [id, name]))
  return ({ ref, others, areAll }) => {
    const places = [...others.values()]
      .slice(0, most.places)
      .map(({ source, path }) => (source === ref.source ? path : `${names.get(source) ?? source}:${path}`))
    const count = `${others.size}${areAll ? '' : ' or more'}`
    const documents = others.size === 1 && areAll ? 'document' : 'documents'
    const dots = others.size > places.length ? ', …' : ''
    return `what ${ref.path} says also stands in ${count} other ${documents} (${places.join(', ')}${dots})`
  }
}

// The text of a page, a notebook or a table is converted from its file, so its line numbers are not the file's.

/** For an answer with lines of a document that a reader could mistake for lines of its file. */
export function aboutLines({ ref, format, source }: { ref: Ref; format: Format; source: Source }): Note[] {
  if (!hasConvertedLines(format) || !isTextFile(format) || source.kind !== 'folder') return []
  return [{ code: 'lines_of_text', message: `Lines of ${ref.path} are of its text, not of the file.` }]
}

/** For an answer that gives no lines of such files. */
export function convertedNotes(files: readonly string[]): Note[] {
  const paths = [...new Set(files)]
  if (paths.length === 0) return []
  const why =
    paths.length === 1 ? 'its text is not that of the file' : 'their texts are not those of the files'
  const message = `No lines are given of ${listed(paths)}: ${why}. grep_codebase finds them.`
  return [{ code: 'lines_of_text', message }]
}

const mostNamed = 3

function listed(paths: readonly string[]): string {
  return `${paths.slice(0, mostNamed).join(', ')}${paths.length > mostNamed ? ', …' : ''}`
}

/** The most important note on the state of the index, for answers that have no notes of their own. */
export async function indexNote(
  library: Library,
  isEmpty: boolean,
  namedSources?: readonly string[],
): Promise<string | null> {
  const [note] = await indexNotes(library, { isEmpty, namedSources })
  return note?.message ?? null
}

// --- Filters that match no document. "Nothing found" would read like an answer, so a note names the filter at fault.

/**
 * Names each filter value that matches no document, and suggests the closest name. A filter with one value is not checked
 * when there are hits: they all match it.
 */
async function emptyScopeNote(
  library: Library,
  {
    scope,
    hits,
    namedSources,
  }: { scope: Scope; hits: readonly unknown[]; namedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  const given = filterNames.filter((name) => scope[name])
  if (given.length === 0) return null
  // A folder that is not indexed yet may hold what the filter names, and another note says so.
  if ((await unindexedFolders(library, namedSources)).length > 0) return null
  const { store } = library
  const rest = Object.fromEntries(
    Object.entries(scope).filter(([name]) => !given.some((one) => one === name)),
  )
  const isEmpty = async (one: Scope) => (await store.documents(one, { offset: 0, limit: 1 })).total === 0
  const missing = await Promise.all(
    given.map(async (name) => {
      const given: unknown = scope[name]
      const isList = Array.isArray(given)
      // A scope has a folder once for each Unicode form of its name.
      const values = [...new Set((isList ? given : [given]).map((value) => String(value).normalize('NFC')))]
      if (hits.length > 0 && values.length === 1) return []
      const alone = (value: string) => ({ ...rest, [name]: isList ? normalForms(value) : given })
      const empty = await Promise.all(values.map((value) => isEmpty(alone(value))))
      return values.filter((_, i) => empty[i]).map((value) => ({ name, value }))
    }),
  )
  const suggest = suggestions(store, rest)
  const sentences = await Promise.all(
    missing
      .flat()
      .map(async ({ name, value }) =>
        [scopeFields[name].emptyNote(value), await suggest[name]?.(value)].filter(Boolean).join(' '),
      ),
  )
  if (sentences.length === 0 && hits.length === 0 && (await isEmpty(scope)))
    sentences.push('Nothing is in all of these scopes.')
  return sentences.length === 0 ? null : { code: 'empty_scope', message: sentences.join(' ') }
}

type Suggest = (value: string) => string | undefined | Promise<string | undefined>

function suggestions(store: Store, scope: Scope): Partial<Record<FilterName, Suggest>> {
  let names: Promise<Names> | null = null
  const known = () => {
    names ??= namesIn(store, scope)
    return names
  }
  return {
    under: async (folder) => didYouMean(folder, (await known()).folders),
    tags: async (tag) => didYouMean(tag, (await known()).tags),
    languages: (name) => (isLanguage(name) ? undefined : didYouMean(name, languageNames())),
  }
}

interface Names {
  folders: Set<string>
  tags: Set<string>
}

const atOnce = 1_000
/** In a large library, the names in this many documents are enough for a hint. */
const mostRead = 20_000

async function namesIn(store: Store, scope: Scope): Promise<Names> {
  const names: Names = { folders: new Set(), tags: new Set() }
  const yieldIfDue = createYielder()
  for (let offset = 0; offset < mostRead; offset += atOnce) {
    const { documents } = await store.documents(scope, { offset, limit: atOnce })
    for (const document of documents) addNames(names, document)
    if (documents.length < atOnce) break
    await yieldIfDue()
  }
  return names
}

function addNames({ folders, tags }: Names, { ref, tags: own }: DocumentSummary) {
  for (const tag of own) tags.add(tag)
  for (let end = ref.path.lastIndexOf('/'); end > 0; end = ref.path.lastIndexOf('/', end - 1))
    folders.add(ref.path.slice(0, end))
}
