// Laws of the documents tools, against slow and obviously right answers.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { endOf, headingsOf } from '../support/markdown-headings.js'
import { noSharedData, sharedFiles } from '../support/shared-data.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const seed = 20261115

describe('outlines and sections of real documentation', { skip: noSharedData }, () => {
  test('are those of the syntax tree, line by line', async (t) => {
    const files = sharedFiles(['docs'], '.md').filter((_, i) => i % 2 === 0)
    const all = Object.fromEntries(files.map(({ path, text }) => [path, text]))
    const world = await toolsetWorld(documentsToolset, { files: all, embedding: false })
    t.after(() => world.close())
    for (const { path, text } of files) await agrees(world, path, text)
    assert.ok(files.length > 75)
  })
})

test('outlines and sections of any Markdown are those of the syntax tree', async (t) => {
  const texts = fc.sample(markdown(), { seed, numRuns: 90 })
  const files = Object.fromEntries(texts.map((text, i) => [`${i}.md`, text]))
  const world = await toolsetWorld(documentsToolset, { files, embedding: false })
  t.after(() => world.close())
  for (const [path, text] of Object.entries(files)) await agrees(world, path, text)
})

test('outlines and sections of MDX are those of the Markdown around its tags and statements', async (t) => {
  const texts = fc.sample(mdx(), { seed, numRuns: 50 })
  const files = Object.fromEntries(texts.map((pieces, i) => [`${i}.mdx`, joined(pieces)]))
  const world = await toolsetWorld(documentsToolset, { files, embedding: false })
  t.after(() => world.close())
  for (const [i, pieces] of texts.entries())
    await agrees(world, `${i}.mdx`, joined(pieces), headingsOf(joined(pieces, blank)))
})

describe('real documentation as MDX', { skip: noSharedData }, () => {
  test('has the outline it has without the tags and statements put into it', async (t) => {
    const plain = sharedFiles(['docs'], '.md').filter(({ text }) => isPlain(text))
    const files = plain.map(({ path, text }, i) => {
      const script = scripts[i % scripts.length]!
      const [head, tail] = cutAtHeading(text)
      const pieces = [{ text: head }, { text: script, isScript: true }, { text: tail }]
      return { path: `${path}x`, text: joined(pieces), plain: joined(pieces, blank) }
    })
    const world = await toolsetWorld(documentsToolset, {
      files: Object.fromEntries(files.map(({ path, text }) => [path, text])),
      embedding: false,
    })
    t.after(() => world.close())
    for (const one of files) await agrees(world, one.path, one.text, headingsOf(one.plain))
    assert.ok(files.length > 30, `${files.length} files`)
  })
})

/** Without what Markdown and MDX read differently on purpose: HTML, indented code, statements of its own. */
function isPlain(text: string): boolean {
  const outside = text.replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1/gm, '')
  return !/^(?: {4}|\t| *<| *\{|import\b|export\b)/m.test(outside)
}

/** Before the first second-level heading, so that what is put in stands between blocks. */
function cutAtHeading(text: string): [string, string] {
  const at = text.search(/^## /m)
  return at < 0 ? [text, ''] : [text.slice(0, at).trimEnd(), text.slice(at)]
}

interface MdxPiece {
  text: string
  isScript?: boolean
}

function joined(pieces: readonly MdxPiece[], script = (text: string) => text): string {
  return pieces.map(({ text, isScript }) => (isScript ? script(text) : text)).join('\n\n')
}

/** As many lines, and nothing in them. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, '')
}

const scripts = [
  "import { Tabs } from '@theme/tabs'",
  'export const meta = {\n  title: "# not a heading",\n\n  # nor this\n}',
  '<Tabs>',
  '</Tabs>',
  '<Card\n  title="a > b"\n  on={() => 1}\n>',
  '{/*\n# not a heading\n\n## nor this\n*/}',
  '{props.children}',
  '<>',
  '<Broken attr="never closed',
]

function mdx() {
  const text = fc.constantFrom(
    'alpha',
    'beta *em*',
    '`code` x',
    'gamma [l](a.md)',
    '> quoted',
    '- item',
    '😀 x',
  )
  const block = fc.oneof(
    text,
    fc.tuple(fc.integer({ min: 1, max: 7 }), text).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc
      .tuple(fc.constantFrom('alpha', 'beta'), fc.constantFrom('===', '---'))
      .map((lines) => lines.join('\n')),
    text.map((text) => `~~~\n# ${text}\n~~~`),
    fc.constantFrom('***', '| a | b |\n|---|---|\n| c | d |'),
  )
  const piece = fc.oneof(
    { weight: 3, arbitrary: block.map((text): MdxPiece => ({ text })) },
    { weight: 1, arbitrary: fc.constantFrom(...scripts).map((text): MdxPiece => ({ text, isScript: true })) },
  )
  return fc.array(piece, { minLength: 1, maxLength: 14 })
}

