import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { readFile } from '../read-file.js'
import { type ContextServices, sessionHandle, sittingOf } from './services.js'

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
  run: ({ library }: ContextServices, { start_line, end_line, session_id, ...args }, call) =>
    readFile(
      library,
      { ...args, startLine: start_line, endLine: end_line, sitting: sittingOf(call, session_id) },
      call,
    ),
  view: ({ notes, ...rest }) => ({ ...rest, ...(notes.length > 0 && { note: notes.join(' ') }) }),
})
