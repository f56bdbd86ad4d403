// What is about to be shown is compared with its file first: nothing is silently stale.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Reread, reread } from '../ingest/reread.js'
import type { DocumentSummary } from '../model/document.js'
import type { Note } from '../model/problem.js'
import type { Ref } from '../model/source.js'
import type { Library } from './library.js'

export interface Freshened {
  /** Something was read again, or is gone: look again. */
  changed: boolean
  /** Of documents that changed but cannot be read now. */
  notes: Note[]
}

/** How long a reader waits for a changed file to be read; the reading itself goes on. */
const patienceMs = 4_000

/** Looks whether the files of these documents changed, and reads those that did. */
export async function freshen(library: Library, refs: readonly Ref[]): Promise<Freshened> {
  if (refs.length === 0) return { changed: false, notes: [] }
  const { documents } = await library.store.documents(
    { documents: [...refs] },
    { offset: 0, limit: refs.length },
  )
  const seen = await Promise.all(documents.map((document) => freshenOne(library, document)))
  return {
    changed: seen.some(({ state }) => state === 'replaced' || state === 'forgotten'),
    notes: seen.flatMap((one, i) =>
      one.state === 'stale' ? [stale(documents[i]!.ref.path, one.reason)] : [],
    ),
  }
}

async function freshenOne(library: Library, { ref, stamp, hash, readAt }: DocumentSummary): Promise<Reread> {
  const folder = await folderOf(library, ref.source)
  if (!folder) return { state: 'same' }
  const { limits } = library.settings
  const file = { source: ref.source, path: ref.path, folder, limits, known: { stamp, hash, readAt } }
  const late = new AbortController()
  const tooLong = sleep(patienceMs, undefined, { signal: late.signal }).then(
    (): Reread => ({ state: 'stale', reason: 'It is still being read.' }),
  )
  tooLong.catch(() => {})
  return Promise.race([reread(library, file), tooLong]).finally(() => late.abort())
}

/** Where a source's documents lie as files that may change; null for what is only brought up to date on request. */
async function folderOf(library: Library, id: string): Promise<{ path: string } | null> {
  const configured = library.sources.find((source) => source.id === id)
  if (configured) return library.settings.sources.find(({ name }) => name === configured.name) ?? null
  const { details } = (await library.store.sources()).find((source) => source.id === id) ?? {}
  return typeof details?.folder === 'string' ? { path: details.folder } : null
}

function stale(path: string, reason: string): Note {
  return {
    code: 'stale',
    message: `${path} changed since it was indexed, and this is the older text: ${reason}`,
  }
}
