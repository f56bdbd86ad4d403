import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Adr } from './adr.js'
import { parseAdr } from './parse-adr.js'

const nygard = (status: string, more = '') =>
  `# 7. Use X\n\nDate: 2024-01-02\n\n## Status\n\n${status}\n\n## Context\n\nWe need X. It was rejected before.\n\n## Decision\n\nWe will use X.\n\n## Consequences\n\nGood.\n${more}`

const checkStatus = (written: string, status: Adr['status'], by: string[] = []) =>
  test(`"${written.replaceAll('\n', '⏎')}" is ${status}`, () => {
    const adr = parseAdr('docs/adr/0007-use-x.md', nygard(written))
    assert.equal(adr.status, status)
    assert.deepEqual(
      adr.supersededBy.map(({ path, text }) => path ?? text),
      by,
    )
  })

describe('a status in its own section', () => {
  checkStatus('Accepted', 'accepted')
  checkStatus('✅ Accepted', 'accepted')
  checkStatus('**Accepted**', 'accepted')
  checkStatus('> Proposed', 'proposed')
  checkStatus('_Proposed_.', 'proposed')
  checkStatus('~~Proposed~~ Accepted', 'accepted')
  checkStatus('~~Accepted~~\n\nDeprecated', 'deprecated')
  checkStatus('Accepted\n\nSuperseded by [8. Use Y](0008-use-y.md)', 'superseded', ['0008-use-y.md'])
  checkStatus('Superceded by [8. Use Y](0008-use-y.md)', 'superseded', ['0008-use-y.md'])
  checkStatus('SUPERSEDED by ADR-045', 'superseded', ['ADR-045'])
  checkStatus('Superseded by 12', 'superseded', ['12'])
  checkStatus('Superseded by:\n\n* [8. Use Y](0008-use-y.md)\n* ADR-9', 'superseded', [
    '0008-use-y.md',
    'ADR-9',
  ])
  checkStatus('Accepted\n\n- Superseded by\n  - [8. Use Y](0008-use-y.md)', 'superseded', ['0008-use-y.md'])
  checkStatus('Superseded by https://example.org/docs/adr/0008-use-y.md', 'superseded', [
    'https://example.org/docs/adr/0008-use-y.md',
  ])
  checkStatus('Superseded by [Use Y][y]\n\n[y]: 0008-use-y.md "Use Y"', 'superseded', ['0008-use-y.md'])
  checkStatus(':white_check_mark:', 'accepted')
  checkStatus(':x: Accepted', 'accepted')
  checkStatus('Accepted, superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Partly superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Accepted (partially superseded by ADR-9)', 'accepted', ['ADR-9'])
  checkStatus('Accepted. Not yet superseded by anything.', 'accepted')
  checkStatus('Deprecated (no superseding ADR)', 'deprecated')
  checkStatus('Rejected (see [019](019-shared.md))', 'rejected')
  checkStatus('Implemented', 'accepted')
  checkStatus('DRAFT Not Implemented', 'draft')
  checkStatus('ABANDONED. Replacement is being discussed in [#11](https://example.org/11).', 'deprecated')
  checkStatus('Not accepted', 'rejected')
  checkStatus('Proposed | Accepted | Rejected', 'unknown')
  checkStatus('Proposed | **Accepted** | Rejected', 'accepted')
  checkStatus('Proposed → Accepted → Deprecated', 'deprecated')
  checkStatus('- [ ] Proposed\n- [x] Accepted\n- [ ] Deprecated', 'accepted')
  checkStatus('- 2024-01-02: Proposed\n- 2024-02-01: Accepted', 'accepted')
  checkStatus('- 2024-03-01: Accepted\n- 2024-02-01: Rejected', 'accepted')
  checkStatus('2021-05-04 Accepted', 'accepted')
  checkStatus('Accepted on 4 May 2021', 'accepted')
  checkStatus('This decision has been accepted by the board.', 'accepted')
  checkStatus('Under review', 'proposed')
  checkStatus('❌', 'rejected')
  checkStatus('{proposed | accepted}', 'unknown')
  checkStatus('Accepted\n\n**2025 update** We are looking to move on; the old one was rejected.', 'accepted')
  checkStatus('Banana', 'unknown')
})

