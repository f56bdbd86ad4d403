// What is about to be shown is compared with its file first: nothing is silently stale.
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
export const patienceMs = 4_000

/** Looks whether the files of these documents changed, and reads those that did. */
export async function freshen(
  library: Library,
  refs: readonly Ref[],
  patience = patienceMs,
): Promise<Freshened> {
  if (refs.length === 0) return { changed: false, notes: [] }
  const { documents } = await library.store.documents(
    { documents: [...refs] },
    { offset: 0, limit: refs.length },
  )
  const seen = await allInTime(
    documents.map((document) => freshenOne(library, document)),
    patience,
  )
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
  return reread(library, { ...ref, folder, limits, known: { stamp, hash, readAt } })
}

/** One clock for all: a timer a document took longer than looking at it. */
async function allInTime(looks: readonly Promise<Reread>[], patience: number): Promise<Reread[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reread>((resolve) => {
    const stillRead = () => resolve({ state: 'stale', reason: 'It is still being read.' })
    timer = setTimeout(stillRead, patience)
  })
  return Promise.all(looks.map((look) => Promise.race([look, late]))).finally(() => clearTimeout(timer))
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
