// What the tests of the documents toolset ask, and what they are answered.
import { after } from 'node:test'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { toolsetWorld, type WorldOptions } from '../support/toolset-world.js'
import type { Files } from '../support/world.js'

export interface Row {
  collection: string
  collectionId?: string
  documentId: string
  documentTitle: string
  sectionHeading?: string
  content: string
  relevanceScore: number
  distance: number | null
  chunkIndex: number
  totalChunks: number
  lines: [number, number]
  note?: string
}
export interface Heading {
  level: number
  text: string
  line: number
}
export interface DocumentAnswer {
  content: string
  title: string
  outline?: Heading[]
  nextCursor?: string
  note?: string
}
export interface SectionAnswer {
  section: string
  level: number
  content: string
  startLine: number
  endLine: number
  nextCursor?: string
  note?: string
}
export interface Related {
  source: { collection: string; document: string }
  related: { collection: string; document: string; content: string; relevanceScore: number }[]
  note?: string
}

export const sample = await toolsetWorld(documentsToolset, {
  folders: { library: { path: '.', description: 'How Lantern works' } },
})
after(() => sample.close())

export async function small(
  t: { after(fn: () => Promise<void>): void },
  files: Files,
  options: WorldOptions = {},
) {
  const world = await toolsetWorld(documentsToolset, { files, ...options })
  t.after(() => world.close())
  return world
}

export const twoShelves = {
  folders: { second: { path: 'b' }, first: { path: 'a', description: 'The first shelf' } },
}
