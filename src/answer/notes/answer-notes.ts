import type { Hit } from '../../model/hit.js'
import type { Note } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import type { Source } from '../../model/source.js'
import type { Library } from '../library.js'
import { copiesNote } from './copies.js'
import { emptyIndexNote } from './empty-index.js'
import { emptyScopeNote } from './empty-scope.js'
import { partiallyIndexedNote } from './partially-indexed.js'
import { skippedFilesNote } from './skipped-files.js'
import { unindexedFoldersNote } from './unindexed-folders.js'

/** How much of the index an answer is from. */
export interface IndexAnswer {
  isEmpty: boolean
  /** Ids of the sources that the user named. Undefined: all sources. */
  askedSources?: readonly string[] | undefined
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
