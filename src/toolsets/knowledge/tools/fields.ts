// Shared by the knowledge tools.
import { z } from 'zod'
import type { Library } from '../../../answer/library.js'
import { Problem } from '../../../model/problem.js'
import { redact } from '../../../text/redact.js'
import { truncate } from '../../../text/truncate.js'
import type { KnownDocument } from '../describe.js'

/** The services that these tools use. */
export interface KnowledgeServices {
  library: Library
}

export const sourceId = z.string().max(600).optional()
export const page = z.int().min(1).default(1).describe('Page of the list')
export const perPage = z.int().min(1).default(10).describe('Items a page, at most 20')
/** The maxima of both, for a tool's `clamp`. */
export const pageMaxima = { page: 100_000_000, per_page: 20 }

export const failed = z.object({ success: z.boolean(), error: z.string(), suggestion: z.string() })

/** The part of a list that a page shows. */
export function pageOf({ page, per_page }: { page: number; per_page: number }) {
  return { offset: (page - 1) * per_page, limit: per_page }
}

/** Which part of a list is shown, and of how many. */
export const pageFields = { total_count: z.int(), count: z.int(), page: z.int(), per_page: z.int() }

export function paged(
  { page, per_page }: { page: number; per_page: number },
  shown: readonly unknown[],
  total: number,
) {
  return { total_count: total, count: shown.length, page, per_page }
}

/** Undefined for an empty text: programs send one for a parameter that they have no value for. */
export function unlessBlank(value: string | undefined): string | undefined {
  return value?.trim() ? value : undefined
}

/** An argument that one of a tool's actions cannot do without. */
export function required(value: string | undefined, name: string, action: string, hint: string): string {
  const given = unlessBlank(value)
  if (given !== undefined) return given
  throw new Problem('missing', `${name} required for ${action}`, hint)
}

/** The specification's words for a choice that there is not. */
export function unknownChoice(field: string, choices: readonly string[], message: string) {
  const quoted = choices.map((one) => `'${one}'`)
  const hint = `Use ${quoted.slice(0, -1).join(', ')}, or ${quoted.at(-1)}`
  return (named: string, given: unknown) =>
    named === field && typeof given === 'string'
      ? { message: `${message}: ${truncate(redact(given.slice(0, 2_000)), 100, '…')}`, hint }
      : null
}

export function shortTitle(title: string): string {
  return truncate(title, 200, '...')
}

/** The fields that every view of a document has. */
export function documentFields({ id, title, ref, format, createdAt, ...rest }: KnownDocument) {
  return {
    id,
    title: shortTitle(title),
    source_id: ref.source,
    path: ref.path,
    document_type: format,
    url: rest.url,
    created_at: createdAt,
    status: rest.status,
    ...(rest.error === null ? {} : { error: rest.error }),
  }
}
