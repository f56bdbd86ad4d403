import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { filterFields, filtersOf } from '../../../server/fields.js'
import { searchContext } from '../search.js'
import { type ContextServices, sittingOf } from './services.js'

export const contextSearch = defineTool({
  name: 'context_search',
  title: 'Search the project memory',
  summary:
    'Find recorded patterns, rules, decisions and issues, earlier sessions and code, by meaning and words, best first.',
  input: z.object({
    query: z.string().min(3).max(500).describe('What to find'),
    type: z
      .enum(['all', 'pattern', 'rule', 'decision', 'issue'])
      .default('all')
      .describe('Only discoveries of this type'),
    module: z.string().max(200).optional().describe('Only this module: "auth" for src/auth'),
    limit: z.int().min(1).max(20).default(5).describe('Maximum results'),
    path: filterFields.path,
    language: filterFields.language,
    since: filterFields.since,
    weak: filterFields.weak,
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        type: z.enum(['pattern', 'rule', 'decision', 'issue', 'session', 'code']),
        content: z.string(),
        module: z.string().nullable(),
        session: z.string().nullable(),
        date: z.string().nullable(),
        score: z.number(),
        source: z.enum(['discovery', 'session', 'code']),
        collection: z.string().optional(),
        file: z.string().optional(),
        lines: z.array(z.number()).optional(),
        supersededBy: z.string().optional(),
      }),
    ),
    query: z.string(),
    totalFound: z.number(),
    searchTime: z.number(),
    note: z.string().optional(),
  }),
  effect: 'read',
  wrong: (field, given) =>
    field === 'query' && typeof given === 'string' && given.length < 3
      ? { message: 'Query must be at least 3 characters' }
      : null,
  limits: { perMinute: 30 },
  examples: [
    { title: 'Anything on a subject', args: { query: 'how are retries bounded', limit: 3 } },
    { title: 'Decisions in one module', args: { query: 'retry budget', type: 'decision', module: 'api' } },
  ],
  run: ({ library }: ContextServices, args, call) =>
    searchContext(library, { ...args, filters: filtersOf(args) }, sittingOf(call), call.signal),
  view: ({ notes, ...answer }) => ({
    ...answer,
    ...(notes.length > 0 && { note: notes.map(({ message }) => message).join(' ') }),
  }),
})
