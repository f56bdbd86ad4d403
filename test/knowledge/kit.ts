// What the tests of the knowledge tools share: a world with all its tools, and the shapes of answers.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { knowledge } from '../../src/toolsets/knowledge/toolset.js'
import { type ToolsetWorld, toolsetWorld, type WorldOptions } from '../support/toolset-world.js'
import type { Files } from '../support/world.js'

export const someFiles: Files = {
  'guide.md':
    '# Lamp guide\n\nTrim the wick before the lamp is lit.\n\n## Oil\n\nUse rape oil, never petrol.\n',
  'table.csv': 'lamp,price\nstorm lantern,12\nbedside lamp,7\n',
  'page.html':
    '<html><head><title>Shop page</title></head><body><h1>Shop</h1><p>We sell wicks by the metre.</p></body></html>',
  'notes.txt': 'A plain note about chimneys and soot.\n',
}

export async function knowledgeWorld(t: TestContext, files: Files = someFiles, options: WorldOptions = {}) {
  const world = await toolsetWorld([documentsToolset, graph, knowledge], { files, ...options })
  t.after(() => world.close())
  return { ...world, ...verbs(world) }
}

/** One world for many cases that leave it as it was. */
export function sharedWorld(files: Files = someFiles): () => Promise<KnowledgeWorld> {
  let opened: Promise<ToolsetWorld> | null = null
  after(async () => (await opened)?.close())
  return async () => {
    opened ??= toolsetWorld([documentsToolset, graph, knowledge], { files })
    const world = await opened
    return { ...world, ...verbs(world) }
  }
}

export type KnowledgeWorld = Awaited<ReturnType<typeof knowledgeWorld>>

export interface Failed {
  success: false
  error: string
  suggestion: string
}

export interface DocumentAnswer {
  success: true
  document: {
    id: string
    title: string
    source_id: string
    path: string
    document_type: string
    url: string | null
    chunks_created?: number
    chunks_count?: number
    status: string
    created_at: string
    updated_at: string
    metadata: Record<string, unknown>
    note?: string
  }
  message: string
}

export interface ListAnswer {
  success: true
  documents: (DocumentAnswer['document'] & { chunks_count: number })[]
  total_count: number
  count: number
  page: number
  per_page: number
}

export interface SourceAnswer {
  success: true
  source: {
    id: string
    title: string
    url: string | null
    source_type: string
    documents_count: number
    status: string
  }
  message?: string
}

export interface SearchAnswer {
  success: true
  results: {
    chunk_id: string
    document_id: string
    document_title: string
    text: string
    score: number
    match_type: string
    metadata: {
      source_id: string
      chunk_index: number
      url: string | null
      path: string
      section?: string
      page?: number
    }
  }[]
  count: number
  search_type: string
  query: string
  note?: string
}

function verbs(world: ToolsetWorld) {
  const document = <T = DocumentAnswer>(args: object) => world.ask<T>('manage_document', args)
  const source = <T = SourceAnswer>(args: object) => world.ask<T>('manage_source', args)
  const search = <T = SearchAnswer>(args: object) => world.ask<T>('search_knowledge_base', args)
  return { document, source, search }
}

/** Every file of kept bytes, relative to their folder. */
export function blobFiles({ settings }: Library): string[] {
  const folder = join(settings.data, 'uploads')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort()
}
