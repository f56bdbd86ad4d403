// The tools of the toolset, called as every surface calls them, on the sample library and on projects made to mislead.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findArchitecture } from '../../src/answer/architecture/documents.js'
import { loadSettings } from '../../src/app/config/load.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { defineToolset } from '../../src/server/define.js'
import { checkAlignment } from '../../src/toolsets/architecture/alignment.js'
import { searchArchitecture } from '../../src/toolsets/architecture/search.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { world as filesWorld, openForTest } from '../support/world.js'

interface Found {
  results: {
    uri: string
    title: string
    resource_type: string
    relevance_score: number
    excerpt: string
    collection: string
    document: string
  }[]
  total_matches: number
  note?: string
  workflow?: { workflow_id: string; previous: { tool: string; summary: string }[] }
}

interface Validated {
  compliant: boolean
  pattern: string
  violations: { rule: string; description: string; severity: string; line?: number }[]
  suggestions: string[]
  language?: string
  rules: { rule: string; status: string; line?: number; reason?: string }[]
  note?: string
}

interface Refused {
  error: { code: number; message: string; data: { hint?: string; reason: string } }
}

// Documents tools beside ours: what one names the other must accept.
const both = defineToolset({ ...architecture, tools: [...architecture.tools, ...documentsToolset.tools] })

const world = await toolsetWorld(both)
after(() => world.close())

async function refusal(tool: string, args: object): Promise<Refused['error']> {
  const answer = await world.call(tool, args)
  assert.equal(answer.isError, true)
  return (answer.value as Refused).error
}

