// Addresses that give way to others, and documents that leave the library. No content may get lost: a page that gave way is
// fetched after all if the other page fails, and its document leaves only when the other one is in the library.
import { createYielder } from '../../runtime/yield.js'
import { htmlTwins } from '../../sources/web/urls.js'
import type { PageRow } from './ledger.js'
import type { PageMemory } from './memory.js'
import type { Crawl } from './plan.js'

/** Whether an address was read, or still may be. */
export function stands({ ledger }: Pick<Crawl, 'ledger'>, url: string): boolean {
  const state = ledger.row(url)?.state
  return state === 'pending' || state === 'crawled' || state === 'unchanged'
}

/** After a page gave way: fetches the other one next, and the pages that had given way to this one after all. */
export function gaveWay(crawl: Crawl, url: string, to: string, before: PageMemory | null) {
  release(crawl, url, before)
  // A Markdown version that moved still stands for its page; one that leads to a page does not.
  if (htmlTwins(to).length === 0) reinstate(crawl, url, 'twin')
  if (!stands(crawl, standIn(crawl, to))) reinstate(crawl, url)
  if (crawl.ledger.row(to)?.state === 'pending') crawl.frontier.add(to, first)
}

/** Before all others: a page that replaces one the crawl has just fetched. */
const first = -1

/**
 * A page no longer owns the text that it had before, so another page with that text is no duplicate. This is final, whatever
 * becomes of the page: otherwise three pages that exchange their texts in a ring would give way to each other forever.
 */
export function release(crawl: Crawl, url: string, before: PageMemory | null) {
  if (before === null) return
  if (crawl.texts.get(before.textHash) === url) crawl.texts.delete(before.textHash)
  reinstate(crawl, url, 'duplicate')
}

/** Fetches the pages that gave way to this one after all, since this one failed. */
export function reinstate(crawl: Crawl, url: string, ...codes: string[]) {
  const { ledger, frontier } = crawl
  const gave = codes.length > 0 ? codes : ['canonical', 'twin']
  for (const other of leadingTo(crawl, url)) {
    const { code, depth } = ledger.row(other)!
    if (!gave.includes(code ?? '')) continue
    ledger.move(other, { state: 'pending' })
    frontier.add(other, depth * 2)
  }
}

/** The pages that gave way to an address, or to one that redirects to it. */
function leadingTo({ ledger }: Crawl, url: string): Set<string> {
  const found = new Set<string>()
  const ends = new Set([url])
  for (const end of ends)
    for (const other of ledger.leadingTo(end)) {
      found.add(other)
      if (ledger.row(other)!.code === 'redirect') ends.add(other)
    }
  return found
}

/** Whether following redirects from one address comes to another. */
export function leadsTo(crawl: Crawl, from: string, to: string): boolean {
  return from === to || trail(crawl, from, ({ code }) => code === 'redirect').has(to)
}

/** The last address of a chain of pages that gave way to each other. */
function standIn(crawl: Crawl, url: string): string {
  return [...trail(crawl, url, () => true)].at(-1)!
}

/** The addresses on the way, each once, though it may be a circle. */
function trail({ ledger }: Crawl, from: string, follow: (row: PageRow) => boolean): Set<string> {
  const seen = new Set<string>()
  for (let at: string | undefined = from; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    const row = ledger.row(at)
    at = row && follow(row) ? row.to : undefined
  }
  return seen
}

/** Removes the documents of pages that gave way, if the other page is in the library. Returns whether one was removed. */
export async function settle(crawl: Crawl): Promise<boolean> {
  const yieldIfDue = createYielder()
  let left = false
  for (const url of [...crawl.stored]) {
    await yieldIfDue()
    if (!(await isElsewhere(crawl, url)) && !leadsNowhere(crawl, url)) continue
    await leave(crawl, url)
    left = true
  }
  return left
}

async function isElsewhere(crawl: Crawl, url: string): Promise<boolean> {
  const { code, to } = crawl.ledger.row(url) ?? {}
  if (to === undefined) return false
  // The other page's document has this page's present text, even if the other page cannot be read just now.
  if (code === 'duplicate' && crawl.stored.has(to)) return true
  const end = standIn(crawl, to)
  const state = crawl.ledger.row(end)?.state
  if (state !== 'crawled' && state !== 'unchanged') return false
  return !isForNow(crawl, url) || hasSameText(crawl, url, end)
}

/**
 * Whether the way from a page is one that its site may take back: to a login, or to a notice of works. A Markdown version
 * that leads to no other Markdown stands for no page, so from a page to that the way is certain.
 */
function isForNow(crawl: Crawl, url: string): boolean {
  const way = trail(crawl, url, ({ code }) => code !== 'twin')
  return [...way].some((address) => crawl.ledger.row(address)?.forNow)
}

/** Many sites never declare a redirect permanent. If the other page has the same text, nothing is lost. */
async function hasSameText({ memory }: Crawl, url: string, other: string): Promise<boolean> {
  const before = await memory.of(url)
  return before !== null && before.textHash === (await memory.of(other))?.textHash
}

/** At the end of a crawl: marks pages that lead away as failed if their documents stayed. */
export async function failTemporary(crawl: Crawl): Promise<void> {
  const { ledger, stored } = crawl
  const yieldIfDue = createYielder()
  for (const url of stored) {
    await yieldIfDue()
    const row = ledger.row(url)
    if (row?.state !== 'excluded' || !leadsAway.has(row.code) || !isForNow(crawl, url)) continue
    ledger.move(url, { ...row, state: 'failed', reason: `${row.reason} (for now). ${earlierTextKept}` })
  }
}

const leadsAway = new Set<string | undefined>(['redirect', 'elsewhere', 'canonical'])

/** The end of the reason for a page whose document of an earlier crawl stays. */
export const earlierTextKept = 'Its earlier text is kept.'

/** Sites send readers of pages they took down to one that says so. */
function leadsNowhere(crawl: Crawl, url: string): boolean {
  return [...trail(crawl, url, ({ code }) => code === 'redirect')].some((address) => crawl.gone.has(address))
}

/** Records that an answer was no page. If there was one before, this may be a temporary error, so its document stays. */
export function noPage(
  { ledger, stored }: Crawl,
  url: string,
  { reason, ...change }: Pick<PageRow, 'attempts'> & { code: string; reason: string },
) {
  if (stored.has(url))
    ledger.move(url, { ...change, state: 'failed', reason: `${reason} ${earlierTextKept}` })
  else ledger.move(url, { ...change, state: 'excluded', reason })
}

/** Records that a page is gone for good. */
export async function vanish(crawl: Crawl, url: string) {
  crawl.gone.add(url)
  await leave(crawl, url)
}

/** Removes the document of a page that is gone; pages with the same text are no longer its duplicates. */
export async function leave(crawl: Crawl, url: string) {
  if (!crawl.stored.delete(url)) return
  const before = await crawl.memory.of(url)
  if (await crawl.forget(url)) crawl.ledger.tally.removed++
  await crawl.memory.forget(url)
  release(crawl, url, before)
}
