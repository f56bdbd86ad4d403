// Small toolsets that stand in for the real ones where the machinery is tested: one of each kind of thing a record can say.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Problem } from '../../src/model/problem.js'
import { defineResource, defineTool, defineToolset, type Prompt } from '../../src/server/define.js'
import { errorShapes } from '../../src/server/error-shapes.js'

/** What the fixture's tools work on. */
export interface Shelf {
  notes: Map<string, string>
  /** Names of the calls whose work heard that it was stopped. */
  stopped: string[]
  failing: boolean
}

export function shelf(): Shelf {
  const notes = new Map([
    ['welcome', 'Welcome to the shelf.'],
    ['über', 'Umlaute und 日本語.'],
  ])
  return { notes, stopped: [], failing: false }
}

const readNote = defineTool({
  name: 'read_note',
  title: 'Read a note',
  summary: 'Returns the text of one note with its length. Names come from list_notes; a miss is a sentence.',
  effect: 'read',
  input: z.object({ name: z.string().min(1).max(100).describe('Name of the note') }),
  output: z.union([z.object({ name: z.string(), text: z.string(), length: z.int() }), z.string()]),
  examples: [
    { title: 'A note', args: { name: 'welcome' } },
    { title: 'A miss', args: { name: 'nowhere' } },
  ],
  run: (shelf: Shelf, { name }) => shelf.notes.get(name) ?? null,
  view: (text, { name }) =>
    text === null ? `Note "${name}" not found.` : { name, text, length: text.length },
})

const listNotes = defineTool({
  name: 'list_notes',
  title: 'List notes',
  summary: 'Returns the names of all notes in order, optionally only those that start with a prefix.',
  effect: 'read',
  input: z.object({
    prefix: z.string().max(50).optional().describe('Only names that start with this'),
    limit: z.int().min(1).max(100).default(20).describe('Most names to return'),
  }),
  output: z.array(z.string()),
  examples: [
    { title: 'All of them', args: {} },
    { title: 'By prefix', args: { prefix: 'w', limit: 5 } },
  ],
  run: (shelf: Shelf, { prefix = '', limit }) =>
    [...shelf.notes.keys()].filter((name) => name.startsWith(prefix)).slice(0, limit),
  view: (names) => names,
})

const writeNote = defineTool({
  name: 'write_note',
  title: 'Write a note',
  summary: 'Saves a note under a name, replacing what was there, and returns how many notes there are.',
  effect: 'write',
  destructive: true,
  idempotent: true,
  input: z.object({
    name: z
      .string()
      .regex(/^[\w-]+$/)
      .max(100)
      .describe('Letters, digits, dashes'),
    text: z.string().max(10_000).describe('The whole text'),
    tags: z.array(z.string().min(1)).max(5).optional().describe('Words to file it under'),
  }),
  output: z.object({ name: z.string(), count: z.int() }),
  examples: [{ title: 'A note', args: { name: 'new', text: 'Hello.' } }],
  run: (shelf: Shelf, { name, text }) => {
    if (name === 'locked')
      throw new Problem('exists', 'The note "locked" cannot be replaced.', 'Use another name.')
    shelf.notes.set(name, text)
    return shelf.notes.size
  },
  view: (count, { name }) => ({ name, count }),
})

const wait = defineTool({
  name: 'wait',
  title: 'Wait',
  summary:
    'Waits a while, says how far it is, and returns how long it took. For testing limits and progress.',
  effect: 'read',
  limits: { timeMs: 2_000 },
  input: z.object({
    ms: z.int().min(0).max(60_000).describe('How long, in milliseconds'),
    steps: z.int().min(1).max(1_000).default(1).describe('In how many steps'),
    label: z.string().max(40).default('wait').describe('A name to find the call by'),
  }),
  output: z.object({ waited: z.int() }),
  examples: [{ title: 'Hardly', args: { ms: 1 } }],
  run: async (shelf: Shelf, { ms, steps, label }, call) => {
    for (let step = 1; step <= steps; step++) {
      await sleep(ms / steps, undefined, { signal: call.signal }).catch((error) => {
        shelf.stopped.push(label)
        throw error
      })
      call.progress(step, steps, `step ${step}`)
    }
    return ms
  },
  view: (waited) => ({ waited }),
})

