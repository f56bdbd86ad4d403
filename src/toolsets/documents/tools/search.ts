import { z } from 'zod'
import { type FoundPassage, isMiss, type Miss } from '../../../answer/find-passages.js'
import { aboutLines } from '../../../answer/notes/answer-notes.js'
import { type Passages, searchAll, searchDocuments } from '../../../answer/search-documents.js'
import type { Section } from '../../../model/document.js'
import type { Note } from '../../../model/problem.js'
import { shortened } from '../../../retrieve/passages.js'
import { defineTool } from '../../../server/define.js'
import {
  collectionFields,
  collections,
  type DocumentsServices,
  filterFields,
  filtersOf,
  hybridSearch,
  maxDistance,
  maxTokens,
  mostTokens,
  named,
  noted,
  rounded,
  section,
  standingFields,
  standingOf,
} from '../../../server/fields.js'
import type { RelatedAnswer } from '../related.js'

/** One row of a search. */
export const passage = z.object({
  ...collectionFields,
  documentId: z.string(),
  documentTitle: z.string(),
  sectionHeading: z.string().optional(),
  content: z.string(),
  relevanceScore: z.number(),
  /** Left out where there is no vector to measure. */
  distance: z.number().optional(),
  chunkIndex: z.int().describe('Position in the document, from 1'),
  totalChunks: z.int(),
  lines: z.array(z.int()),
  ...standingFields,
  note: z.string().optional(),
})

function showPassage(found: FoundPassage): z.input<typeof passage> {
  return {
    ...named(found.source),
    documentId: found.ref.path,
    documentTitle: found.document.title,
    ...(found.heading === null ? {} : { sectionHeading: found.heading }),
    content: found.text,
    relevanceScore: rounded(found.score),
    ...(found.distance === null ? {} : { distance: rounded(found.distance) }),
    chunkIndex: found.index + 1,
    totalChunks: found.document.chunkCount,
    lines: found.lines,
    ...standingOf(found),
    ...noted(aboutLines({ ...found.document, source: found.source })),
  }
}

/** A cut ends with the call that has the rest. */
export function wayOn({ heading, lines, ref }: Pick<FoundPassage, 'heading' | 'lines' | 'ref'>): string {
  const rest =
    heading === null ? `documents_get_document has ${ref.path}` : `documents_get_section has "${heading}"`
  return `\n[cut from lines ${lines[0]}-${lines[1]}: ${rest}]`
}

export const heading = z.object({ level: z.int(), text: z.string(), line: z.int() })

export function showHeading({ level, text, line }: Section): z.input<typeof heading> {
  return { level, text, line }
}

/** Several questions share the room: the best passage of each comes first, then the second of each. */
function withinRoom(
  answers: readonly (Passages | Miss)[],
  ending: (passage: FoundPassage) => string,
): (Passages | Miss)[] {
  const all = answers.flatMap((answer) =>
    isMiss(answer) ? [] : answer.passages.map((passage, rank) => ({ passage, rank, asked: answer.query })),
  )
  const shown = shortened(
    all.toSorted((a, b) => a.rank - b.rank),
    ending,
  )
  return answers.map((answer) => {
    if (isMiss(answer)) return answer
    const passages = answer.passages.map((passage) => shown.get(passage)!)
    return { ...answer, passages, notes: [...answer.notes, ...aboutCuts(passages)] }
  })
}

/** Without a question, related passages are cut at their end. */
export function relatedWithinRoom(
  answer: RelatedAnswer,
  query: string,
  ending: (passage: RelatedAnswer['related'][number]) => string,
): RelatedAnswer {
  const shown = shortened(
    answer.related.map((passage) => ({ passage, asked: query })),
    ending,
  )
  const related = [...shown.values()]
  return { ...answer, related, notes: [...answer.notes, ...aboutCuts(related)] }
}

function aboutCuts(shown: readonly { cut: boolean }[]): Note[] {
  const cut = shown.filter((one) => one.cut).length
  if (cut === 0) return []
  const some = cut === 1 ? '1 passage is' : `${cut} passages are`
  return [{ code: 'cut', message: `${some} shown in part, since the answer would be too long otherwise.` }]
}

