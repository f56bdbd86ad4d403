// Decision records have one form, fit on a page, and are all in the index.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { projectRoot } from '../support/world.js'

const folder = join(projectRoot, 'docs/decisions')
const names = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const index = read('README.md')

describe('decision records', () => {
  for (const name of names)
    test(`${name} has the form, fits on a page and is in the index`, () => {
      const text = read(name)
      const number = Number(name.slice(0, 4))
      const title = new RegExp(`^# ${number}\\. (.+)\n\n\\*\\*Status:\\*\\* (.+)\n`).exec(text)
      assert.ok(title, 'a numbered title and a status')
      assert.deepEqual(
        [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
        ['Context', 'Decision', 'Consequences', 'Measured'],
      )
      assert.ok(text.trimEnd().split('\n').length <= 60, 'at most sixty lines')
      const status = title[2]!.split(';')[0]
      assert.match(status!, /^(accepted|proposed|superseded by \[\d+\]\(\d{4}-[a-z0-9-]+\.md\))$/)
      assert.ok(index.includes(`| [${number}](${name}) | ${title[1]} | ${status} |`), 'a row in the index')
    })

  test('have numbers of their own', () => {
    const numbers = names.map((name) => name.slice(0, 4))
    assert.deepEqual([...new Set(numbers)], numbers)
  })

  test('name their successor, which names them back', () => {
    for (const name of names) {
      const successor = /^\*\*Status:\*\* superseded by \[\d+\]\((.+?)\)/m.exec(read(name))?.[1]
      if (successor) assert.match(read(successor), new RegExp(`supersedes \\[\\d+\\]\\(${name}\\)`))
    }
  })
})
