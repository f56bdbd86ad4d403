// Detects notices that a site serves in place of its pages ("Just a moment"): several pages that differed before suddenly
// have the same text. Their old documents stay. The first of them cannot be told from an ordinary change, so a page with a
// short new text waits until the crawl has seen which other pages have it.
import { createYielder } from '../../runtime/yield.js'
import type { PageReading } from '../convert/page-task.js'
import { keptOfBefore, reinstate } from './duplicates.js'
import type { PageMemory } from './memory.js'
import type { Shelved } from './page-cache.js'
import type { Crawl } from './plan.js'

/** A page that waits until it is known not to be a notice. */
export interface Doubt {
  page: Shelved
  textHash: string
}

const longestNotice = 5_000
const largestNotice = 100_000
const mostWaiting = 50
const many = 3

/** Stores a page, now or when it is known not to be a notice. */
export async function shelve(
  { doubts, shelf, ledger }: Crawl,
  page: Shelved,
  { textHash, chars, before }: Pick<PageReading, 'textHash' | 'chars'> & { before: PageMemory | null },
): Promise<void> {
  const isLarge = chars > longestNotice || page.bytes.length > largestNotice
  if (before === null || before.textHash === textHash || isLarge) return shelf.put(page)
  doubts.set(page.document.ref.path, { page, textHash })
  if (doubts.size <= mostWaiting) return
  for (const [url, doubt] of doubts)
    if ([...ledger.leadingTo(url)].length === 0) {
      doubts.delete(url)
      return shelf.put(doubt.page)
    }
}

/**
 * Decides on all waiting pages, after the others were written. Returns true if pages failed, so that others may replace
 * them.
 */
export async function settleDoubts(crawl: Crawl): Promise<boolean> {
  const { doubts, shelf } = crawl
  let found = false
  for (const owner of await suspects(crawl)) {
    const changed = await saidOtherwise(crawl, owner)
    if (changed.length < many) continue
    refuse(crawl, owner, changed)
    found = true
  }
  for (const [url, { page }] of [...doubts]) {
    await shelf.put(page)
    doubts.delete(url)
  }
  await shelf.flush()
  return found
}

/** Pages whose text other pages have now that had their own before. */
async function suspects({ stored, ledger }: Crawl): Promise<Set<string>> {
  const yieldIfDue = createYielder()
  const found = new Set<string>()
  for (const url of stored) {
    await yieldIfDue()
    const { code, to } = ledger.row(url) ?? {}
    if (code === 'duplicate' && to !== undefined) found.add(to)
  }
  return found
}

/** The indexed pages, this one among them, that now have this page's text and had another before. */
async function saidOtherwise(crawl: Crawl, owner: string): Promise<string[]> {
  const { doubts, memory, stored } = crawl
  const text = doubts.get(owner)?.textHash ?? (await memory.of(owner))?.textHash
  const changed = doubts.has(owner) ? [owner] : []
  for (const url of doublesOf(crawl, owner))
    if (stored.has(url) && (await memory.of(url))?.textHash !== text) changed.push(url)
  return changed
}

function doublesOf({ ledger }: Crawl, owner: string): string[] {
  return [...ledger.leadingTo(owner)].filter((url) => ledger.row(url)!.code === 'duplicate')
}

function refuse(crawl: Crawl, owner: string, changed: readonly string[]) {
  const { ledger, doubts, texts, stored } = crawl
  const doubt = doubts.get(owner)
  // If one page has always had the text, such as a login page, only the others are refused.
  const refused = doubt ? [owner, ...doublesOf(crawl, owner)] : changed
  const reason = `It says the same as ${changed.length - 1} other pages that said something else before; it seems to be a notice.`
  if (doubt) {
    doubts.delete(owner)
    if (texts.get(doubt.textHash) === owner) texts.delete(doubt.textHash)
    ledger.move(owner, { attempts: doubt.page.row.attempts ?? 1 })
  }
  for (const url of refused)
    ledger.move(url, {
      ...{ state: 'failed', code: 'notice' },
      reason: stored.has(url) ? `${reason} ${keptOfBefore}` : reason,
    })
  for (const url of refused) reinstate(crawl, url)
}
