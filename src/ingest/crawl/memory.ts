// Remembers facts of a source's pages from one crawl to the next, so that an unchanged page costs nothing.
import type { Store } from '../../store/port.js'

export interface PageMemory {
  etag: string | null
  lastModified: string | null
  /** Hash of the received bytes and of the headers that change how they are read. `textHash` is that of the indexed text. */
  bytesHash: string
  textHash: string
  chunks: number
}

export interface Memory {
  of(url: string): Promise<PageMemory | null>
  linksOf(url: string): Promise<string[]>
  /** The records to write when a page was stored. */
  records(
    url: string,
    page: PageMemory,
    links: readonly string[],
  ): { kind: string; id: string; value: unknown }[]
  forget(url: string): Promise<void>
  /** Every page remembered, with the hash of its text. */
  all(): Promise<Map<string, string>>
}

const pagesKind = (source: string) => `~crawled/${source}`
const linksKind = (source: string) => `~crawled-links/${source}`

export function memoryOf({ records }: Pick<Store, 'records'>, source: string): Memory {
  return {
    of: (url) => records.get<PageMemory>(pagesKind(source), url),
    linksOf: async (url) => (await records.get<string[]>(linksKind(source), url)) ?? [],
    records: (url, page, links) => [
      { kind: pagesKind(source), id: url, value: page },
      { kind: linksKind(source), id: url, value: links },
    ],
    async forget(url) {
      await records.delete(pagesKind(source), url)
      await records.delete(linksKind(source), url)
    },
    async all() {
      const pages = await records.all<PageMemory>(pagesKind(source))
      return new Map(pages.map(({ id, value }) => [id, value.textHash]))
    },
  }
}

/** When a source goes, with all its documents. */
export async function forgetMemory({ records }: Pick<Store, 'records'>, source: string): Promise<void> {
  await records.clear(pagesKind(source))
  await records.clear(linksKind(source))
}
