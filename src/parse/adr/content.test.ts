// What was decided and what follows from it, in the forms that house styles have for it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

const head = '# 7. Queues\n\n## Status\n\nAccepted\n\n'
const read = (text: string) => parseAdr('docs/adr/0007-queues.md', head + text)

describe('consequences are read without the labels above them', () => {
  const check = (name: string, consequences: string, expected: string[]) =>
    test(name, () =>
      assert.deepEqual(
        read(`## Consequences\n\n${consequences}\n`).consequences.map(({ text }) => text),
        expected,
      ),
    )
  check(
    'in bold',
    'All mail waits.\n\n**Positive:**\n\n- Less load\n- Fewer calls\n\n**Negative:**\n\n- More to run\n',
    ['All mail waits.', 'Less load', 'Fewer calls', 'More to run'],
  )
  check('in a list', '- Pros\n  - Less load\n- Cons:\n  - More to run\n- Neutral:\n  - Same price\n', [
    'Less load',
    'More to run',
    'Same price',
  ])
  check(
    'until another line leads a list',
    '**Benefits:**\n\n- Less load\n\nWe will have to:\n\n- Tell ops\n',
    ['Less load', 'We will have to:', 'Tell ops'],
  )
  check('as headings', '### Advantages\n\nLess load.\n\n### Disadvantages\n\nMore to run.\n', [
    'Less load.',
    'More to run.',
  ])
  check(
    'a sentence about good things is none',
    '- Data - It may be poor. Good people are needed.\n- Good because cheap',
    ['Data - It may be poor.', 'Good people are needed.', 'Good because cheap'],
  )
  test('below the decision', () => {
    const { consequences } = read('## Decision\n\nYes.\n\n### Good\n\n- Cheap\n\n### Bad\n\n- Slow\n')
    assert.deepEqual(
      consequences.map(({ text }) => text),
      ['Cheap', 'Slow'],
    )
  })
  check('a sentence about benefits is none', 'Benefits come late.\n\n- Less load\n', [
    'Benefits come late.',
    'Less load',
  ])
})

describe('the decision', () => {
  const check = (name: string, text: string, expected: string | null) =>
    test(name, () => assert.equal(read(text).decision?.text ?? null, expected))
  for (const nothing of ['TBD', 'TODO.', 'To be decided', 'N/A', 'Proposed'])
    check(`${nothing} is none`, `## Decision\n\n${nothing}\n`, null)
  check('in letters of any script', '## Decision\n\nМы берём одну очередь.\n', 'Мы берём одну очередь.')
  check('under the option that is preferred', '## Preferred option\n\nWe use one.\n', 'We use one.')
  check('without what is good and bad', '## Decision\n\nYes.\n\n### Good\n\n- Cheap\n', 'Yes.')
  check('of old', '## Historical Decision\n\nWe used one.\n', 'We used one.')
  check(
    'may stand under what and how',
    '## What\n\nOne queue.\n\n## Why\n\nMail waits.\n\n## How\n\nWe run it.\n\n### Steps\n\nBuy it.\n',
    'One queue.\nWe run it.\nBuy it.',
  )
  check('stands under its own heading where there is one', '## How\n\nNo.\n\n## Decision\n\nYes.\n', 'Yes.')
  check(
    'keeps what stands in code',
    '## Decision\n\nUse `queue/<name>/*_in` and **`a_b`**.\n',
    'Use queue/<name>/*_in and a_b.',
  )
  test('is not that it was replaced', () => {
    const { decision } = parseAdr('adr/0007-x.md', '# X\n\n> Replaced by [ADR-9](0009-y.md).\n\nWe use X.\n')
    assert.equal(decision?.text, 'We use X.')
  })
})
