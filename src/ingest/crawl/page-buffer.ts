// Pages that were read, on their way into the store a few at a time. Their rows in the ledger say so only afterwards: after
// a crash a page may be read again, but none is missing.
import type { IndexedDocument } from '../../model/document.js'
import { createLocalMutex } from '../../runtime/mutex.js'
import type { Ledger, PageRow } from './ledger.js'

/** A page to store: its document, and its bytes, from which a lost index is restored. */
export interface KeptPage {
  document: IndexedDocument
  name: string
  bytes: Uint8Array
}

/** Puts pages into the library. */
export type KeepPages = (pages: readonly KeptPage[]) => Promise<void>

export interface Shelved extends KeptPage {
  row: Partial<PageRow>
  records: readonly { kind: string; id: string; value: unknown }[]
}

export interface Shelf {
  put(page: Shelved): Promise<void>
  flush(): Promise<void>
  /** Whether a page was read and is on its way: its row does not say so yet. */
  holds(url: string): boolean
}

const mostPages = 24
const mostChars = 500_000
const longestMs = 400

export function shelf(keep: KeepPages, ledger: Ledger, onTrouble: (error: unknown) => void): Shelf {
  let waiting: Shelved[] = []
  const held = new Set<string>()
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
    await keep(pages)
    ledger.tally.documents += pages.length
    for (const { document, row } of pages) {
      ledger.move(document.ref.path, row)
      held.delete(document.ref.path)
    }
    await ledger.flush(pages.flatMap(({ records }) => records))
  }

  return {
    flush,
    holds: (url) => held.has(url),
    async put(page) {
      waiting.push(page)
      held.add(page.document.ref.path)
      chars += page.document.text.length
      if (waiting.length >= mostPages || chars >= mostChars) await flush()
      else timer ??= setTimeout(() => void flush().catch(onTrouble), longestMs)
    },
  }
}
