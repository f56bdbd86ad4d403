import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr, readAdr } from './parse-adr.js'

describe('the parts of a record', () => {
  const madr = `---
status: accepted
date: 2025-01-14
decision-makers: [Ilse Varga, Tomas Wren]
---
# Deliver at least once

## Context and Problem Statement

Should it send again?

## Considered Options

* At least once: send again
* At most once
* Exactly once

## Decision Outcome

Chosen option: "At least once", because silence is worse. This supersedes [ADR-3](0003-old.md).

### Consequences

* Good, because nothing is lost
* Bad, because repeats happen

## Pros and Cons of the Options

### At most once

* Good, because nobody is disturbed twice
* Bad, because silence is the worst failure
`
  const adr = parseAdr('docs/decisions/0005-at-least-once.md', madr)
  test('names', () => {
    assert.deepEqual([adr.id, adr.number, adr.title], ['0005', 5, 'Deliver at least once'])
  })
  test('options with outcome', () => {
    assert.deepEqual(
      adr.options.map(({ name, outcome }) => [name, outcome]),
      [
        ['At least once: send again', 'chosen'],
        ['At most once', 'listed'],
        ['Exactly once', 'listed'],
      ],
    )
  })
  test('decision, consequences and superseded records, with lines', () => {
    assert.equal(
      adr.decision!.sentences[0]!.text,
      'Chosen option: "At least once", because silence is worse.',
    )
    assert.equal(adr.decision!.line, 20)
    assert.deepEqual(
      adr.consequences.map(({ line }) => line),
      [24, 25],
    )
    assert.deepEqual(adr.supersedes, [{ text: 'ADR-3', number: 3, path: '0003-old.md' }])
  })
  test('options that were turned down where they are listed', () => {
    const { options } = parseAdr(
      'adr/0008-x.md',
      '# X\n\n## Status\n\nAccepted\n\n## Alternatives\n\n- *A base class.* Rejected: hooks grow.\n- Option B (preferred)\n',
    )
    assert.deepEqual(
      options.map(({ name, outcome }) => [name, outcome]),
      [
        ['A base class', 'rejected'],
        ['Option B', 'chosen'],
      ],
    )
  })
})

describe('parts in other forms', () => {
  test('lines in bold are headings where no heading names a part', () => {
    const adr = parseAdr(
      'adr/0008-x.md',
      '# X\n\n**Status:**\n\nRejected\n\n**Context**\n\nWhy.\n\n__Decision__\n\nWe do.\n\n**Bold** and more.\n',
    )
    assert.deepEqual([adr.status, adr.context.map(({ text }) => text)], ['rejected', ['Why.']])
    assert.equal(adr.decision?.text, 'We do.\nBold and more.')
  })

  test('a field may have a heading', () => {
    const headed = parseAdr(
      'adr/0008-x.md',
      '# X\n\n## Status\n\nAccepted\n\n### Supersedes\n\n- ADR 2\n- ADR 3\n\n## Date\n\n2024-05-06\n',
    )
    assert.deepEqual(
      headed.supersedes.map(({ number }) => number),
      [2, 3],
    )
  })

  test('the targets of links are no part of the text', () => {
    const { decision, consequences } = parseAdr(
      'adr/0008-x.md',
      '# X\n\n## Decision\n\nWe use [Y][y].\n\n## Consequences\n\nMore.\n\n[y]: https://example.org/y\n',
    )
    assert.equal(decision?.text, 'We use Y.')
    assert.deepEqual(
      consequences.map(({ text }) => text),
      ['More.'],
    )
  })
})

