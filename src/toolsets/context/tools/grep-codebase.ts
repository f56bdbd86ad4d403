import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { grepCodebase as grep } from '../grep.js'
import { type ContextServices, sittingOf } from './services.js'

export const grepCodebase = defineTool({
  name: 'grep_codebase',
  title: 'Search text in files',
  summary:
    'Find a regular expression in the project files, with two lines around each match. For exact names and strings. Honours .gitignore.',
  input: z.object({
    pattern: z.string().min(1).max(200).describe('Regex (no look-around)'),
    filePattern: z.string().max(1_000).optional().describe('Glob of files, e.g. "src/**/*.ts"'),
    caseSensitive: z.boolean().default(false).describe('Tell case apart'),
    limit: z.int().min(1).max(100).default(50).describe('Maximum matches shown'),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        column: z.number(),
        text: z.string(),
        context: z.object({ before: z.array(z.string()), after: z.array(z.string()) }),
      }),
    ),
    pattern: z.string(),
    totalMatches: z.number(),
    filesSearched: z.number(),
    searchTime: z.number(),
    message: z.string().optional(),
    note: z.string().optional(),
  }),
  effect: 'read',
  limits: { perMinute: 60 },
  examples: [
    { title: 'Where a name is used', args: { pattern: 'retryBudget', filePattern: '**/*.ts', limit: 3 } },
    { title: 'Nothing there', args: { pattern: 'nonexistent_name' } },
  ],
  run: ({ library }: ContextServices, args, call) => grep(library, args, sittingOf(call), call.signal),
  view: ({ notes, ...answer }, { pattern }) => ({
    ...answer,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...(answer.totalMatches === 0 && { message: `No matches found for pattern '${pattern}'` }),
  }),
})
