// Shared by the documents tools: arguments, and the fields of a collection and a note.
import { z } from 'zod'
import type { Library } from '../answer/library.js'
import type { Note } from '../model/problem.js'
import type { Source } from '../model/source.js'

/** What these tools work on. */
export interface DocumentsServices {
  library: Library
}

export const collection = z.string().describe('Collection name or id')
export const document = z.string().describe('Document id')
export const collections = z.array(z.string()).max(100).optional().describe('Limit to these collections')
/** Longer than any real heading; a part of a heading is enough to find it. */
export const section = z.string().max(4_500)
export const maxDistance = z.number().min(0).max(2).optional().describe('Largest cosine distance, 0..2')
export const hybridSearch = z.boolean().default(true).describe('Search by words too, not only by meaning')
export const maxTokens = z.int().min(50).optional().describe('Most text to return')
/** The maximum that every tool with `max_tokens` lowers it to. */
export const mostTokens = 200_000
export const cursor = z.string().max(60).optional().describe('nextCursor of the part before')

export const collectionFields = { collection: z.string(), collectionId: z.string().optional() }

/** Of a document's text, or a part of it. */
export const partFields = { nextCursor: z.string().optional(), note: z.string().optional() }

/** The alias, and the id where that is another name. */
export function named({ name, id }: Source): { collection: string; collectionId?: string } {
  return { collection: name, ...(id === name ? {} : { collectionId: id }) }
}

/** Notes as one optional field. */
export function noted(notes: readonly Pick<Note, 'message'>[]): { note?: string } {
  const messages = [...new Set(notes.map(({ message }) => message))]
  return messages.length > 0 ? { note: messages.join(' ') } : {}
}

export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
