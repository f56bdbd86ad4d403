// Every address that a crawl has met, with its state. The store has it at every moment, so that the next process can
// continue after a crash and the numbers always add up.
import { createLocalMutex } from '../../runtime/mutex.js'
import type { RecordStore } from '../../store/port.js'

export type PageState = 'pending' | 'crawled' | 'unchanged' | 'failed' | 'excluded'

export interface PageRow {
  state: PageState
  /** Links away from the start. */
  depth: number
  /** The how-manieth address met. */
  order: number
  /** Requests that came to an end. */
  attempts: number
  /** For a page that failed or was passed over: a word to group by, and a sentence. */
  code?: string
  reason?: string
  /** The address it gives way to: of a redirect, a canonical page, a twin. */
  to?: string
  /** The redirect is temporary. */
  forNow?: true
  /** Redirects that led here one after the other. */
  hops?: number
  /** How the site wrote the address where it was met first, when its parameters were in another order. */
  written?: string
  /** Named by llms.txt: a Markdown version that stands for its page. */
  listed?: true
  chunks?: number
}

/** `discovered` is the sum of the five states. */
export interface Tally extends Record<PageState, number> {
  discovered: number
  /** Documents written, and their chunks. */
  documents: number
  chunks: number
  /** Documents of an earlier crawl that left. */
  removed: number
  /** Pages that were fetched, successfully or not. */
  asked: number
  failures: { url: string; reason: string }[]
  exclusions: Record<string, { count: number; example: string; reason: string }>
  /** Notes on the crawl as a whole. */
  notes: string[]
  /** Robots, sitemaps and llms.txt were read. */
  seeded: boolean
}

export interface Ledger {
  readonly tally: Tally
  row(url: string): PageRow | undefined
  rows(): Iterable<[string, PageRow]>
  /** The addresses that give way to this one. */
  leadingTo(url: string): Iterable<string>
  /** Takes an address up; false when it is known. */
  add(url: string, row: Pick<PageRow, 'depth'> & Partial<PageRow>): boolean
  /** Changes the state of an address. */
  move(url: string, change: Partial<PageRow>): void
  /** Says something about the crawl as a whole, once. */
  note(text: string): void
  /** Writes the changed rows in one transaction, together with other records. */
  flush(others?: readonly { kind: string; id: string; value: unknown }[]): Promise<void>
}

export const rowsKind = (job: string) => `~crawl-pages/${job}`
export const tallyKind = '~crawl-tally'

const failuresKept = 20

export async function openLedger(records: RecordStore, job: string): Promise<Ledger> {
  const rows = new Map<string, PageRow>()
  const leading = new Map<string, Set<string>>()
  for (const { id, value } of await records.all<PageRow>(rowsKind(job))) put(id, value)
  const before = await records.get<Tally>(tallyKind, job)
  const tally = counted(rows, before)
  const changed = new Set<string>()
  let touched = before === null
  const lock = createLocalMutex()

  function put(url: string, row: PageRow) {
    const before = rows.get(url)?.to
    rows.set(url, row)
    if (before === row.to) return
    if (before !== undefined) leading.get(before)?.delete(url)
    if (row.to !== undefined) leading.set(row.to, (leading.get(row.to) ?? new Set()).add(url))
  }

  function add(url: string, given: Pick<PageRow, 'depth'> & Partial<PageRow>): boolean {
    if (rows.has(url)) return false
    const row: PageRow = { state: 'pending', order: rows.size, attempts: 0, ...given }
    put(url, row)
    tally.discovered++
    enter(tally, url, row)
    changed.add(url)
    return true
  }

  // A row is replaced, never changed: a flush may be writing the old one.
  function move(url: string, change: Partial<PageRow>) {
    const before = rows.get(url)!
    const { code: _, reason: __, to: ___, forNow: ____, ...rest } = before
    const row = { ...rest, ...change }
    leave(tally, url, before)
    put(url, row)
    enter(tally, url, row)
    changed.add(url)
  }

  function note(text: string) {
    if (!tally.notes.includes(text)) tally.notes.push(text)
  }

  function flush(others: readonly { kind: string; id: string; value: unknown }[] = []) {
    return lock(async () => {
      if (changed.size === 0 && others.length === 0 && !touched && same(tally, written)) return
      const urls = [...changed]
      changed.clear()
      touched = false
      written = JSON.stringify(tally)
      const pages = urls.map((url) => ({ kind: rowsKind(job), id: url, value: rows.get(url)! }))
      try {
        await records.putAll([
          ...others,
          ...pages,
          { kind: tallyKind, id: job, value: structuredClone(tally) },
        ])
      } catch (error) {
        for (const url of urls) changed.add(url)
        touched = true
        throw error
      }
    })
  }

  let written = JSON.stringify(tally)
  return {
    tally,
    row: (url) => rows.get(url),
    rows: () => rows,
    leadingTo: (url) => leading.get(url) ?? [],
    ...{ add, move, note, flush },
  }
}

function same(tally: Tally, written: string): boolean {
  return JSON.stringify(tally) === written
}

export function emptyTally(): Tally {
  return {
    ...{ discovered: 0, pending: 0, crawled: 0, unchanged: 0, failed: 0, excluded: 0 },
    ...{ documents: 0, chunks: 0, removed: 0, asked: 0 },
    ...{ failures: [], exclusions: {}, notes: [], seeded: false },
  }
}

/** Counts the rows. Only figures that rows do not have come from the stored tally. */
function counted(rows: ReadonlyMap<string, PageRow>, before: Tally | null): Tally {
  const { documents = 0, removed = 0, notes = [], seeded = false } = before ?? {}
  const tally = { ...emptyTally(), documents, removed, notes, seeded }
  for (const [url, row] of [...rows].sort(([, a], [, b]) => a.order - b.order)) {
    tally.discovered++
    if (row.attempts > 0) tally.asked++
    enter(tally, url, row)
  }
  return tally
}

function enter(tally: Tally, url: string, { state, code = '', reason = '', chunks = 0 }: PageRow) {
  tally[state]++
  if (state === 'crawled') tally.chunks += chunks
  if (state === 'failed' && tally.failures.length < failuresKept) tally.failures.push({ url, reason })
  if (state === 'excluded') {
    const known = tally.exclusions[code]
    if (known) known.count++
    else tally.exclusions[code] = { count: 1, example: url, reason }
  }
}

function leave(tally: Tally, url: string, { state, code = '', chunks = 0 }: PageRow) {
  tally[state]--
  if (state === 'crawled') tally.chunks -= chunks
  if (state === 'failed') tally.failures = tally.failures.filter((failure) => failure.url !== url)
  if (state !== 'excluded') return
  const known = tally.exclusions[code]
  if (known && --known.count === 0) delete tally.exclusions[code]
}