describe('two statuses in one line', () => {
  checkStatus('Accepted 2020-01-01; Deprecated 2021-01-01', 'deprecated')
  checkStatus('Deprecated 2021-01-01, accepted 2020-01-01', 'deprecated')
  checkStatus('Rejected on May 12, 2020. Accepted on 3 June 2021.', 'accepted')
  checkStatus('Proposed 2020-01-01, accepted 2020-02-01', 'accepted')
  checkStatus('Approved 2020, withdrawn 2021', 'rejected')
  checkStatus('Accepted. Deprecated since v2.', 'deprecated')
  checkStatus('Accepted, then deprecated', 'deprecated')
  checkStatus('Accepted (deprecated)', 'deprecated')
  checkStatus('Deprecated (accepted 2019)', 'deprecated')
  checkStatus('Rejected, then accepted', 'accepted')
  checkStatus('Was: Accepted. Now: Rejected', 'rejected')
  checkStatus('Accepted 2020-01-01, Superseded 2021-01-01 by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Superseded (2021-01-01) by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Accepted (was rejected 2019-01-01)', 'accepted')
  checkStatus('Accepted. Rejected alternatives are listed below.', 'accepted')
  checkStatus('Accepted, rejected by ops', 'accepted')
  checkStatus('Accepted for web; rejected for mobile', 'accepted')
  checkStatus('Accepted, deprecated once ADR-9 is accepted', 'accepted')
  checkStatus('Accepted, superseded 2021-01-01 by ADR-9 if that is accepted', 'accepted')

  const noted = (status: string) =>
    parseAdr('adr/0007-x.md', `# X\n\n## Status\n\n${status}\n\n## Decision\n\nDo it.\n`)
  test('of two that are only named the first counts', () => {
    assert.equal(noted('Accepted / Deprecated').status, 'accepted')
  })
  test('of two with a date the newer counts', () => {
    assert.equal(noted('Accepted 2020-01-01; deprecated 2021-01-01').status, 'deprecated')
    assert.equal(noted('Deprecated 2020-01-01; accepted 2021-01-01').status, 'accepted')
  })
  for (const status of [
    'Superseded in part by ADR-9',
    'Superseded by ADR-9 (partially)',
    'Superseded by ADR-9 in part',
    'Accepted, superseded in part by ADR-9',
  ])
    test(`${status} leaves a part`, () => {
      const { partly, supersededBy } = noted(status)
      assert.deepEqual([partly, supersededBy.map(({ text }) => text)], [true, ['ADR-9']])
    })
})

describe('a successor in whatever words', () => {
  for (const status of [
    'Superseded (see ADR-7)',
    'Superseded - see ADR-7',
    'Superseded: ADR-7',
    'Superseded → ADR-7',
    'Superseded on 12 May 2024 by ADR-7',
    'Superseded in 2024 by ADR-7',
    'Superseded in favour of ADR-7',
    'Superseded  by ADR-7',
    'Superseded\u00a0by ADR-7',
    'Superseded by ADR\u20117',
    'Replaced with ADR-7',
    'Overridden by ADR-7',
    'Supplanted by ADR-7',
    'Made obsolete by ADR-7',
    'Accepted, overridden by ADR-7',
    'Accepted on 12 May 2023, superseded on 12 May 2024 by ADR-7',
    'Superseded, see ADR-7. Supersedes ADR-3.',
  ])
    checkStatus(status, 'superseded', ['ADR-7'])
  checkStatus('Superseded, see [ADR-7](0007-x.md)', 'superseded', ['0007-x.md'])
  checkStatus('Deprecated, see ADR-7', 'deprecated')

  for (const status of ['Accepted, superseding ADR-3', 'Accepted (supersedes ADR-3)'])
    test(`"${status}" supersedes`, () => {
      const { supersedes, supersededBy } = parseAdr('adr/0007-x.md', nygard(status))
      assert.deepEqual([supersedes.map(({ text }) => text), supersededBy], [['ADR-3'], []])
    })
  test('fields and notices know the same words', () => {
    for (const top of [
      '- Status: accepted\n- Overridden by: ADR-7',
      'Supplanted by ADR-7',
      'This decision was replaced by ADR-7',
    ]) {
      const { status, supersededBy } = parseAdr('adr/0003-x.md', `# X\n\n${top}\n\n## Decision\n\nDo it.\n`)
      assert.deepEqual([status, supersededBy.map(({ text }) => text)], ['superseded', ['ADR-7']], top)
    }
  })
})

