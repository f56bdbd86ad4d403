// What the server's answers look like, as far as the page reads them, and the page's own nouns. Browsers never load this.

interface Status {
  root: string
  /** As the server calls itself. */
  url: string
  collections: { name: string; documents: number; chunks: number }[]
  documents: number
  chunks: number
  indexing: object | null
  lastIndexed: string | null
  lastFailures: { path: string; reason: string }[]
  vectors: { count: number }[]
  doing: Doing | null
  connect: { client: string; text: string }[]
}

interface Doing {
  phase: 'waiting' | 'listing' | 'reading' | 'settling' | 'embedding' | 'crawling'
  subject: string
  done: number
  total: number
  chunks: number
}

interface Hit {
  collection: string
  documentId: string
  documentTitle: string
  sectionHeading?: string
  content: string
  relevanceScore: number
  lines: [number, number]
  note?: string
}

interface Heading {
  level: number
  text: string
  line: number
}

interface Part {
  title?: string
  content: string
  /** Of a section. */
  startLine?: number
  nextCursor?: string
  note?: string
}

interface Tool {
  name: string
  toolset: string
  description: string
  effect: string
}

interface Address {
  collection: string
  document: string
}

/** What the address bar says. */
interface Place {
  q: string
  /** Empty for all. */
  source: string
  open: Address | null
  /** Of what is open. */
  lines: [number, number] | null
  connect: boolean
}

type Go = (place: Place, how?: 'push' | 'replace') => void

/** A piece of a document as it is shown. */
interface Stretch {
  title: string
  text: string
  startLine: number
  next?: Next
  note: string
}

/** Where a document goes on: at a cursor, within a section or without one, or with another section. */
interface Next {
  section?: string
  cursor?: string
}
