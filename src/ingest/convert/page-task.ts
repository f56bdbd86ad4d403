// What passes between a crawl and the process that reads its pages.
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
  /** When it was asked for (ms). */
  fetchedAt: number
  /** Kept with the document. */
  details: Record<string, unknown>
}

/** A page as it was understood. */
export interface PageReading {
  document: PackedDocument
  title: string
  /** What the page and its server say about it. */
  metadata: Record<string, unknown>
  /** What is kept of it, under a name that tells how to read it; null: the bytes as they came. */
  name: string
  kept: Uint8Array | null
  chunks: number
  /** Of the text as it is kept: pages that say the same have the same. */
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

/** What a server may call what we read. */
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
