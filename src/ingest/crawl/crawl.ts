// A crawl under way, as its parts see it.
import type { Fetcher } from '../../sources/web/fetch.js'
import type { Renderer } from '../../sources/web/render.js'
import type { Store } from '../../store/port.js'
import type { ConvertPool } from '../convert/convert-pool.js'
import type { Frontier } from './frontier.js'
import type { Guides } from './guide-files.js'
import type { Ledger } from './ledger.js'
import type { Memory } from './memory.js'
import type { Pace } from './pace.js'
import type { KeepPages, Shelf } from './page-cache.js'
import type { CrawlPlan } from './plan.js'
import type { Doubt } from './soft-errors.js'

export interface Crawl extends CrawlPorts {
  plan: CrawlPlan
  ledger: Ledger
  signal: AbortSignal
  guides: Guides
  memory: Memory
  frontier: Frontier
  shelf: Shelf
  /** Pages that were read and are not written yet, by address: they may be a notice. */
  doubts: Map<string, Doubt>
  /** Pages of the source that are in the store. */
  stored: Set<string>
  /** Addresses that are certain to have no page. */
  gone: Set<string>
  /** Whose text has this hash. */
  texts: Map<string, string>
  /** Pages whose Markdown version is read in their place, if it can be. */
  twins: Map<string, string>
  /** How many addresses of one shape were taken up. */
  shapes: Map<string, number>
  /** The long delay that was told of; 0 when there is none. */
  slow: { delayMs: number }
  /** Pages in a row for which the site did not answer. */
  silence: number
}

export interface CrawlPorts {
  store: Pick<Store, 'records' | 'fingerprints'>
  keep: KeepPages
  /** Takes a page out of the library; false when it was not in it. */
  forget(url: string): Promise<boolean>
  fetcher: Fetcher
  pages: Pick<ConvertPool, 'page'>
  pace: Pace
  /** Told once that the site wants so long a delay that the crawl does hardly anything but wait. */
  onSlow(): void
  /** Where pages are to be shown as their scripts build them. */
  renderer?: Pick<Renderer, 'render'>
}
