// What validate-against-pattern says beside its verdicts: what it could not tell, and whether the document still holds.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { adr, rule } from './checking.js'

interface Validated {
  compliant: boolean
  suggestions: string[]
  rules: { rule: string; status: string }[]
  note?: string
}

const forbidding = (id: string, more = '') => rule(`id: ${id}\nkind: forbid-text\npattern: foo${more}`)
const fence = (yaml: string) => `\`\`\`rule\n${yaml}\n\`\`\`\n\n`
const world = await toolsetWorld(architecture, {
  embedding: false,
  files: {
    'mcp/resources/patterns/p.md': `# P\n\n## Best Practices\n\n- Keep it simple.\n\n${[
      forbidding('any'),
      forbidding('ts', '\nlanguage: ts'),
      forbidding('domain', '\npath: src/domain'),
      rule('id: dep\nkind: forbid-dependency\ndependency: x'),
    ]
      .map(fence)
      .join('')}`,
    'docs/adr/0001-old.md': adr('Superseded by [2](0002-new.md)', forbidding('old')),
    'docs/adr/0002-new.md': adr('Accepted', forbidding('new')).replace('# 1.', '# 2.'),
    'docs/adr/0003-open.md': adr('Proposed', forbidding('open')).replace('# 1.', '# 3.'),
    'docs/adr/0004-no.md': adr('Rejected', forbidding('no')).replace('# 1.', '# 4.'),
    'docs/adr/0005-was.md': adr('Deprecated', forbidding('was')).replace('# 1.', '# 5.'),
  },
})
after(() => world.close())

const validate = (args: object) =>
  world.ask<Validated>('validate-against-pattern', { code: 'bar()', pattern_name: 'p', ...args })

test('only rules that need judgement are left to a reader', async () => {
  const { suggestions } = await validate({ language: 'ts', path: 'src/domain/a.ts' })
  assert.deepEqual(suggestions, ['1 of 5 rules is left to a reader: see the not_checkable ones in rules.'])
  assert.deepEqual((await validate({ language: 'go', path: 'src/ui/a.go' })).suggestions, suggestions)
})

test('names the arguments with which more rules could be checked', async () => {
  assert.deepEqual((await validate({ language: 'ts' })).suggestions.slice(1), [
    'Say the path of the code to have 1 more rule checked.',
  ])
  assert.deepEqual((await validate({})).suggestions.slice(1), [
    'Say the language and the path of the code to have 2 more rules checked.',
  ])
})

test('says that a decision does not hold, and which one holds instead', async () => {
  const notes: [pattern: string, note: RegExp | null][] = [
    ['ADR 1', /^This decision was superseded: architecture:\/\/adr\/0002 holds instead\.$/],
    ['2', null],
    ['3', /^This decision is only proposed: its rules are not binding yet\.$/],
    ['4', /^This decision was rejected: its rules are not binding\.$/],
    ['5', /^This decision is deprecated: its rules are not binding\.$/],
  ]
  for (const [pattern_name, expected] of notes) {
    const { note, rules } = await validate({ pattern_name })
    assert.equal(rules[0]!.status, 'passed')
    if (expected) assert.match(note ?? '', expected)
    else assert.equal(note, undefined)
  }
})
