// Shared by the documents tools: arguments, and the fields of a collection and a note.
import { z } from 'zod'
import type { Library } from '../answer/library.js'
import type { Filters } from '../answer/search-documents.js'
import type { Hit } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import { type DocumentKind, documentKinds } from '../model/scope.js'
import type { Source } from '../model/source.js'

/** What these tools work on. */
export interface DocumentsServices {
  library: Library
}

export const collection = z.string().describe('Collection name or id')
export const document = z.string().describe('Document id')
export const collections = z.array(z.string()).max(100).optional().describe('Only these collections')
/** Longer than any real heading; a part of a heading is enough to find it. */
export const section = z.string().max(4_500)
export const maxDistance = z.number().min(0).max(2).optional().describe('Largest cosine distance, 0..2')
export const hybridSearch = z.boolean().default(true).describe('By words too, not only meaning')
export const maxTokens = z.int().min(50).optional().describe('Most text to return')
/** The maximum that every tool with `max_tokens` lowers it to. */
export const mostTokens = 200_000
export const cursor = z.string().max(60).optional().describe('nextCursor of the part before')

const guarded = 4_500

/** The filters of every search, and the way past silence. */
export const filterFields = {
  path: z.string().max(guarded).optional().describe('Only in this folder'),
  language: z.string().max(guarded).optional().describe('Only code in it'),
  kind: z.enum(documentKinds).optional().describe('Only this'),
  since: z.string().max(guarded).optional().describe('A date, or 7d'),
  weak: z.boolean().optional().describe('Show poor hits'),
}

/** The filters of a call as a search takes them. */
export function filtersOf({ path, language, kind, since }: FilterArguments): Filters {
  return {
    ...(path === undefined ? {} : { under: [path] }),
    ...(language === undefined ? {} : { languages: [language] }),
    ...(kind === undefined ? {} : { kinds: [kind] }),
    since,
  }
}

interface FilterArguments {
  path?: string | undefined
  language?: string | undefined
  kind?: DocumentKind | undefined
  since?: string | undefined
}

export const collectionFields = { collection: z.string(), collectionId: z.string().optional() }

/** Of a document's text, or a part of it. */
export const partFields = { nextCursor: z.string().optional(), note: z.string().optional() }

/** The alias, and the id where that is another name. */
export function named({ name, id }: Source): { collection: string; collectionId?: string } {
  return { collection: name, ...(id === name ? {} : { collectionId: id }) }
}

/** Of what no longer holds: its status, and the documents that took its place. */
export const standingFields = {
  status: z.string().optional(),
  supersededBy: z.array(z.string()).optional(),
}

export function standingOf({ standing }: Pick<Hit, 'standing'>): {
  status?: string
  supersededBy?: string[]
} {
  if (!standing) return {}
  const supersededBy = standing.successors.map(({ path }) => path)
  return { status: standing.status, ...(supersededBy.length > 0 ? { supersededBy } : {}) }
}

/** Notes as one optional field. */
export function noted(notes: readonly Pick<Note, 'message'>[]): { note?: string } {
  const messages = [...new Set(notes.map(({ message }) => message))]
  return messages.length > 0 ? { note: messages.join(' ') } : {}
}

export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
