import { z } from 'zod'
import { defineTool, defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { grepCodebase as grep } from './grep.js'
import { readFile } from './read-file.js'
import { recordDiscovery } from './tools/record-discovery.js'
import { contextResources } from './tools/resources.js'
import { contextSearch } from './tools/search.js'
import { type ContextServices, sessionHandle, sittingOf } from './tools/services.js'

const line = z.int().min(1).max(10_000_000).optional()

export const readFileTool = defineTool({
  name: 'read_file',
  title: 'Read a file',
  summary:
    'Read a file of the project (up to 1 MB), whole or some lines, with the project files it imports. Never reads .env, .git or node_modules.',
  effect: 'read',
  input: z.object({
    path: z.string().min(1).max(20_000).describe('Path relative to the project root'),
    includeDeps: z.boolean().default(false).describe('Add the content of the files it imports'),
    maxDepth: z.int().min(0).max(1).default(1).describe('0 leaves dependencies out'),
    start_line: line.describe('First line to return'),
    end_line: line.describe('Last line to return'),
    symbol: z.string().max(300).optional().describe('Only this function, class or heading: "Client.send"'),
    line_numbers: z.boolean().default(false).describe('Number the lines'),
    session_id: sessionHandle.optional().describe('Session to count the reading for'),
  }),
  output: z.object({
    file: z.object({
      path: z.string(),
      content: z.string(),
      size: z.number(),
      lines: z.number(),
      language: z.string(),
      startLine: z.number().optional(),
      endLine: z.number().optional(),
    }),
    dependencies: z.array(
      z.object({ path: z.string(), type: z.string(), level: z.number(), content: z.string().optional() }),
    ),
    metadata: z.object({ module: z.string(), role: z.string(), lastModified: z.string() }),
    dependencyError: z.string().optional(),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'A file and what it imports', args: { path: 'code/api/src/server.ts' } },
    {
      title: 'Some lines, without dependencies',
      args: { path: 'code/wick/wick.c', maxDepth: 0, start_line: 1, end_line: 12 },
    },
    { title: 'With the content of its imports', args: { path: 'code/scheduler/main.go', includeDeps: true } },
  ],
  limits: { perMinute: 100 },
  run: ({ library }: ContextServices, { start_line, end_line, session_id, line_numbers, ...args }, call) =>
    readFile(
      library,
      {
        ...args,
        startLine: start_line,
        endLine: end_line,
        lineNumbers: line_numbers,
        sitting: sittingOf(call, session_id),
      },
      call,
    ),
  view: ({ notes, ...rest }) => ({ ...rest, ...(notes.length > 0 && { note: notes.join(' ') }) }),
})

const grepCodebase = defineTool({
  name: 'grep_codebase',
  title: 'Search text in files',
  summary:
    'Find a regular expression in the project files: one row a line, with the function around it. For exact names and strings; for questions take context_search first.',
  input: z.object({
    pattern: z.string().min(1).max(200).describe('Regex (no look-around)'),
    filePattern: z.string().max(1_000).optional().describe('Glob of files, e.g. "src/**/*.ts"'),
    caseSensitive: z.boolean().default(false).describe('Tell case apart'),
    limit: z.int().min(1).max(100).default(50).describe('Maximum matches shown'),
    context: z.int().min(0).max(10).default(2).describe('Lines around each match'),
    exclude: z.string().max(1_000).optional().describe('Glob of files to leave out'),
    tests: z.boolean().default(true).describe('false: no tests or generated files'),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        column: z.number(),
        text: z.string(),
        context: z.object({ before: z.array(z.string()), after: z.array(z.string()) }),
        enclosing: z.string().optional(),
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
  run: ({ library }: ContextServices, { context, ...args }, call) =>
    grep(library, { ...args, contextLines: context }, sittingOf(call), call.signal),
  view: ({ notes, ...answer }, { pattern }) => ({
    ...answer,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...(answer.totalMatches === 0 && { message: `No matches found for pattern '${pattern}'` }),
  }),
})

export const context = defineToolset<ContextServices>({
  name: 'context',
  title: 'Project memory and code',
  purpose:
    'Find what was learned about the project in earlier sessions, search and read its code, and record discoveries.',
  errorShape: errorShapes.context,
  // `recordDiscovery` comes first, so that the examples after it find something.
  tools: [recordDiscovery, contextSearch, readFileTool, grepCodebase],
  resources: contextResources,
})
