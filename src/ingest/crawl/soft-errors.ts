// Detects notices that a site serves in place of its pages ("Just a moment"): several pages that differed before suddenly
// have the same text. Their old documents stay. The first of them cannot be told from an ordinary change, so a page with a
// short new text waits until the crawl has seen which other pages have it.
import { createYielder } from '../../runtime/yield.js'
import type { PageReading } from '../convert/page-task.js'
import { earlierTextKept, reinstate } from './duplicates.js'
import type { PageMemory } from './memory.js'
import type { BufferedPage } from './page-buffer.js'
import type { Crawl } from './plan.js'

/** A page that waits until it is known not to be a notice. */
export interface SuspectPage {
  page: BufferedPage
  textHash: string
}

const longestNotice = 5_000
const largestNotice = 100_000
const mostWaiting = 50
const many = 3

/** Stores a page, now or when it is known not to be a notice. */
export async function storeOrHold(
  { suspectPages, pageBuffer, ledger }: Crawl,
  page: BufferedPage,
  { textHash, chars, before }: Pick<PageReading, 'textHash' | 'chars'> & { before: PageMemory | null },
): Promise<void> {
  const isLarge = chars > longestNotice || page.bytes.length > largestNotice
  if (before === null || before.textHash === textHash || isLarge) return pageBuffer.put(page)
  suspectPages.set(page.document.ref.path, { page, textHash })
  if (suspectPages.size <= mostWaiting) return
  for (const [url, suspect] of suspectPages)
    if ([...ledger.leadingTo(url)].length === 0) {
      suspectPages.delete(url)
      return pageBuffer.put(suspect.page)
    }
}

/**
 * Decides on all waiting pages, after the others were written. Returns true if pages failed, so that others may replace
 * them.
 */
export async function resolveSuspects(crawl: Crawl): Promise<boolean> {
  const { suspectPages, pageBuffer } = crawl
  let found = false
  for (const owner of await suspects(crawl)) {
    const changed = await changedPages(crawl, owner)
    if (changed.length < many) continue
    refuse(crawl, owner, changed)
    found = true
  }
  for (const [url, { page }] of [...suspectPages]) {
    await pageBuffer.put(page)
    suspectPages.delete(url)
  }
  await pageBuffer.flush()
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
async function changedPages(crawl: Crawl, owner: string): Promise<string[]> {
  const { suspectPages, memory, stored } = crawl
  const text = suspectPages.get(owner)?.textHash ?? (await memory.of(owner))?.textHash
  const changed = suspectPages.has(owner) ? [owner] : []
  for (const url of doublesOf(crawl, owner))
    if (stored.has(url) && (await memory.of(url))?.textHash !== text) changed.push(url)
  return changed
}

function doublesOf({ ledger }: Crawl, owner: string): string[] {
  return [...ledger.leadingTo(owner)].filter((url) => ledger.row(url)!.code === 'duplicate')
}

function refuse(crawl: Crawl, owner: string, changed: readonly string[]) {
  const { ledger, suspectPages, texts, stored } = crawl
  const suspect = suspectPages.get(owner)
  // If one page has always had the text, such as a login page, only the others are refused.
  const refused = suspect ? [owner, ...doublesOf(crawl, owner)] : changed
  const reason = `It says the same as ${changed.length - 1} other pages that said something else before; it seems to be a notice.`
  if (suspect) {
    suspectPages.delete(owner)
    if (texts.get(suspect.textHash) === owner) texts.delete(suspect.textHash)
    ledger.move(owner, { attempts: suspect.page.row.attempts ?? 1 })
  }
  for (const url of refused)
    ledger.move(url, {
      ...{ state: 'failed', code: 'notice' },
      reason: stored.has(url) ? `${reason} ${earlierTextKept}` : reason,
    })
  for (const url of refused) reinstate(crawl, url)
}