describe('a partly superseded record still holds', () => {
  const check = (top: string, by: string[]) =>
    test(top.replaceAll('\n', '⏎'), () => {
      const text = `${top}\n\n## Context\n\nx\n\n## Decision\n\nDo it.\n`
      const { status, partly, supersededBy } = parseAdr('adr/0007-x.md', text)
      assert.deepEqual(
        [status, partly, supersededBy.map(({ text }) => text)],
        ['accepted', by.length > 0, by],
      )
    })
  check('# X\n\n- Status: accepted\n- Superseded by: ADR-9 (partially)', ['ADR-9'])
  check('# X\n\n- Status: accepted\n- Superseded by: ADR-9 (retry policy only)', ['ADR-9'])
  check('---\nstatus: accepted\nsuperseded-by: ADR-9 (in part)\n---\n# X', ['ADR-9'])
  for (const status of [
    'Accepted. Section 3 was superseded by ADR-9.',
    'Accepted\n\nSection 3 was superseded by ADR-9.',
    'Accepted; section 3 superseded by ADR-9',
    'Accepted (retry policy superseded by [ADR-9](0009-x.md))',
    'Accepted, the retry policy has been replaced by ADR-9',
  ])
    check(`# X\n\n## Status\n\n${status}`, ['ADR-9'])
  for (const whole of [
    'Accepted and superseded by ADR-9',
    'Accepted by the board, meanwhile superseded by ADR-9',
    'Accepted. This approach was later superseded by ADR-9.',
    'Accepted. On 12 May 2024 it has been superseded by ADR-9.',
    'Accepted. The decision is now entirely superseded by ADR-9',
    'Accepted\n\n**Note:** superseded by ADR-9',
    'Superseded by ADR-9, which partially supersedes ADR-3',
  ])
    test(`"${whole.replaceAll('\n', '⏎')}" leaves nothing`, () => {
      const { status, partly } = parseAdr('adr/0007-x.md', nygard(whole))
      assert.deepEqual([status, partly], ['superseded', false])
    })
})

describe('a field that names no successor', () => {
  for (const none of [
    'None yet',
    '(none)',
    'None.',
    '_None_.',
    'not applicable',
    'n/a (current)',
    'n.a.',
    'TBA',
    '?',
    '...',
    'not superseded',
  ])
    test(`"${none}" leaves the record accepted`, () => {
      const text = `# X\n\n- Status: accepted\n- Superseded by: ${none}\n\n## Decision\n\nDo it.\n`
      const { status, supersededBy } = parseAdr('adr/0007-x.md', text)
      assert.deepEqual([status, supersededBy], ['accepted', []])
    })
  test('words that are no number and no path are no successor until a record has that title', () => {
    const text = '# X\n\n- Status: accepted\n- Superseded by: Use Kafka\n\n## Decision\n\nDo it.\n'
    assert.equal(parseAdr('adr/0007-x.md', text).status, 'accepted')
  })
})