const fetchNote = defineTool({
  name: 'fetch_note',
  title: 'Fetch a note',
  summary: 'Gets a note from outside. For testing what happens when the outside does not answer.',
  effect: 'outside',
  input: z.object({ url: z.url().max(200).describe('Where it is') }),
  output: z.object({ ok: z.boolean() }),
  examples: [{ title: 'A note', args: { url: 'https://example.org/note' } }],
  run: (shelf: Shelf) => {
    if (shelf.failing) throw new Error('secret insides: connect ECONNREFUSED')
    return true
  },
  view: (ok) => ({ ok }),
})

const searchByMeaning = defineTool({
  name: 'search_by_meaning',
  title: 'Search by meaning',
  summary: 'Finds notes that mean the same. Only there when something can embed.',
  effect: 'read',
  needs: ['embedder'],
  input: z.object({ query: z.string().min(3).max(500).describe('What to look for') }),
  output: z.object({ hits: z.array(z.string()) }),
  examples: [{ title: 'A question', args: { query: 'greeting' } }],
  run: (shelf: Shelf) => [...shelf.notes.keys()],
  view: (hits) => ({ hits }),
})

const noteResource = defineResource<Shelf>({
  name: 'note',
  title: 'A note',
  summary: 'The text of a note.',
  template: 'shelf://note/{name}',
  mimeType: 'text/plain',
  list: (shelf) =>
    [...shelf.notes.keys()].map((name) => ({ uri: `shelf://note/${encodeURIComponent(name)}`, name })),
  read: (shelf, { variables }) => {
    const text = shelf.notes.get(variables.name ?? '')
    return text === undefined ? null : { text }
  },
  complete: { name: (shelf, value) => [...shelf.notes.keys()].filter((name) => name.startsWith(value)) },
})

const countResource = defineResource<Shelf>({
  name: 'count',
  title: 'How many notes',
  summary: 'The number of notes as JSON.',
  uri: 'shelf://count',
  mimeType: 'application/json',
  read: (shelf) => ({ text: JSON.stringify({ notes: shelf.notes.size }) }),
})

const stoppedResource = defineResource<Shelf>({
  name: 'stopped',
  title: 'Calls that were stopped',
  summary: 'Labels of the calls whose work heard that it was stopped.',
  uri: 'shelf://stopped',
  mimeType: 'application/json',
  read: (shelf) => ({ text: JSON.stringify(shelf.stopped) }),
})

const summarize: Prompt<Shelf> = {
  name: 'summarize-note',
  title: 'Summarize a note',
  summary: 'Asks for a summary of one note.',
  arguments: [
    {
      name: 'note',
      description: 'Which note',
      required: true,
      complete: (shelf, value) => [...shelf.notes.keys()].filter((name) => name.startsWith(value)),
    },
    { name: 'tone', description: 'How it should sound' },
  ],
  get: (shelf, { note = '', tone }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: `Summarize ${tone ?? 'plainly'}: ${shelf.notes.get(note) ?? 'nothing'}`,
        },
      },
    ],
  }),
}

export const shelfToolset = defineToolset<Shelf>({
  name: 'shelf',
  title: 'Shelf',
  purpose: 'Read and list notes on the shelf.',
  errorShape: errorShapes.documents,
  tools: [readNote, listNotes, searchByMeaning],
  resources: [countResource, stoppedResource, noteResource],
  prompts: [summarize],
})

export const deskToolset = defineToolset<Shelf>({
  name: 'desk',
  title: 'Desk',
  purpose: 'Write notes, wait, and fetch from outside.',
  errorShape: errorShapes.graph,
  tools: [writeNote, wait, fetchNote],
})

export const fixtureToolsets = [shelfToolset, deskToolset]

/** Tools by the dozen, for measuring a list as long as the product's. */
export function manyTools(count: number) {
  return Array.from({ length: count }, (_, i) =>
    defineTool({
      name: `look_up_${i}`,
      title: `Look up ${i}`,
      summary: `Looks up entry ${i} of the catalogue and returns it with its place, its size and what links to it.`,
      effect: 'read',
      input: z.object({
        query: z.string().min(1).max(500).describe('What to look for'),
        collection: z.string().max(100).optional().describe('Only in this collection'),
        limit: z.int().min(1).max(50).default(10).describe('Most results to return'),
      }),
      output: z.object({ echo: z.string(), limit: z.int() }),
      examples: [{ title: 'A word', args: { query: 'word' } }],
      run: (_: Shelf, args) => args,
      view: ({ query, limit }) => ({ echo: query, limit }),
    }),
  )
}
