// Follows the recipes of CONTRIBUTING.md.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')
const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    text: part,
    steps: part.match(/^\d\. /gm)?.length ?? 0,
  }))

function filesOf(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.(?:ts|md|mjs))`/g)]
    .map(([, path]) => path!)
    .filter((path) => path.includes('/') || path === 'README.md')
}

// The files that a field concerns, and one that reads a document's fields from a hit.
const compiled = [
  'src/app/main.ts',
  'src/store/sqlite/store.ts',
  'src/answer/notes/answer-notes.ts',
  'test/contract/histories.ts',
  'test/support/sample-hit.ts',
  'recipe.ts',
]

describe('every recipe', () => {
  test('is one of those that a newcomer looks for', () => {
    assert.deepEqual(
      recipes.map(({ title }) => title),
      [
        'Add a tool',
        'Add a parameter to a tool',
        'Add a format',
        'Add a source',
        'Add a store',
        'Add a note',
        'Add a figure to the status',
        'Add a field to a scope',
        'Add a field to a hit',
      ],
    )
  })

  for (const { title, text } of recipes)
    test(`names files that exist: ${title}`, () => {
      const files = filesOf(text)
      assert.ok(files.length > 0)
      assert.deepEqual(
        files.filter((file) => !existsSync(join(root, file))),
        [],
      )
    })

  test('takes few files for a field', () => {
    const steps = (title: string) => recipes.find((recipe) => recipe.title === title)!.steps
    assert.ok(steps('Add a field to a scope') <= 7)
    assert.ok(steps('Add a field to a hit') <= 4)
  })
})

// Each recipe is followed on a copy, up to where the compiler has nothing left to name.
describe('a new', () => {
  let copy = ''
  beforeEach(() => {
    copy = copyOfSources()
  })
  afterEach(() => rmSync(copy, { recursive: true, force: true }))

  test('field of a scope does not compile until its tables have an entry, and then does', () => {
    edit(copy, 'src/model/scope.ts', '  sources?: readonly string[]', '  madeUp?: string')
    assert.deepEqual(filesWithErrors(copy), [
      'src/model/scope.ts',
      'src/store/sqlite/scope.ts',
      'test/contract/scope-fields.ts',
    ])
    const note = "emptyNote: (day: string) => 'Nothing was read by ' + day"
    edit(copy, 'src/model/scope.ts', '  sources: internal,', `  madeUp: { ${note} },`)
    const sql = "document: (day) => ({ sql: 'd.read_at <= ?', values: [Date.parse(day)] })"
    edit(copy, 'src/store/sqlite/scope.ts', '  sources: {', `  madeUp: { ${sql} },`)
    const field = "matches: (day, { readAt }) => readAt <= Date.parse(day), random: fc.constant('2026-01-01')"
    edit(copy, 'test/contract/scope-fields.ts', '  sources: {', `  madeUp: { ${field} },`)
    assert.deepEqual(filesWithErrors(copy), [])
  })

  test('field of a hit is named by the compiler where it is made, and in the sample hit', () => {
    edit(copy, 'src/answer/search.ts', '  title: string\n  heading', '  tags: readonly string[]')
    assert.deepEqual(filesWithErrors(copy), ['src/answer/search.ts', 'test/support/sample-hit.ts'])
    edit(copy, 'src/answer/search.ts', '    title: hit.document.title,', '    tags: hit.document.tags,')
    edit(copy, 'test/support/sample-hit.ts', "    title: 'Retries',", '    tags: [],')
    assert.deepEqual(filesWithErrors(copy), [])
  })

  test('format is named by the compiler in the table of endings, then among the parsers', () => {
    edit(copy, 'src/model/source.ts', "  | 'epub'", "  | 'madeUp'")
    assert.deepEqual(filesWithErrors(copy), ['src/parse/formats.ts', 'src/parse/parse.ts'])
    edit(copy, 'src/parse/formats.ts', '  csv: { endings', "  madeUp: { endings: 'madeup', ...asWritten },")
    assert.deepEqual(filesWithErrors(copy), ['src/parse/parse.ts'])
  })

  test('tool is a file and a line of its toolset', () => {
    const tool = `import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import type { DocumentsServices } from '../../../server/fields.js'

