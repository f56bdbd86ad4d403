// The four patterns that ship as examples: code that follows each, and code that does not.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readRules } from '../../src/parse/rules/read-rule.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { sampleLibrary } from '../support/world.js'
import { fixtures } from './pattern-fixtures.js'

interface Validated {
  compliant: boolean
  violations: { rule: string; line?: number }[]
  rules: { rule: string; status: string }[]
}

const world = await toolsetWorld(architecture, { embedding: false })
after(() => world.close())

for (const { pattern, good, bad } of fixtures)
  describe(pattern, () => {
    for (const { language, path, code } of good)
      test(`${language} that follows it is compliant: ${code.trim().split('\n')[0]}`, async () => {
        const answer = await world.ask<Validated>('validate-against-pattern', {
          code,
          language,
          pattern_name: pattern,
          ...(path ? { path } : {}),
        })
        assert.deepEqual(answer.violations, [])
        assert.equal(answer.compliant, true)
      })

    for (const { language, path, code, rules } of bad)
      test(`${language} breaks ${Object.keys(rules).join(', ')}: ${code.trim().split('\n')[0]}`, async () => {
        const answer = await world.ask<Validated>('validate-against-pattern', {
          code,
          language,
          pattern_name: pattern,
          ...(path ? { path } : {}),
        })
        assert.deepEqual(
          Object.fromEntries(answer.violations.map(({ rule, line }) => [rule, line ?? null])),
          rules,
        )
      })

    test('every rule is broken by one fixture at least', () => {
      const text = readFileSync(join(sampleLibrary, `mcp/resources/patterns/${pattern}.md`), 'utf8')
      const own = readRules(text).rules.filter(
        ({ check }) => check.kind !== 'text' || !check.require || check.when !== null,
      )
      const broken = new Set(bad.flatMap(({ rules }) => Object.keys(rules)))
      assert.deepEqual(
        own.map(({ id }) => id).filter((id) => !broken.has(id)),
        [],
      )
    })

    test('its own examples follow it', async () => {
      const text = readFileSync(join(sampleLibrary, `mcp/resources/patterns/${pattern}.md`), 'utf8')
      for (const [, language, code] of text.matchAll(/```(typescript|rust|sql)\n([\s\S]*?)```/g)) {
        const answer = await world.ask<Validated>('validate-against-pattern', {
          code,
          language,
          pattern_name: pattern,
        })
        assert.deepEqual(answer.violations, [], code)
      }
    })
  })
