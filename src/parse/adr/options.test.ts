// Options in the forms that house styles have for them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

type Row = [name: string, outcome: string]

const check = (name: string, text: string, expected: Row[]) =>
  test(name, () => {
    const { options } = parseAdr('docs/adr/0007-queues.md', `# 7. Queues\n\n## Status\n\nAccepted\n\n${text}`)
    assert.deepEqual(
      options.map(({ name, outcome }) => [name, outcome]),
      expected,
    )
  })
const names = (...all: string[]): Row[] => all.map((name) => [name, 'listed'])

describe('lines that are labelled', () => {
  check(
    'with arguments below them',
    '## Considered Options\n\n**Option 1:** One queue.\n\nPros\n\n- Cheap\n\nCons\n\n- Slow\n\n**Option 2:** Two queues.\n\n- Good, because fast\n\n## Decision\n\nWe go with option 2.\n',
    [
      ['One queue.', 'listed'],
      ['Two queues.', 'chosen'],
    ],
  )
  check(
    'folded away',
    '## Options\n\n**Option A:** One queue.\n<details open>\n<summary>➕ Pros</summary>\n\n- Cheap\n\n</details>\n<details>\n<summary>➖ Cons</summary>\n\n- Slow\n\n</details>\n\n**Option B:** Two queues.\n',
    [
      ['One queue.', 'listed'],
      ['Two queues.', 'listed'],
    ],
  )
  check(
    'in one paragraph',
    '## Options\n\n**Option 1:** One queue\nIt is cheap.\n**Option 2:** Two queues\nThey are fast.\n\nBoth need a server.\n',
    names('One queue', 'Two queues'),
  )
  check('in bold alone', '## Options\n\n**One queue**\n\n- Pro: cheap\n\n**Two queues**\n\n- Con: dear\n', [
    ['One queue', 'listed'],
    ['Two queues', 'listed'],
  ])
})

describe('arguments below an item', () => {
  check(
    'in a list',
    '## Options\n\n1. One queue\n   - Pros: cheap\n   - Cons: slow\n2. Two queues\n   - Pros\n     - fast\n   - Cons\n     - dear\n',
    [
      ['One queue', 'listed'],
      ['Two queues', 'listed'],
    ],
  )
  check(
    'of the other options',
    '## Options\n\n* One queue\n* Two queues\n\n## Pros and Cons of the Other Options\n\n### One queue\n\n* Good, because cheap\n',
    [
      ['One queue', 'listed'],
      ['Two queues', 'listed'],
    ],
  )
})

describe('a table', () => {
  check(
    'of options',
    '## Options\n\n| Option | Pros | Cons |\n|---|---|---|\n| One queue | Cheap | Slow<br>Old |\n| Two queues | Fast | |\n\n## Decision\n\nWe chose two queues.\n',
    [
      ['One queue', 'listed'],
      ['Two queues', 'chosen'],
    ],
  )
  check(
    'of something else',
    '## Options\n\n| Criterion | One | Two |\n|---|---|---|\n| Price | 1 | 2 |\n',
    [],
  )
})

describe('headings', () => {
  check(
    'that call themselves options, wherever they stand',
    '## Considerations\n\n### Option 1: One queue\n\n- Good, because cheap\n\n### Option 2: Two queues\n\nFast.\n\n## Decision\n\nOption 2 will be used.\n',
    [
      ['One queue', 'listed'],
      ['Two queues', 'chosen'],
    ],
  )
  check(
    'that are alternatives',
    '## Considerations\n\n### Alternative: One queue\n\nSlow.\n',
    names('One queue'),
  )
  check(
    'below one alternative tell of it',
    '## The considered alternative\n\nOne.\n\n### Shape\n\nS.\n\n### Cost\n\nC.\n',
    [],
  )
  check('that only count are none', '## Background\n\n### A. Mail\n\nx\n\n### B. Queues\n\nx\n', [])
  check(
    'of steps are none',
    '## Decision\n\nWe do.\n\n### Option 1: later\n\nx\n\n### Option 2: never\n\nx\n',
    [],
  )
})

describe('a sentence that leads to options', () => {
  const options = '\n\n1. One queue\n2. Two queues\n\n## Decision\n\nWe decided to go with option (1).\n'
  const chosen: Row[] = [
    ['One queue', 'chosen'],
    ['Two queues', 'listed'],
  ]
  check('in the context', `## Context\n\nWe considered these options:${options}`, chosen)
  check('by their number', `## Context\n\nMail waits. There are two possible approaches:${options}`, chosen)
  check(
    'under headings',
    '## Context\n\nThere were two options considered:\n\n### 1. One queue\n\nSlow.\n\n### 2. Two queues\n\nFast.\n\n## Decision\n\nTwo queues will be used.\n',
    [
      ['One queue', 'listed'],
      ['Two queues', 'chosen'],
    ],
  )
  check(
    'to options of a command does not',
    `## Context\n\nThe command takes the following options:${options}`,
    [],
  )
  check(
    'counts where no part is called so',
    `## Context\n\nWe considered two options:\n\n- A\n- B\n\n## Options\n\n- C\n- D\n`,
    names('C', 'D'),
  )
})

check(
  'an option may be called by a side',
  '## Options\n\n* Neutral queues\n* Good queues\n\n## Pros and Cons of the Options\n\n### Neutral queues\n\n* They wait.\n',
  names('Neutral queues', 'Good queues'),
)
const long = 'and so on for all the rest of the queues that there may be in the time to come '
check(
  'options that begin alike are two',
  `## Options\n\n1. Use this form: a/b ${long.repeat(2)}\n2. Use this form: b/a ${long.repeat(2)}\n`,
  [
    [`Use this form: a/b ${long.repeat(2)}`.trim(), 'listed'],
    [`Use this form: b/a ${long.repeat(2)}`.trim(), 'listed'],
  ],
)
check('nothing is no option', '## Alternatives\n\n- N/A\n', [])
check(
  'a number in front chooses',
  '## Options\n\n### 1. One queue\n\n### 2. Two queues\n\n## Decision\n\n(#2) Use both of them for mail.\n',
  [
    ['One queue', 'listed'],
    ['Two queues', 'chosen'],
  ],
)
