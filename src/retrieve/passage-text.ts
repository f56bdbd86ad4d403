// The text of a passage is that of the lines it is said to have. Between its chunks there are blank lines as a rule; but
// two blocks of code have their fences and what is said in between, and fields in front of a document have a line of dashes.

import type { DocumentSummary } from '../model/document.js'
import { type Ref, refKey } from '../model/source.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import type { Passage } from './assemble.js'

export interface ReadPassage {
  passage: Passage
  document: DocumentSummary
  text: string
}

/** The passages with their texts and documents. A passage whose document was removed meanwhile is left out. */
export async function readPassages(store: Store, passages: readonly Passage[]): Promise<ReadPassage[]> {
  const documents = await documentsOf(store, passages)
  const textOf = reading(store)
  const yieldIfDue = createYielder()
  const read: ReadPassage[] = []
  for (const passage of passages) {
    const { chunks } = passage
    const document = documents.get(refKey(chunks[0]!.ref))
    if (!document) continue
    const own = chunks.every(isNext) ? null : between(await textOf(chunks[0]!.ref), chunks)
    read.push({ passage, document, text: own ?? withLineEnds(chunks) })
    await yieldIfDue()
  }
  return read
}

async function documentsOf(
  store: Store,
  passages: readonly Passage[],
): Promise<Map<string, DocumentSummary>> {
  const refs = passages.map(({ chunks }) => chunks[0]!.ref)
  const { documents } = await store.documents({ documents: refs }, { offset: 0, limit: refs.length })
  return new Map(documents.map((document) => [refKey(document.ref), document]))
}

type Chunks = Passage['chunks']

/** Several passages of one document read it once. */
function reading(store: Store): (ref: Ref) => Promise<string> {
  const known = new Map<string, string>()
  return async (ref) => {
    const key = refKey(ref)
    const text = known.get(key) ?? (await store.document(ref))?.text ?? ''
    known.set(key, text)
    return text
  }
}

/** As many characters as lines end there: nothing else stands before it, and the document need not be read. */
function isNext(chunk: Chunks[number], i: number, chunks: Chunks): boolean {
  const before = chunks[i - 1]
  return !before || (chunk.line > before.endLine && chunk.start - before.end === chunk.line - before.endLine)
}

/** From the first to the last; null when the document is another one by now. */
function between(text: string, chunks: Chunks): string | null {
  const isThere = chunks.every((chunk) => text.startsWith(chunk.text, chunk.start))
  return isThere ? text.slice(chunks[0]!.start, chunks.at(-1)!.end) : null
}

function withLineEnds(chunks: Chunks): string {
  let text = chunks[0]!.text
  for (let i = 1; i < chunks.length; i++)
    text += '\n'.repeat(Math.max(1, chunks[i]!.line - chunks[i - 1]!.endLine)) + chunks[i]!.text
  return text
}