async function agrees({ ask }: ToolsetWorld, document: string, text: string, headings = headingsOf(text)) {
  const address = { collection: 'library', document }
  const { outline } = await ask<{ outline: unknown[] }>('documents_get_outline', { ...address, maxDepth: 6 })
  assert.deepEqual(outline, headings, document)
  const lines = text.split('\n')
  for (const [i, { text: section }] of headings.entries()) {
    // Of several with one name the first is meant; a nameless one cannot be asked for.
    const same = (other: string) => other.toLowerCase() === section.toLowerCase()
    if (section === '' || headings.findIndex((one) => same(one.text)) !== i || /[`*/>›#]/.test(section))
      continue
    // Both ways near the start; one or the other after that, for the sake of time.
    for (const includeSubsections of i < 3 ? [true, false] : [i % 2 === 0]) {
      const args = { ...address, section, includeSubsections, max_tokens: 200_000 }
      const found = await ask<{ startLine: number; endLine: number; content: string }>(
        'documents_get_section',
        args,
      )
      const end = endOf(text, headings, i, includeSubsections)
      assert.deepEqual([found.startLine, found.endLine], [headings[i]!.line, end], `${document}: ${section}`)
      const expected = lines.slice(headings[i]!.line - 1, end).join('\n')
      assert.equal(found.content, expected.replace(/\r$/, ''), `${document}: ${section}`)
    }
  }
}

interface Row {
  collection: string
  documentId: string
  distance: number
  lines: [number, number]
}

describe('scope', () => {
  const shelves = { notes: 'notes', guides: 'guides', decisions: 'docs/adr', code: 'code' }
  const folders = Object.fromEntries(Object.entries(shelves).map(([name, path]) => [name, { path }]))
  const opened = toolsetWorld(documentsToolset, { folders })
  after(async () => (await opened).close())

  const questions = fc.constantFrom(
    'retry budget',
    'who wakes the scheduler',
    'quiet hours',
    'import',
    'zebra',
  )
  const someShelves = fc.subarray(Object.keys(shelves), { minLength: 1 })

  test('is exact: a search finds all of its collections within the distance, and nothing else', async () => {
    const world = await opened
    const property = fc.asyncProperty(
      questions,
      someShelves,
      fc.double({ min: 0.4, max: 1.1, noNaN: true }),
      async (query, collections, maxDistance) => {
        const expected = await within(world, query, collections, maxDistance)
        const args = { query, collections, maxDistance, hybridSearch: false, limit: 100 }
        const rows = await world.ask<Row[]>('documents_search', args)
        const found = new Set(rows.map((row) => `${row.collection}:${row.documentId}`))
        for (const row of rows) {
          assert.ok(collections.includes(row.collection))
          assert.ok(row.distance <= maxDistance + 0.0001)
        }
        for (const name of found) assert.ok(expected.has(name), `${name} is outside`)
        if (expected.size <= 30) assert.deepEqual([...found].sort(), [...expected].sort())
      },
    )
    await fc.assert(property, { seed, numRuns: 40 })
  })

  test('applies before ranking: as many rows as requested, or as there are', async () => {
    const world = await opened
    const property = fc.asyncProperty(
      questions,
      someShelves,
      fc.integer({ min: 1, max: 12 }),
      async (...given) => {
        const [query, collections, limit] = given
        const all = await world.ask<Row[]>('documents_search', { query, collections, limit: 100 })
        const rows = await world.ask<Row[]>('documents_search', { query, collections, limit })
        assert.equal(rows.length, Math.min(limit, all.length))
      },
    )
    await fc.assert(property, { seed, numRuns: 40 })
  })

  test('of a section holds the chunks below its heading and no others', async () => {
    const world = await opened
    const sources = new Map((await world.library.store.sources()).map(({ name, id }) => [name, id]))
    const { documents } = await world.library.store.documents(
      { sources: [sources.get('guides')!] },
      { offset: 0, limit: 50 },
    )
    for (const { ref } of documents) {
      const document = (await world.library.store.document(ref))!
      for (const { text: section, line, endLine } of document.sections.slice(0, 4)) {
        const first = document.sections.find((one) => one.text.toLowerCase() === section.toLowerCase())
        if (first?.line !== line) continue
        const place = { document: ref.path, collections: ['guides'], section }
        const rows = await world.ask<Row[]>('documents_search', { query: 'the', ...place, limit: 100 })
        assert.ok(rows.length > 0)
        for (const { lines } of rows)
          assert.ok(lines[0] >= line && lines[1] <= endLine, `${ref.path}: ${section}`)
      }
    }
  })
})

/** Documents that have a chunk within the distance, by looking at all of them. */
async function within({ library }: ToolsetWorld, query: string, collections: string[], most: number) {
  const [vector] = await library.embedder!.embed([query], { kind: 'query' })
  const found = new Set<string>()
  for (const { id, name } of await library.store.sources()) {
    if (!collections.includes(name)) continue
    const { documents } = await library.store.documents({ sources: [id] }, { offset: 0, limit: 1000 })
    for (const { ref } of documents) {
      const chunks = (await library.store.chunksOf(ref)).map((chunk) => chunk.id)
      const cosines = await library.store.vectors.cosines(library.embedder!.model, vector!, chunks)
      if ([...cosines.values()].some((cosine) => 1 - cosine <= most)) found.add(`${name}:${ref.path}`)
    }
  }
  return found
}

function markdown() {
  const line = fc.constantFrom(
    'alpha',
    'beta *em*',
    '`code` x',
    'gamma [l](a.md)',
    '# not',
    '> quoted',
    '- item',
    '😀 x',
  )
  const block = fc.oneof(
    line,
    fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc.tuple(line, fc.constantFrom('===', '---')).map(([text, under]) => `${text}\n${under}`),
    line.map((text) => `~~~\n# ${text}\n~~~`),
    fc.constantFrom('```', '<div>\n# x', '<!-- # x\n\n# y -->', '    # code', '***', ''),
  )
  return fc
    .array(block, { maxLength: 14 })
    .chain((blocks) => fc.constantFrom('\n', '\n\n').map((gap) => blocks.join(gap)))
}
