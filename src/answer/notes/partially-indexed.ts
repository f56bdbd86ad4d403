import type { Note } from '../../model/problem.js'
import type { InPart } from '../../model/reports.js'
// Of some files the index has a part only: the first rows of a long table, a document without its scanned pages. What
// is looked for may stand in the rest, so whoever looks is told.
import type { Scope } from '../../model/scope.js'
import { type Ref, refKey } from '../../model/source.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import type { Library } from '../library.js'

/** The codes of a document's notes that say: the file has more text than the index. */
const codes = ['cut', 'part_unread', 'pages_unread', 'pages_without_text', 'scanned', 'damaged']

/** All documents that are there in part, by the names of their collections. */
export async function inPart(store: Store): Promise<InPart[]> {
  const names = new Map((await store.sources()).map(({ id, name }) => [id, name]))
  const found: InPart[] = []
  const yieldIfDue = createYielder()
  for (;;) {
    const { documents } = await store.documents({ noted: codes }, { offset: found.length, limit: atOnce })
    for (const { ref, notes } of documents)
      found.push({ source: names.get(ref.source) ?? ref.source, path: ref.path, reason: reasonIn(notes) })
    if (documents.length < atOnce) return found
    await yieldIfDue()
  }
}

const atOnce = 500

/** What is missing of one document. */
export function missingParts(notes: readonly Note[]): Note[] {
  return notes.filter(({ code }) => codes.includes(code))
}

/** Warns when a hit's document, or for an empty answer a document in scope, is only partly indexed (long tables, scans). */
export async function partiallyIndexedNote(
  { store }: Library,
  { scope, hits }: { scope: Scope; hits: readonly { ref: Ref }[] },
): Promise<Note | null> {
  const refs = [...new Map(hits.map(({ ref }) => [refKey(ref), ref])).values()]
  const within = refs.length > 0 ? { documents: refs } : scope
  const { documents, total } = await store.documents(
    { ...within, noted: codes },
    { offset: 0, limit: mostNamed },
  )
  if (total === 0) return null
  const told = documents.map(({ ref, notes }) => `${ref.path}: ${reasonIn(notes)}`)
  const more = total > told.length ? [`… and ${total - told.length} more ("carrel status" lists them).`] : []
  return { code: 'in_part', message: ['Indexed in part only:', ...told, ...more].join(' ') }
}

const mostNamed = 3

function reasonIn(notes: readonly Note[]): string {
  return [...new Set(missingParts(notes).map(({ message }) => message))].join(' ')
}