export const searchTool = defineTool({
  name: 'documents_search',
  title: 'Search documents',
  summary: 'Finds the passages that answer a question, best first. "Quotes" ask for an exact phrase.',
  effect: 'read',
  input: z.object({
    query: z.string().describe('What to look for'),
    collections,
    document: z.string().optional().describe('Only this document'),
    section: section.optional().describe('Only below this heading'),
    limit: z.int().min(1).default(10).describe('Most passages to return, up to 100'),
    maxDistance,
    hybridSearch,
    rerank: z.boolean().default(false).describe('Judge the best again'),
    max_tokens: maxTokens,
    ...filterFields,
  }),
  clamp: { limit: 100, max_tokens: mostTokens },
  output: z.union([z.array(passage), z.string()]),
  examples: [
    { title: 'A question', args: { query: 'how are retries limited', limit: 3 } },
    {
      title: 'Inside one section',
      args: { query: 'signature', document: 'guides/api-reference.md', section: 'Errors', limit: 2 },
    },
  ],
  run: async (
    { library }: DocumentsServices,
    { query, collections, document, section, limit, maxDistance, hybridSearch, rerank, max_tokens, ...rest },
    { signal },
  ) => {
    const request = { query, collections, document, section }
    const answer = await searchDocuments(library, request, {
      limit,
      maxDistance,
      maxTokens: max_tokens,
      ending: wayOn,
      mode: modeOf(hybridSearch, rerank),
      filters: filtersOf(rest),
      weak: rest.weak,
      signal,
    })
    return max_tokens === undefined ? withinRoom([answer], wayOn)[0]! : answer
  },
  view: (found) => {
    if (isMiss(found)) return found.miss
    // A list has no place for a note of its own: the first row carries it.
    return found.passages.map((one, i) => {
      const row = showPassage(one)
      const own = row.note === undefined ? [] : [{ message: row.note }]
      return i === 0 ? { ...row, ...noted([...found.notes, ...own]) } : row
    })
  },
  note: (found) => (isMiss(found) || found.passages.length > 0 ? null : (noted(found.notes).note ?? null)),
})

function modeOf(hybrid: boolean, rerank: boolean) {
  if (rerank) return 'rerank'
  return hybrid ? 'hybrid' : 'vector'
}

export const searchBatchTool = defineTool({
  name: 'documents_search_batch',
  title: 'Search documents for several questions',
  summary: 'Answers up to 10 searches at once.',
  effect: 'read',
  input: z.object({
    queries: z
      .array(z.strictObject({ query: z.string().describe('What to look for'), collections }))
      .min(1)
      .max(10)
      .describe('The searches'),
    limit: z.int().min(1).default(5).describe('Most passages per query, up to 50'),
    maxDistance,
    hybridSearch,
    path: filterFields.path,
    weak: filterFields.weak,
  }),
  clamp: { limit: 50 },
  output: z.object({
    results: z.array(z.object({ query: z.string(), results: z.array(passage), note: z.string().optional() })),
  }),
  examples: [
    {
      title: 'Two questions',
      args: { queries: [{ query: 'quiet hours' }, { query: 'webhook signatures' }], limit: 2 },
    },
  ],
  run: async (
    { library }: DocumentsServices,
    { queries, limit, maxDistance, hybridSearch, ...rest },
    { signal },
  ) => {
    const mode = hybridSearch ? 'hybrid' : 'vector'
    const how = { limit, maxDistance, mode, filters: filtersOf(rest), weak: rest.weak, signal } as const
    return withinRoom(await searchAll(library, queries, how), wayOn)
  },
  view: (answers, { queries }) => ({
    results: answers.map((answer, i) => {
      const { query } = queries[i]!
      if (isMiss(answer)) return { query, results: [], note: answer.miss }
      return { query, results: answer.passages.map(showPassage), ...noted(answer.notes) }
    }),
  }),
})