describe('titles and numbers', () => {
  const check = (path: string, heading: string, expected: [string, number | null, string]) =>
    test(`${path} with "${heading}"`, () => {
      const adr = parseAdr(path, `# ${heading}\n\n## Status\n\nAccepted\n`)
      assert.deepEqual([adr.id, adr.number, adr.title], expected)
    })
  check('adr-010-x.md', 'ADR 010: Modular AnteHandler', ['010', 10, 'Modular AnteHandler'])
  check('0007-x.md', '7. Move to PostgreSQL', ['0007', 7, 'Move to PostgreSQL'])
  check('025-x.md', '25 Domain names', ['025', 25, 'Domain names'])
  check('005-x.md', '3 tiers instead of two', ['005', 5, '3 tiers instead of two'])
  check('adr-001-x.md', 'Architecture Decision Record: Use ADRs', ['001', 1, 'Use ADRs'])
  check('20200927-x.md', 'ADR link resolver in the domain', [
    '20200927-x',
    null,
    'ADR link resolver in the domain',
  ])
  check('ADR0012-x.md', 'ADR-0012 — Queues', ['0012', 12, 'Queues'])
  check('queues.md', 'ADR 8: Queues', ['8', 8, 'Queues'])
  check('adr_3_use_redis.md', '', ['3', 3, 'Use redis'])
  check('adr013-x.md', 'ADR013: Fetching', ['013', 13, 'Fetching'])
  check('0003-x.md', '[ADR] Clocks and time zones', ['0003', 3, 'Clocks and time zones'])
  check('KITE-ADR-0004-x.md', 'KITE-ADR-0004: Default licence', ['0004', 4, 'Default licence'])
  check('KITE-ADR-MS-0012-x.md', 'Kite - Private endpoints', ['0012', 12, 'Kite - Private endpoints'])
  check('KITE-ADR-0003-x.md', 'The Kite Project - KITE-ADR-0003 - Default licence', [
    '0003',
    3,
    'Default licence',
  ])
  check('dec-007-x.md', 'DEC-007: Queues', ['007', 7, 'Queues'])
  check('iso-8601-dates.md', 'Dates', ['iso-8601-dates', null, 'Dates'])
  check('2024-03-queues.md', 'Queues', ['2024-03-queues', null, 'Queues'])
  check('2024-03-18_007-queues.md', '7. Queues', ['007', 7, 'Queues'])
  check('2024-03-18-007-queues.md', '7. Queues', ['007', 7, 'Queues'])
  check('2024-03-18-2-queues.md', 'Two queues', ['2024-03-18-2-queues', null, 'Two queues'])
  check('docs/adr/0007-queues/README.md', 'Queues', ['0007', 7, 'Queues'])
  check('docs/adr/2024-03-18-queues/index.md', 'Queues', ['2024-03-18-queues', null, 'Queues'])
})

describe('files that are no records', () => {
  const check = (path: string, text: string, kind: string) =>
    test(`${path} is ${kind}`, () => assert.equal(readAdr(path, text).kind, kind))
  check('docs/adr/README.md', '# Decisions\n\n## Status\n\nAccepted', 'index')
  check('docs/adr/2024-03-18-queues/README.md', '# Queues\n\n## Decision\n\nUse one.\n', 'adr')
  check('docs/adr/2024-03-18-queues/limits.md', '# Limits\n\nOne or two.\n', 'other')
  check('docs/adr/01-backend/README.md', '# Backend\n\n## Overview\n\n- [Queues](0007.md)\n', 'index')
  check('docs/adr/2024/README.md', '# 2024\n\n## Decisions\n\n- [Queues](0007.md)\n', 'index')
  check('docs/adr/template.md', '# [short title]\n\n- Status: [draft | accepted]\n', 'template')
  check('docs/adr/0000-TEMPLATE.md', '# NUMBER. TITLE\n\n## Status\n\nPending\n', 'template')
  for (const name of [
    'adr-template-bare-minimal',
    'template-madr',
    'madr_template_v2',
    '0000-template-short',
    '0000-ladr-template',
    'KITE-ADR-0000-template',
    '000-sample',
    'templates/pattern-template',
  ])
    check(`docs/adr/${name}.md`, '# Use X\n\n## Status\n\nAccepted\n\n## Decision\n\ny\n', 'template')
  for (const title of ['Title', '1. Title', 'Short title of the solved problem'])
    check('docs/adr/0009-x.md', `# ${title}\n\n## Status\n\n## Decision\n`, 'template')
  for (const name of [
    'template-engine',
    '0007-template-engine',
    '0007-template',
    '0008-template-short',
    '0009-sample',
    'adopt-the-project-template',
    'use-adr-template',
  ])
    check(`docs/adr/${name}.md`, '# Use X\n\n## Status\n\nAccepted\n\n## Decision\n\ny\n', 'adr')
  check('docs/adr/0014-project-templates.md', '# Project templates\n\n## Status\n\nAccepted\n', 'adr')
  check(
    'docs/adr/process.md',
    '# How we write decisions\n\n### ADR status\n\nDraft, then accepted.\n',
    'other',
  )
  check('docs/adr/0031-signpost.md', '# 31 Scanning\n\nKept privately.\n', 'adr')
  check('docs/retries.md', '# Retries\n\n## Context\n\nx\n', 'other')
  check(
    'docs/use-redis.md',
    '# Use Redis\n\nStatus: accepted\n\n## Context\n\nx\n\n## Decision\n\ny\n',
    'adr',
  )
  check('docs/adr/empty.md', '', 'other')
})

