import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

const optionsIn = (written: string, heading = 'Considered Options') =>
  parseAdr('adr/0007-x.md', `# X\n\n## ${heading}\n\n${written}\n`).options

describe('options are found however they are listed', () => {
  const check = (name: string, written: string, names: string[], heading?: string) =>
    test(name, () =>
      assert.deepEqual(
        optionsIn(written, heading).map((option) => option.name),
        names,
      ),
    )
  const both = ['Redis', 'Kafka']
  check('bullets', '- Redis\n- Kafka', both)
  check('names in bold', '- **Redis** – a store in memory.\n- **Kafka**: a log.', both)
  check('bold that is no name', '- **Only** Redis\n- **Option 2:** Kafka', ['Only Redis', 'Kafka'])
  check('bold labels', '1. **Option 1 — Redis.** It is fast.\n2. **Option 2 — Kafka.** It is a log.', both)
  check('headings', '### Option A: Redis\n\nText.\n\n### Option B: Kafka\n\nText.', both)
  check('headings with letters', '### A. Redis\n\nText.\n\n### B. Kafka\n\nText.', both)
  check('paragraphs', '**A. Redis.** It is fast.\n\n**B. Kafka**  \nIt is a log.', both)
  check('notes below', '- Redis\n- Kafka\n\nSome observations:\n\n- Both are there.', both)
  check(
    'a list without labels below one with',
    '- Option #1: Redis\n- Option #2: Kafka\n\nIn the end:\n\n- More to run',
    both,
  )
  check(
    'headings with codes',
    '- Redis\n- Kafka+Zoo\n\n### A1: Redis\n\nText.\n\n### A2: Kafka + Zoo\n\nText.',
    ['Redis', 'Kafka+Zoo'],
  )
  check('one paragraph in bold is no list', '**Redis** was there before.', [])
  check('a table of options', '| Option | Cost |\n|---|---|\n| Redis | low |\n| Kafka | high |', both)
  check(
    'a table with sides',
    '| # | Store | Pros |\n|---|---|---|\n| 1 | Redis | fast |\n| 2 | Kafka | safe |',
    both,
  )
  check('another table', '| Year | Cost |\n|---|---|\n| 2024 | low |\n| 2025 | high |', [])
  check('a table of criteria', '| Criterion | Pros |\n|---|---|\n| Cost | low |', [], 'Comparison')
  check('in German', '### Variante 1: Redis\n\nText.\n\n### Variante 2: Kafka\n\nText.', both, 'Optionen')
  check('in Russian', '### Вариант А. Redis\n\nText.\n\n### Вариант 2: Kafka\n\nText.', [
    'Вариант А. Redis',
    'Kafka',
  ])
  check('in Chinese', '### 选项 A：Redis\n\nText.\n\n### 选项B：Kafka\n\nText.', both, '考虑的选项')
})

describe('a list marks the chosen and the rejected options', () => {
  const check = (written: string, outcome: string) =>
    test(written, () => {
      const [option] = optionsIn(`- ${written}\n- Kafka`)
      assert.deepEqual([option?.name, option?.outcome], ['Redis', outcome])
    })
  check('Redis (preferred)', 'chosen')
  check('Redis. Rejected: too dear', 'rejected')
  check('Redis ✅', 'chosen')
  check('**Redis** – fast. **Chosen.**', 'chosen')
  check('**Redis:** verworfen – zu teuer', 'rejected')
  check('Redis (escolhida)', 'chosen')
  check('**Redis**, elegida por el cliente', 'listed')
  check('**Redis** – дорого. Отвергнут.', 'rejected')
  check('Redis（✅ 采纳）', 'chosen')
  check('**Redis**：否——太贵', 'rejected')
  check('**Redis**: 採用', 'chosen')
  check('**Redis**: 採用しない', 'listed')

  test('in a column of a table', () =>
    assert.deepEqual(
      optionsIn('| Option | Verdict |\n|---|---|\n| Redis | Chosen |\n| Kafka | Rejected, dear |').map(
        ({ outcome }) => outcome,
      ),
      ['chosen', 'rejected'],
    ))
})
