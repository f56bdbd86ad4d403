import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

describe('consequences are good or bad', () => {
  const check = (written: string, kinds: string) =>
    test(JSON.stringify(written), () => {
      const { consequences } = parseAdr('adr/0007-x.md', `# X\n\n## Consequences\n\n${written}\n`)
      assert.equal(consequences.map(({ kind }) => kind?.[0] ?? '-').join(''), kinds)
    })
  check('- Good, because fast.\n- Bad, because dear.', 'gb')
  check('**Positive:**\n\n- Fast.\n- Small.\n\n**Negative:**\n\n- Dear.\n\nWe live with that.', 'ggb-')
  check('**Benefits:**\n\n- Fast.\n\n**Risks if not done:**\n\n- Dear.', 'gb')
  check('- Risks\n  - Dear.\n- Fast.', 'b-')
  check('- Pros:\n- Fast.\n- Cons:\n- Dear.', 'gb')
  check('### Pros\n\n- Fast.\n\n### Disadvantages\n\n- Dear.', 'gb')
  check('### Positive and negative\n\n- Fast.', '-')
  check('- Pros: fast.\n- Cons: dear.\n- Con más tiempo, mejor.', 'gb-')
  check('### Positivas\n\n- Rápido.\n\n### Riscos\n\n- Caro.', 'gb')
  check('### ポジティブ\n\n- 速い。\n\n### デメリット\n\n- 高い。', 'gb')
  check('**Positiv**\n- Schnell.\n\n**Negativ**\n- Teuer.', 'gb')
  check('- 正面：快。\n- 负面：贵。', 'gb')
  check('- Плюсы: быстро.\n- Минусы: дорого.', 'gb')
})

describe('options have their pros and cons', () => {
  const check = (name: string, written: string) =>
    test(name, () => {
      const { options } = parseAdr(
        'adr/0007-x.md',
        `# X\n\n## Considered Options\n\n- Redis\n- Kafka\n\n${written}\n`,
      )
      assert.deepEqual(
        options.map(({ pros, cons }) => [pros, cons]),
        [
          [['fast'], ['dear']],
          [[], []],
        ],
      )
    })
  const under = '## Pros and Cons of the Options\n\n### Redis\n\n'
  check('good, because', `${under}* Good, because fast\n* Bad, because dear`)
  check('a label for each', `${under}- Pros: fast\n- Cons: dear`)
  check('a label above a list', `${under}**Advantages**\n\n- fast\n\n**Disadvantages:**\n\n- dear`)
  check('a bullet above bullets', `${under}- **Positive**\n  - fast\n- **Negative**\n  - dear`)
  check('a bullet that is no label', `${under}- Pros\n  - fast\n- Cons\n  - dear\n- Context\n  - old`)
  check('a paragraph for each', `${under}**Pros:** fast\n\n**Cons:** dear`)
  check('marks', `${under}* (+) fast\n* (-) dear`)
  check('marks that are escaped', `${under}* \\+ fast\n* \\- dear`)
  check('a table', `${under}| Pros | Cons |\n|---|---|\n| fast | dear |`)
  check('a table of all', '## Comparison\n\n| Option | Pros | Cons |\n|---|---|---|\n| Redis | fast | dear |')
  check('in German', '## Vor- und Nachteile der Optionen\n\n### Redis\n\n- Gut: fast\n- Schlecht: dear')
  check('in French', `${under}**Avantages :**\n- fast\n\n**Inconvénients :**\n- dear`)
  check('in Chinese', `${under}- 优点：fast\n- 缺点：dear`)
  check('in Russian', '## Плюсы и минусы вариантов\n\n### Redis\n\n- Плюсы: fast\n- Минусы: dear')
})