describe('hostile input', () => {
  const inputs: Record<string, string> = {
    empty: '',
    binary: String.fromCharCode(...Array.from({ length: 3000 }, (_, i) => (i * 37) % 256)),
    'open comments': '<!--'.repeat(50_000),
    'open brackets': '['.repeat(100_000),
    'nested emphasis': '*_'.repeat(80_000),
    'one long status': `# X\n\n## Status\n\n${'superseded by ADR-1 '.repeat(10_000)}`,
    'long table': `# X\n\n|a|b|\n|---|---|\n${'|Status|Accepted|\n'.repeat(10_000)}`,
    'wide table': `# X\n\n${'|Status|Date'.repeat(8000)}|\n|---|---|\n${'|a|b|\n'.repeat(15_000)}`,
    'many options': `# X\n\n## Considered Options\n\n${Array.from({ length: 9000 }, (_, i) => `* Option ${i} about thing ${i}`).join('\n')}\n\n## Decision Outcome\n\nChosen option: "thing"\n`,
    'many headings of options': Array.from({ length: 9000 }, (_, i) => `## Option ${i % 90}: ${i}`).join(
      '\n\n- x\n\n',
    ),
    'many labelled lines': `# X\n\n## Options\n\n${'**Option 1:** a\n'.repeat(12_000)}`,
    'many leads': `# X\n\n## Context\n\n${'We considered these options:\n\n- a\n\n'.repeat(6000)}`,
    'code in code': '`<a>` '.repeat(30_000),
    'many choices': `# X\n\n## Options\n\n${'* a b c\n* d\n'.repeat(40)}\n\n## Decision\n\n${`Chosen option: ${'a, '.repeat(700)}because d.\n\n`.repeat(90)}`,
    'many headings': Array.from({ length: 9000 }, (_, i) => `## Status ${i % 7 ? '' : ':'} x`).join('\n'),
    'spaces and colons': `Status${' '.repeat(60_000)}:${' '.repeat(60_000)}x`,
    'many lines in one item': `# X\n\n- Status: accepted\n${'  more of it. And more.\n'.repeat(8000)}`,
    'options made of brackets': `# X\n\n## Considered Options\n\n${`* Kafkas${'('.repeat(90_000)}\n`.repeat(9)}`,
    'brackets before a verdict': `# X\n\n## Considered Options\n\n* Kafka\n\n## Alternatives\n\n${`* Kafkas ${'(x'.repeat(9000)} (rejected)\n`.repeat(40)}`,
    'many values of one field': `# X\n\n- Status:\n${'  - Rejected\n'.repeat(14_000)}`,
    'many records in a list': `# X\n\n## Status\n\nSupersedes:\n\n${'- ADR 3\n'.repeat(20_000)}`,
    'many definitions': '[a]: b\n[a][a]\n'.repeat(13_000),
    digits: '1'.repeat(150_000),
    megabytes: 'word. '.repeat(500_000),
  }
  for (const [name, text] of Object.entries(inputs))
    test(`${name} is read in time`, () => {
      const before = process.cpuUsage()
      readAdr('docs/adr/0001-x.md', text)
      const { user } = process.cpuUsage(before)
      assert.ok(user < 2_000_000, `took ${user / 1000} ms of processor time`)
    })
})

