// The messages between a crawl and the process that reads its pages.
import type { PackedDocument } from '../task.js'

export interface PageTask {
  source: string
  url: string
  /** Links to other sites are left out. */
  site: string
  bytes: Uint8Array
  /** As the server says, in lower case; null when it does not. */
  type: string | null
  charset: string | null
  /** Header lines that say the same as tags in the page. */
  robots: readonly string[]
  canonical: string | null
  /** When it was fetched (ms). */
  fetchedAt: number
  /** Kept with the document. */
  details: Record<string, unknown>
}

/** What was read from a page. */
export interface PageReading {
  document: PackedDocument
  title: string
  /** Facts from the page and from its server. */
  metadata: Record<string, unknown>
  /** The bytes to store, under a name whose ending tells how to read them; null: the bytes as received. */
  name: string
  textBytes: Uint8Array | null
  chunks: number
  /** Hash of the indexed text: equal for pages with the same text. */
  textHash: string
  chars: number
  /** Addresses on the same site, tidied, in order. */
  links: string[]
  /** There are more than that. */
  linksCut: boolean
  /** On the same site, and another page than this; null otherwise. */
  canonical: string | null
  refresh: string | null
  noindex: boolean
  nofollow: boolean
  /** Says in words that there is no such page, whatever its status was. */
  missing: boolean
  /** Hardly any text, and scripts that would make some. */
  scripted: boolean
}

export const htmlTypes = ['text/html', 'application/xhtml+xml']

/** The content types that can be read. */
export const pageTypes = [
  ...htmlTypes,
  'text/plain',
  'text/markdown',
  'text/x-markdown',
  'application/pdf',
  'application/octet-stream',
  'application/epub+zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