export const countTool = defineTool({
  name: 'documents_count',
  title: 'Count documents',
  summary: 'Counts the documents.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  examples: [{ title: 'All', args: {} }],
  run: async ({ library }: DocumentsServices) => (await library.store.counts()).documents,
  view: (count) => ({ count }),
})
`
    writeFileSync(join(copy, 'src/toolsets/documents/tools/count.ts'), tool)
    const toolset = 'src/toolsets/documents/toolset.ts'
    edit(copy, toolset, 'import { listCollectionsTool', "import { countTool } from './tools/count.js'")
    edit(copy, toolset, '    listCollectionsTool,', '    countTool,')
    assert.deepEqual(filesWithErrors(copy), [])
  })

  // One test for two recipes: compiling takes seconds.
  test('parameter of a tool, and a figure of the status, are named by the compiler', () => {
    const [useCase, tool] = ['src/answer/collections.ts', 'src/toolsets/documents/tools/list.ts']
    edit(copy, useCase, '  offset: number\n  limit', '  prefix: string')
    edit(copy, 'src/model/reports.ts', '  folders: number', '  websites: number')
    assert.deepEqual(filesWithErrors(copy), ['src/app/status.ts', tool])
    edit(copy, tool, '    offset: z.int()', "    prefix: z.string().default('').describe('Only such ids'),")
    edit(copy, 'src/app/status.ts', '    folders: library', '    websites: 0,')
    assert.deepEqual(filesWithErrors(copy), [])
  })

  test('kind of source is a name that nothing else has to know', () => {
    edit(copy, 'src/model/source.ts', " 'folder' | 'package'", " | 'feed'\n  |")
    writeFileSync(
      join(copy, 'recipe.ts'),
      `import type { Source } from './src/model/source.js'
export const isFeed = ({ kind }: Source) => kind === 'feed'
`,
    )
    assert.deepEqual(filesWithErrors(copy), [])
  })

  test('store that lacks a function of the port does not compile', () => {
    writeFileSync(
      join(copy, 'src/app/store-of-mine.ts'),
      `import type { Store } from '../store/port.js'
export function openMine(base: Omit<Store, 'replace'>): Store {
  return { ...base }
}
`,
    )
    edit(copy, 'src/app/main.ts', 'import ', "import './store-of-mine.js'")
    assert.deepEqual(filesWithErrors(copy), ['src/app/store-of-mine.ts'])
  })
})

/** Adds a line before the first place of a text. */
function edit(copy: string, path: string, place: string, line: string) {
  const text = readFileSync(join(copy, path), 'utf8')
  assert.ok(text.includes(place), `${path} has "${place}"`)
  writeFileSync(
    join(copy, path),
    text.replace(place, () => `${line}\n${place}`),
  )
}

function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'carrel-recipe-'))
  for (const folder of ['src', 'test/contract', 'test/support'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true })
  for (const file of ['tsconfig.json', 'package.json']) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  writeFileSync(
    join(copy, 'recipe.ts'),
    `import type { Hit } from './src/model/hit.js'
export const shown = ({ document: { title, format, tags, stamp, chars } }: Hit) => [title, format, tags, stamp?.mtimeMs, chars]
`,
  )
  const compilerOptions = { noEmit: true, incremental: false, tsBuildInfoFile: null }
  const config = { extends: './tsconfig.json', compilerOptions, include: [], files: compiled }
  writeFileSync(join(copy, 'recipe.json'), JSON.stringify(config))
  return copy
}

function filesWithErrors(copy: string): string[] {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', join(copy, 'recipe.json'), '--pretty', 'false'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  )
  const files = [...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, path]) =>
    path!.replaceAll('\\', '/'),
  )
  assert.equal(status === 0, files.length === 0, stdout)
  return [...new Set(files)].sort()
}