describe('headings of parts', () => {
  const partOf = (heading: string) => {
    const text = `# X\n\n## ${heading}\n\n- Said here.\n`
    const { context, decision, consequences, options } = parseAdr('adr/0007-x.md', text)
    const found = { context, decision: decision?.sentences ?? [], consequences, options }
    return Object.entries(found).flatMap(([part, sentences]) => (sentences.length > 0 ? part : []))
  }
  for (const [heading, part] of [
    ['Context (why now)', 'context'],
    ['Decision (second try)', 'decision'],
    ['Options / Alternatives', 'options'],
    ['Decision / Outcome', 'decision'],
    ['Decision and reason', 'decision'],
    ['Positions', 'options'],
  ])
    test(`"${heading}" opens the ${part}`, () => assert.deepEqual(partOf(heading!), [part]))

  test('a title may begin like one', () => {
    const titleOf = (heading: string) =>
      parseAdr('adr/0007-file.md', `# ${heading}\n\n## Decision\n\nDone.\n`).title
    assert.equal(titleOf('Decision: use Redis'), 'use Redis')
    assert.equal(titleOf('Proposal – use Redis'), 'Proposal – use Redis')
    assert.equal(titleOf('Decision'), 'File')
    assert.equal(titleOf('Status: accepted'), 'File')
  })

  test('an option may be called like one', () => {
    const text = '# X\n\n## Options\n\n### Solution (REST)\n\nText.\n\n### Solution (SOAP)\n\nText.\n'
    assert.deepEqual(
      parseAdr('adr/0007-x.md', text).options.map(({ name }) => name),
      ['Solution (REST)', 'Solution (SOAP)'],
    )
  })
})

describe('a decision without a heading "Decision"', () => {
  const decided = (text: string) => parseAdr('adr/0007-x.md', text).decision?.text ?? null
  test('below a title with options', () =>
    assert.equal(
      decided('# X\n\nWe use Redis.\n\n## Considered options\n\n- Redis\n- Kafka\n'),
      'We use Redis.',
    ))
  test('not if the title is a sentence about something else', () =>
    assert.equal(decided('# X\n\nTechnical Story: 12\n\n## Considered options\n\n- Redis\n'), null))
  test('below a heading about the implementation', () =>
    assert.equal(
      decided('# X\n\n## Context\n\nWhy.\n\n## Design\n\nOne.\n\n### Store\n\nTwo.\n'),
      'One.\nTwo.',
    ))
  test('below a heading about the result', () =>
    assert.equal(decided('# X\n\n## Motivation\n\nWhy.\n\n## Implementation\n\nOne.\n'), 'One.'))
  test('not where another decides', () =>
    assert.equal(decided('# X\n\n## Design\n\nOne.\n\n## Decision\n\nTwo.\n'), 'Two.'))
  test('behind a label in another language', () =>
    assert.equal(decided('# X\n\n## Контекст\n\nПочему.\n\n**Решение:** Redis.\n'), 'Решение: Redis.'))
  test('in a bullet, with its consequences', () => {
    const text = '# X\n\n- Context: why.\n- Decision: Redis.\n- Consequences: more to run.\n'
    const adr = parseAdr('adr/0007-x.md', text)
    assert.deepEqual(
      [adr.context, adr.decision?.sentences, adr.consequences].map((sentences) =>
        sentences?.map((one) => one.text),
      ),
      [['Context: why.'], ['Decision: Redis.'], ['Consequences: more to run.']],
    )
  })
})
