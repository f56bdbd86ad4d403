// A write buffer: pages are stored in batches. Their rows in the ledger change only afterwards, so after a crash a page may
// be read again, but none is missing.
import type { IndexedDocument } from '../../model/document.js'
import { createLocalMutex } from '../../runtime/mutex.js'
import type { Ledger, PageRow } from './ledger.js'

/** A page to store: its document, and its bytes, from which a lost index is restored. */
export interface PageToStore {
  document: IndexedDocument
  name: string
  bytes: Uint8Array
}

/** Stores pages in the library. */
export type StorePages = (pages: readonly PageToStore[]) => Promise<void>

export interface BufferedPage extends PageToStore {
  row: Partial<PageRow>
  records: readonly { kind: string; id: string; value: unknown }[]
}

export interface PageBuffer {
  put(page: BufferedPage): Promise<void>
  flush(): Promise<void>
  /** Whether a page is in the buffer, so that its row in the ledger is not up to date yet. */
  holds(url: string): boolean
}

const mostPages = 24
const mostChars = 500_000
const longestMs = 400

export function pageBuffer(
  store: StorePages,
  ledger: Ledger,
  onTrouble: (error: unknown) => void,
): PageBuffer {
  let waiting: BufferedPage[] = []
  const buffered = new Set<string>()
  let chars = 0
  let timer: NodeJS.Timeout | null = null
  const lock = createLocalMutex()

  // The batch is taken inside the lock: while one batch is written, the caller that fills the next one waits, so there are
  // never more than two batches in memory.
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    return lock(write)
  }

  async function write() {
    const pages = waiting
    waiting = []
    chars = 0
    if (pages.length === 0) return
    await store(pages)
    ledger.tally.documents += pages.length
    for (const { document, row } of pages) {
      ledger.move(document.ref.path, row)
      buffered.delete(document.ref.path)
    }
    await ledger.flush(pages.flatMap(({ records }) => records))
  }

  return {
    flush,
    holds: (url) => buffered.has(url),
    async put(page) {
      waiting.push(page)
      buffered.add(page.document.ref.path)
      chars += page.document.text.length
      if (waiting.length >= mostPages || chars >= mostChars) await flush()
      else timer ??= setTimeout(() => void flush().catch(onTrouble), longestMs)
    },
  }
}