describe('search-architecture', () => {
  const search = (args: object) => world.ask<Found>('search-architecture', args)

  test('finds guidelines, patterns and decisions, one row a document, best first', async () => {
    const { results, total_matches } = await search({ query: 'store postgres' })
    assert.ok(results.some(({ uri }) => uri === 'architecture://adr/0007'))
    assert.equal(new Set(results.map(({ uri }) => uri)).size, results.length)
    const scores = results.map(({ relevance_score }) => relevance_score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.ok(scores.every((score) => score > 0 && score <= 1))
    assert.ok(total_matches >= results.length)
  })

  test('finds every document, copies too', async (t) => {
    const page = '# Use a queue\n\n## Status\n\nAccepted\n\n## Decision\n\nGannets wait in a queue.\n'
    const { library } = await filesWorld(t, {
      'docs/adr/0002-queue.md': page,
      'docs/adr/0001-queue.md': page,
    })
    await indexAll(library, {})
    const { results, total } = await searchArchitecture(library, { query: 'gannets', kind: null, limit: 5 })
    assert.deepEqual([results.length, total], [2, 2])
  })

  test('narrows before it ranks, by either name of a kind', async () => {
    const all = await search({ query: 'retry', resource_type: 'patterns', max_results: 20 })
    assert.ok(
      all.results.length > 0 && all.results.every(({ resource_type }) => resource_type === 'patterns'),
    )
    assert.deepEqual(await search({ query: 'retry', resource_type: 'pattern', max_results: 20 }), all)
  })

  test('the total counts all matches, however few are shown', async () => {
    const many = await search({ query: 'the store of messages', max_results: 20 })
    const one = await search({ query: 'the store of messages', max_results: 1 })
    assert.equal(one.results.length, 1)
    assert.equal(one.total_matches, many.total_matches)
    assert.equal(many.results.length, Math.min(20, many.total_matches))
  })

  test('the total counts documents of a single passage, too', async (t) => {
    const files = Array.from({ length: 40 }, (_, i) => [
      `docs/adr/${String(i + 1).padStart(4, '0')}-x.md`,
      `# Measure part ${i + 1}\n\n## Decision\n\nPart ${i + 1} sends telemetry.\n`,
    ])
    const { library } = await filesWorld(t, Object.fromEntries(files))
    await indexAll(library, {})
    for (const limit of [3, 20]) {
      const { results, total } = await searchArchitecture(library, { query: 'telemetry', kind: null, limit })
      assert.deepEqual([results.length, total], [limit, 40])
    }
  })

  test('names documents so that the documents tools take them, by uri and by path', async () => {
    const [first] = (await search({ query: 'ports and adapters', max_results: 1 })).results
    const byUri = await world.ask<{ document: string; content: string }>('documents_get_document', {
      collection: first!.collection,
      document: first!.uri,
    })
    assert.equal(byUri.document, first!.document)
    for (const name of [first!.uri, first!.document, `library:${first!.document}`, `./${first!.document}`]) {
      const validated = await world.ask<Validated & { uri: string }>('validate-against-pattern', {
        code: 'x()',
        pattern_name: name,
      })
      assert.equal(validated.uri, first!.uri)
    }
  })

  test('bad arguments carry the code of the specification', async () => {
    assert.equal((await refusal('search-architecture', { query: 'x'.repeat(501) })).code, -32602)
    assert.equal((await refusal('search-architecture', { query: 'x', max_results: 21 })).code, -32602)
    assert.equal((await refusal('search-architecture', { query: 'x', max_results: 0 })).code, -32602)
    assert.equal((await refusal('search-architecture', { query: '  ' })).code, -32602)
    assert.equal((await refusal('search-architecture', { query: 'x', resource_type: 'books' })).code, -32602)
    assert.equal((await refusal('search-architecture', {})).code, -32602)
  })

  test('a library without such documents says so', async (t) => {
    const bare = await toolsetWorld(architecture, { files: { 'a.md': '# A\n\nWords.\n' } })
    t.after(() => bare.close())
    const found = await bare.ask<Found>('search-architecture', { query: 'words' })
    assert.deepEqual([found.results, found.total_matches], [[], 0])
    assert.match(found.note ?? '', /mcp\/resources/)
  })
})

describe('validate-against-pattern', () => {
  const validate = (args: object) => world.ask<Validated>('validate-against-pattern', args)

  test('names the line, the severity and the remedy', async () => {
    const code = "const a = 1\nconst rows = await db.query('SELECT id FROM notification')\n"
    const { compliant, pattern, violations, suggestions } = await validate({
      code,
      pattern_name: 'repository',
    })
    assert.deepEqual([compliant, pattern], [false, 'repository'])
    assert.deepEqual(violations, [
      {
        rule: 'no-sql-outside-adapters',
        description: 'SQL belongs in an adapter.',
        severity: 'error',
        line: 2,
      },
    ])
    assert.match(suggestions[0]!, /domain's words/)
  })

  test('says of every rule whether it passed, is violated or could not be checked', async () => {
    const { rules } = await validate({
      code: 'export const f = (x: number): number => x',
      pattern_name: 'repository',
    })
    for (const { status, reason } of rules) {
      assert.ok(['passed', 'violated', 'not_checkable'].includes(status))
      if (status === 'not_checkable') assert.ok(reason)
    }
    assert.ok(rules.some(({ status }) => status === 'passed'))
    assert.ok(rules.some(({ status }) => status === 'not_checkable'))
  })

  test('takes a pattern by any name that people use for it', async () => {
    for (const pattern_name of [
      'ports-and-adapters',
      'Ports and Adapters',
      'hexagonal architecture',
      'ports-and-adapters-pattern',
      'architecture://patterns/ports-and-adapters',
      'architecture://pattern/ports-and-adapters',
      'mcp/resources/patterns/ports-and-adapters.md',
    ])
      assert.equal((await validate({ code: 'x()', pattern_name })).pattern, 'ports-and-adapters')
    assert.equal((await validate({ code: 'x()', pattern_name: 'error-handling' })).pattern, 'error-handling')
    assert.equal((await validate({ code: 'x()', pattern_name: 'ADR-8' })).pattern, '0008')
  })

  test('rules about a folder need to know where the code belongs', async () => {
    const code = "import { createTransport } from 'nodemailer'\nexport const x = createTransport()\n"
    const rule = 'ports-are-free-of-the-outside'
    const of = ({ rules }: Validated) => rules.find((one) => one.rule === rule)
    const pattern_name = 'ports-and-adapters'
    assert.equal(of(await validate({ code, pattern_name }))?.status, 'not_checkable')
    const inside = 'code/api/src/domain/x.ts'
    for (const path of [inside, join(world.root, inside), 'code/api/src/adapters/../domain/x.ts'])
      assert.equal(of(await validate({ code, pattern_name, path }))?.status, 'violated', path)
    for (const path of ['', ' '])
      assert.match(of(await validate({ code, pattern_name, path }))?.reason ?? '', /say the path/)
    assert.equal(
      of(await validate({ code, pattern_name, path: './code/api/src/adapters/x.ts' }))?.status,
      'not_checkable',
    )
  })

  test('a missing language is detected, and an unknown one refused', async () => {
    const code = 'def due(self):\n    return self.db.execute("SELECT id FROM notification")\n'
    assert.equal((await validate({ code, pattern_name: 'repository' })).language, 'python')
    assert.equal((await validate({ code, pattern_name: 'repository', language: 'py' })).language, 'python')
    const wrong = await refusal('validate-against-pattern', {
      code,
      pattern_name: 'repository',
      language: 'pyhton',
    })
    assert.equal(wrong.code, -32602)
    assert.match(wrong.data.hint ?? '', /python/)
    const unknown = await validate({ code: '????', pattern_name: 'ports-and-adapters' })
    assert.equal(unknown.language, undefined)
    assert.equal(unknown.compliant, true)
    assert.match(unknown.suggestions[0] ?? '', /^Nothing could be checked/)
    assert.match(unknown.note ?? '', /No rule could be checked/)
    assert.equal(
      (await validate({ code: 'x', pattern_name: 'repository', language: 'kotlin' })).language,
      'kotlin',
    )
  })

  test('an unknown pattern is refused with the closest', async () => {
    const error = await refusal('validate-against-pattern', { code: 'x', pattern_name: 'repositry' })
    assert.equal(error.code, -32602)
    assert.match(error.data.hint ?? '', /"repository"/)
    const nothing = await refusal('validate-against-pattern', {
      code: 'x',
      pattern_name: 'architecture://books/x',
    })
    assert.equal(nothing.code, -32602)
  })

  test('50,000 characters are accepted; 50,001, or a value that is no text, are not', async () => {
    assert.equal(
      (await validate({ code: 'x'.repeat(50_000), pattern_name: 'repository' })).pattern,
      'repository',
    )
    assert.equal(
      (await refusal('validate-against-pattern', { code: 'x'.repeat(50_001), pattern_name: 'repository' }))
        .code,
      -32602,
    )
    for (const code of [
      '\u007fELF\0\0\0',
      '\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0001\u0002',
      ' \n ',
    ])
      assert.equal(
        (await refusal('validate-against-pattern', { code, pattern_name: 'repository' })).code,
        -32602,
      )
  })

  test('a change of the pattern counts with the next call', async () => {
    const rule = (word: string) =>
      `# Fresh\n\n\`\`\`rule\nid: word\nkind: forbid-text\npattern: ${word}\nmessage: Not ${word}.\n\`\`\`\n`
    const original = join(world.root, 'mcp/resources/guidelines/time-and-clocks.md')
    writeFileSync(original, rule('tick'))
    const { violations } = await validate({ code: 'tick()', pattern_name: 'time-and-clocks' })
    assert.deepEqual(
      violations.map(({ description }) => description),
      ['Not tick.'],
    )
    writeFileSync(original, `${rule('tock')} `)
    assert.deepEqual((await validate({ code: 'tick()', pattern_name: 'time-and-clocks' })).violations, [])
  })
})

describe('rules made to do harm', () => {
  const pattern = (yaml: string) =>
    `# P\n\n\`\`\`rule\n${yaml}\n\`\`\`\n\n\`\`\`rule\nid: honest\nkind: forbid-text\npattern: foo\nmessage: No foo.\n\`\`\`\n`

  const cases: [name: string, yaml: string, reason: RegExp][] = [
    ['a pattern that never ends', 'id: slow\nkind: forbid-text\npattern: (a+)+$\nmessage: m', /took longer/],
    [
      'a condition that never ends',
      'id: slow\nkind: forbid-text\nwhen: (a|aa)+$\npattern: x\nmessage: m',
      /took longer/,
    ],
    [
      'a pattern that is none',
      'id: slow\nkind: forbid-text\npattern: "(("\nmessage: m',
      /regular expression/,
    ],
    [
      'a tree that is none',
      'id: slow\nkind: forbid-tree\nlanguage: typescript\npattern: "a(); b("\nmessage: m',
      /tree pattern/,
    ],
    ['no YAML', 'id: slow\nkind: [', /YAML/],
  ]
  for (const [name, yaml, reason] of cases)
    test(`${name} is not checkable, and the rule beside it is checked`, async (t) => {
      const bad = await toolsetWorld(architecture, {
        files: { 'mcp/resources/patterns/p.md': pattern(yaml) },
        embedding: false,
      })
      t.after(() => bad.close())
      const code = `${'a'.repeat(60)}!\nfoo()\n`
      const answer = await bad.ask<Validated>('validate-against-pattern', {
        code,
        pattern_name: 'p',
        language: 'typescript',
      })
      assert.match(answer.rules.find(({ status }) => status === 'not_checkable')?.reason ?? '', reason)
      assert.deepEqual(answer.violations, [
        { rule: 'honest', description: 'No foo.', severity: 'error', line: 2 },
      ])
    })
})

describe('where documents lie', () => {
  test('the usual folders, files beside them, and names that clash', async (t) => {
    const adr = (n: number, title: string) =>
      `# ${n}. ${title}\n\n## Status\n\nAccepted\n\n## Context\n\nWhy.\n\n## Decision\n\nWe do.\n`
    const files = {
      'docs/decisions/0001-first.md': adr(1, 'First'),
      'doc/adr/0001-other.md': adr(1, 'Other'),
      'docs/adr/README.md': '# Index\n',
      'docs/adr/template.md': adr(0, 'Template'),
      'mcp/resources/patterns/deep/er/x.md': '# X\n',
      'mcp/resources/guidelines/y.md': '# Y\n',
      'mcp/resources/patterns/picture.txt': 'no',
      'elsewhere/patterns/z.md': '# Z\n',
    }
    const plain = await toolsetWorld(architecture, { files, embedding: false })
    t.after(() => plain.close())
    const found = await plain.ask<Found>('search-architecture', {
      query: 'first other x y z decision we',
      max_results: 20,
    })
    assert.deepEqual(found.results.map(({ uri }) => uri).sort(), [
      'architecture://adr/0001',
      'architecture://adr/0001-first',
      'architecture://guidelines/y',
      'architecture://patterns/deep/er/x',
    ])
  })

  test('a source inside the root is seen from the root', async (t) => {
    const files = {
      'docs/adr/0001-first.md': '# 1. First\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.\n',
      'docs/b.md': '# B\n',
    }
    const inside = await toolsetWorld(architecture, {
      files,
      folders: { handbook: { path: 'docs' } },
      embedding: false,
    })
    t.after(() => inside.close())
    const found = await inside.ask<Found>('search-architecture', { query: 'first decision' })
    assert.deepEqual(
      found.results.map(({ uri, document }) => [uri, document]),
      [['architecture://adr/0001', 'adr/0001-first.md']],
    )
  })

  const files = {
    'adr/0001-use-postgres.md':
      '# 1. Use Postgres\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use Postgres, not MySQL, for orders.\n',
    'handbook/patterns/repository.md': '# Repository\n\n- Never call `db.query` outside of a repository.\n',
    'src/a.ts': 'export const a = 1\n',
  }

  test('documents that no configured source has are found like any others', async (t) => {
    const config = { sources: ['src'], architecture: { patterns: ['handbook/patterns'] } }
    const { root } = await filesWorld(t, { ...files, 'carrel.json': JSON.stringify(config) })
    const flags = { root, set: ['embedding.provider=none'] }
    const { settings } = await loadSettings({ flags, env: {}, cwd: root, home: join(root, 'nobody') })
    const library = await openForTest({ ...settings, data: join(root, '.carrel/own') })
    t.after(() => library.close())
    const { notes } = await indexAll(library, {})
    assert.deepEqual(notes, [])
    const { decisions } = await checkAlignment(library, {
      description: 'Use MySQL for orders instead of Postgres.',
    })
    assert.deepEqual(
      decisions.map(({ decision }) => decision.document.uri),
      ['architecture://adr/0001'],
    )
    const { ref, source } = await findArchitecture(library, 'repository', ['patterns'])
    assert.deepEqual([source.name, ref.path], ['architecture-handbook-patterns', 'repository.md'])
    const { collections } = await status(library)
    assert.deepEqual(collections.map(({ name, documents }) => `${name} ${documents}`).sort(), [
      'architecture-adr 1',
      'architecture-handbook-patterns 1',
      'src 1',
    ])
  })

  test('where some are there that nothing has indexed, the answer says so', async (t) => {
    const few = await toolsetWorld(both, {
      files,
      folders: { src: { path: 'src' } },
      embedding: false,
    })
    t.after(() => few.close())
    const hint =
      /adr is there, but no source has it: start the server again if it is new, else add it to "sources"/
    const proposal = { decision_description: 'Use MySQL for orders instead of Postgres.' }
    assert.match((await few.ask<{ note?: string }>('check-adr-alignment', proposal)).note ?? '', hint)
    const request = { code: 'a', pattern_name: 'repository' }
    const refused = await few.call('validate-against-pattern', request)
    assert.match(refused.text, /put Markdown files into mcp.* A server that runs sees a new folder/)
  })
})
