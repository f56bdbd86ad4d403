// A store filled with made-up documents, for benches that ask questions.
import { prepare } from '../src/ingest/prepare.js'
import type { Store } from '../src/store/port.js'
import { world } from './scale-data.js'

export const source = {
  id: 'bench',
  name: 'bench',
  kind: 'api',
  location: 'bench:',
  createdAt: '',
  updatedAt: '',
  details: {},
} as const

/** Fills it with at least so many chunks, and returns how many there are. */
export async function fill(store: Store, size: number): Promise<number> {
  const from = world(7)
  await store.putSource(source)
  let chunks = 0
  for (let n = 0; chunks < size; ) {
    const documents = []
    for (let i = 0; i < 100 && chunks < size; i++, n++) {
      const ref = { source: source.id, path: `docs/${n}.md` }
      const document = await prepare({
        ref,
        bytes: Buffer.from(from.document(9_000)),
        stamp: null,
        readAt: n,
      })
      chunks += document.chunks.length
      documents.push(document)
    }
    await store.replace(documents)
  }
  await store.settle()
  return chunks
}
