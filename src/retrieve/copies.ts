// One text may stand in many documents. It is shown once; where else it stands is counted here.
import type { StoredChunk } from '../model/document.js'
import type { Copies } from '../model/hit.js'
import { type Ref, refKey } from '../model/source.js'

export type CopyCount = ReturnType<typeof countCopies>

/** Counts the documents that chunks with one text are of. */
export function countCopies() {
  const byText = new Map<string, Map<string, Ref>>()
  return {
    add(chunks: readonly StoredChunk[]) {
      for (const chunk of chunks) {
        const documents = byText.get(chunk.hash) ?? new Map<string, Ref>()
        byText.set(chunk.hash, documents.set(refKey(chunk.ref), chunk.ref))
      }
    },
    /** `areAll`: nothing else could have been found. */
    of(chunk: StoredChunk, areAll: boolean): { copies?: Copies } {
      const documents = new Map(byText.get(chunk.hash))
      documents.delete(refKey(chunk.ref))
      return documents.size > 0 ? { copies: { refs: [...documents.values()], areAll } } : {}
    },
  }
}
