// The desk: seven lookup tools for agents, which answer in plain text and keep within a number of characters.
import { z } from 'zod'
import type { Library } from '../../answer/library.js'
import { type DiscoveryType, discoveryTypes } from '../../model/discovery.js'
import { type Call, defineTool, defineToolset, type Toolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { type BearingDecision, decisionText } from './decision-text.js'
import { find } from './find.js'
import { grep, placesIn } from './grep.js'
import { outline } from './outline.js'
import { read } from './read.js'
import { usesOfEach } from './uses.js'

interface DeskServices {
  library: Library
}

/** What other toolsets do for the desk. */
export interface DeskParts {
  remember(
    library: Library,
    said: { type: DiscoveryType; content: string },
    call: Call,
  ): Promise<{ state: string; supersedes: string[] }>
  bearing(
    library: Library,
    proposal: string,
    signal: AbortSignal,
  ): Promise<{ decisions: BearingDecision[]; notes: string[] }>
}

const where = z.string().max(1_000).optional().describe('Folder or glob; ! excludes: "src,!src/legacy"')
const kind = z.enum(['all', 'code', 'docs']).default('all').describe('One side only')
const budget = (most: number) =>
  z.int().min(200).max(50_000).default(most).describe('Characters of the answer')
const text = z.string()
const plain = { output: text, plain: true, view: (answer: string) => answer } as const

const findTool = defineTool({
  name: 'find',
  title: 'Find',
  summary:
    'Start here: ask in your own words over code, documents, decisions and memory. Gives the best functions and sections whole, the rest as pointers for read. These are the lines of the files: cite them, do not read them again.',
  effect: 'read',
  input: z.object({
    question: z.string().min(1).max(2_000).describe('In plain words'),
    in: where,
    kind,
    budget: budget(4_000),
  }),
  ...plain,
  examples: [{ title: 'A question', args: { question: 'how are retries limited' } }],
  run: ({ library }: DeskServices, { question, in: within, kind, budget }, { signal }) =>
    find(library, { question, within: placesIn(within), kind, budget }, signal),
})

const usesTool = defineTool({
  name: 'uses',
  title: 'Uses of a name',
  summary:
    'Where a name (function, class, constant, setting) is defined, and every line that uses it, with its enclosing function in brackets (once for the lines that follow in it); imports, comments, documents and tests counted apart. Complete: no grep needed.',
  effect: 'read',
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(200)
      .describe('"parseHeader", "Client.send" or "module.name"; several with commas'),
    in: where,
    budget: budget(5_000),
  }),
  ...plain,
  examples: [{ title: 'A function', args: { name: 'retryBudget' } }],
  run: ({ library }: DeskServices, { name, in: within, budget }, { signal }) =>
    usesOfEach(library, { name, within: placesIn(within), budget }, signal),
})

const readTool = defineTool({
  name: 'read',
  title: 'Read',
  summary:
    'In place of sed, cat and head. Whole functions and sections by name, with no range to guess, and ranges; several in one call: "path#Class.method", "path#Heading", a bare NAME without its path, "path:10-60", a path (long files give their outline). Numbered lines without blanks.',
  effect: 'read',
  input: z.object({
    at: z.array(z.string().min(1).max(2_000)).min(1).max(200).describe('Addresses'),
    budget: budget(16_000),
  }),
  ...plain,
  examples: [{ title: 'A range and a function', args: { at: ['code/api/src/server.ts:1-12'] } }],
  run: ({ library }: DeskServices, args, { signal }) => read(library, args, signal),
})

const grepTool = defineTool({
  name: 'grep',
  title: 'Grep',
  summary:
    'In place of rg and grep. One line a match, grouped by file, each with its enclosing function, so that no read is needed to see where it stands; tests and generated files only counted unless tests=true.',
  effect: 'read',
  input: z.object({
    pattern: z.string().min(1).max(1_000).describe('Regex (no look-around)'),
    in: where,
    kind,
    tests: z.boolean().default(false).describe('Show tests too'),
    context: z.int().min(0).max(200).default(0).describe('Lines around each match'),
    case_sensitive: z.boolean().default(true).describe('Tell case apart'),
    budget: budget(5_000),
  }),
  ...plain,
  examples: [{ title: 'A string', args: { pattern: 'LNT-\\d+', in: 'code' } }],
  run: ({ library }: DeskServices, { in: within, case_sensitive, ...args }, { signal }) =>
    grep(library, { ...args, within: placesIn(within), caseSensitive: case_sensitive }, signal),
})

const outlineTool = defineTool({
  name: 'outline',
  title: 'Outline',
  summary:
    'In place of ls and tree: entries of a folder with counts; of a file its names or headings with their lines, as read takes them.',
  effect: 'read',
  input: z.object({
    path: z.string().max(2_000).default('.').describe('File or folder'),
    match: z.string().max(200).optional().describe('Only names with this text'),
    budget: budget(4_000),
  }),
  ...plain,
  examples: [{ title: 'A folder', args: { path: 'code' } }],
  run: ({ library }: DeskServices, args) => outline(library, args),
})

/** The other toolsets give their part, so that no slice imports another. */
export function deskToolset({ remember, bearing }: DeskParts): Toolset<DeskServices> {
  const rememberTool = defineTool({
    name: 'remember',
    title: 'Remember',
    summary: 'Keep one fact for later sessions: a pattern, rule, decision or issue. find returns it.',
    effect: 'write',
    input: z.object({
      content: z.string().min(10).max(1_000).describe('One statement that stands on its own'),
      type: z.enum(discoveryTypes).default('rule').describe('Kind of fact'),
    }),
    ...plain,
    examples: [{ title: 'A rule', args: { content: 'Deliveries are retried at most five times.' } }],
    run: async ({ library }: DeskServices, said, call) => {
      const { state, supersedes } = await remember(library, said, call)
      const replaced =
        supersedes.length > 0
          ? ` It replaces ${supersedes.length === 1 ? 'an earlier one' : `${supersedes.length} earlier ones`}.`
          : ''
      return `${state === 'merged' ? 'Known already; counted again.' : 'Remembered.'}${replaced}`
    },
  })
  const checkTool = defineTool({
    name: 'check_decision',
    title: 'Check a decision',
    summary:
      'Before changing architecture: which recorded decisions (ADRs) bear on a proposal, what each chose and rejected, and what replaced it.',
    effect: 'read',
    input: z.object({ proposal: z.string().min(1).max(5_000).describe('What is proposed') }),
    ...plain,
    examples: [{ title: 'A proposal', args: { proposal: 'Offer a GraphQL endpoint in the public API.' } }],
    run: async ({ library }: DeskServices, { proposal }, { signal }) => {
      const { decisions, notes } = await bearing(library, proposal, signal)
      return decisionText(decisions, notes)
    },
  })
  return defineToolset<DeskServices>({
    name: 'desk',
    title: 'The desk',
    purpose:
      'Use these for every look at the project, also for known files and names: the same facts take about two thirds of the characters. find first, or uses for callers; then read and grep for what the answer still lacks. Instead of `sed -n 10,60p a; sed -n 5,9p b` take read a:10-60 b:5-9 in one call; of `rg -A30 "func parse"` read parse; of `rg -w parse` uses parse; of `rg -n "x|y" src` grep, which names the function around each line. One or two look-ups answer most questions; do not read again what was shown. To "how" and "why" belong conditions, defaults, failure and the written reason; of what find cut, read the missing lines.',
    errorShape: errorShapes.documents,
    optIn: true,
    tools: [findTool, usesTool, readTool, grepTool, outlineTool, rememberTool, checkTool],
  })
}