describe('an announced change has not happened', () => {
  checkStatus('Accepted. Will be superseded by ADR 3 once that is accepted.', 'accepted')
  checkStatus('Accepted\n\nTo be superseded by ADR 3.', 'accepted')
  checkStatus('Accepted (superseded by ADR 3 as soon as it lands)', 'accepted')
  checkStatus('Accepted, superseded by ADR 3 if that is accepted', 'accepted')
  checkStatus('Accepted, may soon be replaced by ADR-3', 'accepted')
  checkStatus('Accepted until replaced by ADR-3', 'accepted')
  checkStatus("Accepted. It won't be superseded by ADR-3.", 'accepted')
  checkStatus('Accepted\n\nSuperseded by ADR 3 once that is accepted', 'accepted')
  checkStatus('Accepted. Is about to be superseded by [3](0003-x.md)', 'accepted')
  checkStatus('Accepted, to be later deprecated', 'accepted')
  checkStatus('Will be superseded by ADR 3', 'unknown')
  checkStatus('Accepted\n\nPartially supersedes ADR-3', 'accepted')
  checkStatus('No longer used since superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Was accepted before being superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('To be discussed. Superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Accepted. It will be missed. Superseded by ADR-9', 'superseded', ['ADR-9'])
  checkStatus('Superseded by [If and when](0009-if.md)', 'superseded', ['0009-if.md'])
})

describe('a status does not come from prose', () => {
  const parsed = (where: string, prose: string) =>
    parseAdr(
      'adr/0007-x.md',
      `# X\n\n## Status\n\nAccepted\n\n## ${where}\n\n${prose}\n\n## Decision\n\nDo it.\n`,
    )
  const check = (where: string, prose: string) =>
    test(`${where}: ${prose}`, () => {
      const { status, supersededBy, supersedes } = parsed(where, prose)
      assert.deepEqual([status, supersededBy, supersedes], ['accepted', [], []])
    })
  check('Context', 'Until 2022 sessions lived in memory. This was superseded by ADR 2 and a move.')
  check('Context', 'This is superseded by ADR 3 in another project.')
  check('Context', 'There was a cache. This replaces ADR 3 in another project.')
  check('Consequences', 'This decision was superseded by ADR 3 in another project.')
  check('Context', 'Our old queue is superseded by ADR 3.')
  check('Links', 'Superseded by ADR 3 once that is accepted')

  test('a notice above all parts, and an entry among the links, are no prose', () => {
    const notice = parseAdr(
      'adr/0007-x.md',
      '# X\n\n> This ADR has been superseded by [9](0009-y.md).\n\n## Status\n\nAccepted\n',
    )
    assert.deepEqual([notice.status, notice.supersededBy.length], ['superseded', 1])
    for (const lead of [
      '> **Note:** This ADR is s',
      '> [!WARNING]\n> This decision was s',
      '!!! warning\n    S',
    ]) {
      const text = `# X\n\n${lead}uperseded by [9](0009-y.md).\n\n## Status\n\nAccepted\n`
      assert.equal(parseAdr('adr/0007-x.md', text).status, 'superseded', lead)
    }
    const some = 'Note: this ADR supersedes some aspects of [9](0009-y.md).'
    const partly = parseAdr('adr/0007-x.md', `# X\n\n${some}\n\n## Status\n\nAccepted\n`)
    assert.equal(partly.supersedes[0]?.partly, true)
    assert.equal(parsed('Links', '- Superseded by [9](0009-y.md)').status, 'superseded')
  })
})

describe('a status elsewhere', () => {
  const forms: Record<string, [string, Adr['status']]> = {
    bullet: [
      '# X\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context\n\nx\n\n## Decision\n\ny',
      'accepted',
    ],
    bold: [
      '# X\n\n- **Status:** ⚠️ Deprecated (June 2026)\n\n## Context\n\nx\n\n## Decision\n\ny',
      'deprecated',
    ],
    'plain lines': [
      '# X\n\nStatus: Accepted\nDate: 2020-01-01\n\n## Context\n\nx\n\n## Decision\n\ny',
      'accepted',
    ],
    table: ['# X\n\n| | |\n|---|---|\n| **Status** | Accepted |\n\n## Context\n\nx', 'accepted'],
    'table with a header': [
      '# X\n\n| Status | Date |\n|---|---|\n| Rejected | 2024-02-02 |\n\n## Context\n\nx',
      'rejected',
    ],
    'table with its status in the middle': [
      '# X\n\n|Date|State|Deciders|\n|:--|:-:|--:|\n|2024-02-02|**Accepted**|Ada|\n\n## Context\n\nx',
      'accepted',
    ],
    'table whose header is its status': [
      '# X\n\n| Status | Rejected |\n|---|---|\n| Date | 2024-02-02 |\n\n## Context\n\nx',
      'rejected',
    ],
    'table of what became of it': [
      '# X\n\n| Date | Status |\n|---|---|\n| 2024-03-01 | Accepted |\n| 2024-02-01 | Rejected |\n\n## Context\n\nx',
      'accepted',
    ],
    'table of other records': [
      '# X\n\n| ADR | Status | Date |\n|---|---|---|\n| 3 | Rejected | 2024-02-02 |\n| 4 | Accepted | 2024-02-02 |\n\n## Context\n\nx',
      'unknown',
    ],
    'table with a short row': [
      '# X\n\n| Date | Status |\n|---|---|\n| 2024-03-01 |\n\n## Context\n\nx',
      'unknown',
    ],
    frontmatter: [
      '---\nstatus: "rejected"\n---\n# X\n\n## Context\n\nx\n\n## Decision\n\nWe accepted y.',
      'rejected',
    ],
    heading: ['# X\n\n## Status: ARCHIVED\n\n## Context\n\nx', 'deprecated'],
    'bold line without a colon': ['# X\n\n**Status** Accepted\n\n## Context\n\nx', 'accepted'],
    'nested bullet': ['# X\n\n- Status:\n  - Rejected\n- Date: 2024-01-02\n\n## Context\n\nx', 'rejected'],
    'nested bullet with a reason': ['# X\n\n- Status\n  - Rejected: too slow\n\n## Context\n\nx', 'rejected'],
    'line below its name': ['# X\n\n* **Status**\n  Rejected\n\n## Context\n\nx', 'rejected'],
    'line below its name in bold': ['# X\n\n**Status:**\nRejected\n\n## Context\n\nx', 'rejected'],
    'line with other fields': [
      '# X\n\n**Date:** 2024-01-02 | **Status:** Rejected\n\n## Context\n\nx',
      'rejected',
    ],
    'line with a break': ['# X\n\nDate: 2024-01-02<br>Status: Rejected\n\n## Context\n\nx', 'rejected'],
    'bold tag': ['# X\n\n<b>Status:</b> Rejected\n\n## Context\n\nx', 'rejected'],
    'strong tag': ['# X\n\n<strong>Status</strong>: Rejected\n\n## Context\n\nx', 'rejected'],
    'prose only': [
      '# X\n\nThis was accepted yesterday.\n\n## Context\n\nStatus: it is accepted.\n',
      'unknown',
    ],
    'code only': ['# X\n\n## Status\n\n```\nAccepted\n```\n\n## Context\n\nx', 'unknown'],
    'a comment only': ['# X\n\n## Status\n\n<!-- Accepted -->\n\n## Context\n\nx', 'unknown'],
  }
  for (const [name, [text, status]] of Object.entries(forms))
    test(`in a ${name}: ${status}`, () => assert.equal(parseAdr('adr/0001-x.md', text).status, status))

  test('a table with a header gives a field for each column', () => {
    const text = '# X\n\n| Status | Date | Deciders |\n|---|---|---|\n| Rejected | 2024-02-02 | Ada, Bo |\n'
    assert.equal(parseAdr('adr/0001-x.md', text).status, 'rejected')
  })
  describe('fields that share a line, a bullet or a camel', () => {
    const check = (top: string, status: Adr['status'], by: string[] = []) =>
      test(top, () => {
        const adr = parseAdr('adr/0001-x.md', `${top}\n\n## Context\n\nx\n`)
        assert.deepEqual([adr.status, adr.supersededBy.map(({ text }) => text)], [status, by])
      })
    check('# X\n\nDate: 2024-01-02; Deciders: Ada, Bo<br/>Status: Rejected', 'rejected')
    check('# X\n\n- Deciders:\n  - Ada\n  - Bo\n- Status: accepted', 'accepted')
    check('---\nstatus: superseded\nsupersededBy: ADR-7\ndecisionMakers: [Ada, Bo]\n---\n# X', 'superseded', [
      'ADR-7',
    ])
    check(
      '# X\n\n**Status:** ~~accepted~~ — **superseded by\n[ADR-9](0009-y.md)**\n\n> It still holds in part.',
      'superseded',
      ['ADR-9'],
    )
    check('# X\n\n* Decision Makers: @ada @bo\n* Document Status: Accepted', 'accepted')
    check('# X\n\n- Datum: 2024-01-02\n- Status: accepted', 'accepted')
  })
  test('a later part about some other state or status says nothing of the record', () => {
    const decided = '## Decision\n\nUse a store.\n\n'
    for (const text of [
      `---\nstatus: accepted\n---\n# X\n\n${decided}## State\n\nLocal state is replaced by the store of ADR-9.\n`,
      `---\nstatus: accepted\n---\n# X\n\n${decided}## State\n\nReplaced by the store of ADR-9.\n`,
      `# X\n\n## Status\n\nAccepted\n\n${decided}## Rollout\n\n### Status\n\nThe pilot was rejected. It is superseded by ADR-9.\n`,
    ]) {
      const { status, partly, supersededBy } = parseAdr('adr/0001-x.md', text)
      assert.deepEqual([status, partly, supersededBy], ['accepted', false, []])
    }
  })
  test('a part that agrees with the status before it says more about it', () => {
    const text = '---\nstatus: superseded\n---\n# X\n\n## Status\n\nSuperseded by ADR-9\n'
    assert.deepEqual(
      parseAdr('adr/0001-x.md', text).supersededBy.map(({ text }) => text),
      ['ADR-9'],
    )
  })
  test('two places that disagree: the first counts', () => {
    const adr = parseAdr(
      'adr/0001-x.md',
      '# X\n\n- Status: deprecated\n\n## Status\n\nAccepted\n\n## Context\n\nx',
    )
    assert.equal(adr.status, 'deprecated')
  })
})

describe('a status in the title', () => {
  const check = (
    heading: string,
    [status, title]: [Adr['status'], string],
    by: string[] = [],
    own = 'Accepted',
  ) =>
    test(`"${heading}" is ${status}`, () => {
      const adr = parseAdr('docs/adr/0007-use-x.md', nygard(own).replace('7. Use X', heading))
      assert.deepEqual([adr.status, adr.title, adr.number], [status, title, 7])
      assert.deepEqual(
        adr.supersededBy.map(({ path, text }) => path ?? text),
        by,
      )
    })
  check('[Deprecated] 7. Use X', ['deprecated', 'Use X'])
  check('[SUPERSEDED] ADR-7: Use X', ['superseded', 'Use X'])
  check('7. Use X (superseded by ADR-12)', ['superseded', 'Use X'], ['ADR-12'])
  check('ADR-007: Use X - REJECTED', ['rejected', 'Use X'])
  check('7. Use X (draft)', ['accepted', 'Use X'])
  check('7. Use X (draft)', ['draft', 'Use X'], [], '')
  check('7. Use X (accepted risks)', ['accepted', 'Use X (accepted risks)'])
  check('7. Use X - deprecated calls are removed', ['accepted', 'Use X - deprecated calls are removed'])
  check('7. Use X (for deprecated clients)', ['accepted', 'Use X (for deprecated clients)'])
  check('[ADR-7] Use X', ['accepted', 'Use X'])
  check('7. Deprecated', ['accepted', 'Deprecated'])
})

describe('a status that is shown', () => {
  const badge = (words: string) => `![x](https://img.shields.io/badge/${words})`
  const check = (top: string, status: Adr['status']) =>
    test(top, () => {
      const adr = parseAdr('adr/0007-x.md', `# X\n\n${top}\n\n## Decision\n\nDone.\n`)
      assert.equal(adr.status, status)
    })
  check(badge('status-accepted-green'), 'accepted')
  check(`${badge('Status-REJECTED-red?style=flat')} ${badge('date-2024--02--03-blue')}`, 'rejected')
  check(`[${badge('ADR%20status-Superseded_by_ADR--9-orange.svg')}](README.md)`, 'superseded')
  check(`<!-- ${badge('status-proposed-blue')} -->\n${badge('status-deprecated-red')}`, 'deprecated')
  check(`${badge('build-accepted-green')}\n\nWords.`, 'unknown')
  check(`## Status\n\n${badge('status-draft-grey')}`, 'draft')
})

describe('a title and the text around it', () => {
  const check = (text: string, title: string, status: Adr['status'], by: (number | string)[] = []) =>
    test(text.split('\n')[0]!, () => {
      const adr = parseAdr('adr/0007-file.md', `${text}\n\n## Context\n\nWhy.\n`)
      const found = adr.supersededBy.map(({ number, text }) => number ?? text)
      assert.deepEqual([adr.title, adr.status, found], [title, status, by])
    })
  check('# Use X- Status: proposed\n\n- Date: 2024-01-02', 'Use X', 'proposed')
  check('# Use X | (status: superseded by [[2024-01-02-use-y]])', 'Use X', 'superseded', ['2024-01-02-use-y'])
  check(
    '# [Superseded by ADR-9] Use X\n\n- Status: superseded by [ADR-9](./0009-y.md)',
    'Use X',
    'superseded',
    [9],
  )
  check('# Use X\n\n# Benutze X\n\n- Status: accepted', 'Use X', 'accepted')
  check('# ADR 7\n\n## Use X\n\nStatus: accepted', 'Use X', 'accepted')
  check('# Use X\n\n## A story\n\nStatus: accepted', 'Use X', 'unknown')
})

describe('remains of a template', () => {
  const check = (status: string, expected: Adr['status'], partly = false) =>
    test(status, () => {
      const adr = parseAdr('adr/0007-x.md', `# X\n\n* Status: ${status}\n\n## Decision\n\nDone.\n`)
      assert.deepEqual([adr.status, adr.partly, adr.supersededBy], [expected, partly, []])
    })
  check('[proposed]', 'proposed')
  check('[proposed | accepted]', 'unknown')
  check('draft [accepted | deprecated | superseded by [xxx](yyyymmdd-xxx.md)]', 'draft')
  check('accepted (see the notes | below)', 'accepted')
  check('drafted', 'draft')
  check('Superseded-in-part', 'superseded', true)

  test('brackets of YAML are not those of a template', () => {
    const statusOf = (status: string) =>
      parseAdr('adr/0007-x.md', `---\nstatus: ${status}\n---\n\n# X\n`).status
    assert.deepEqual(['{accepted}', '[accepted]', '{one of them}'].map(statusOf), [
      'accepted',
      'accepted',
      'unknown',
    ])
  })
})

test('fields as headings, and several dates', () => {
  const check = (top: string) => {
    const adr = parseAdr('adr/0007-x.md', `# X\n\n${top}\n\n## Context\n\nWhy.\n`)
    assert.equal(adr.status, 'rejected')
  }
  check('### **Date:** 30th March 2024\n\n### **Status:** REJECTED')
  check('* Status: rejected\n* Date(s):\n  * rejected: 2024-03-30')
})

test('a link that is defined below the text leads to its record', () => {
  const text = '# X\n\n## Status\n\nSuperseded by [Use Y]\n\n[use y]: 0009-use-y.md\n'
  assert.deepEqual(parseAdr('adr/0007-x.md', text).supersededBy, [
    { text: 'Use Y', number: 9, path: '0009-use-y.md' },
  ])
})
