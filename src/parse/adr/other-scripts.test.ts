import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'
import { supersessionOf } from './supersession.js'

const record = (status: string, title = 'Запись') =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\nDone.\n`

describe('a title keeps its words in every script', () => {
  const titles: [written: string, title: string][] = [
    ['Протокол версии 2: переход', 'Протокол версии 2: переход'],
    ['Отказ от RFC 7807: свои ошибки', 'Отказ от RFC 7807: свои ошибки'],
    ['使用 ADR 12: 格式', '使用 ADR 12: 格式'],
    ['ADR-7: Größe wählen', 'Größe wählen'],
    ['ADR-7：データベース選定', 'データベース選定'],
    ['📌 ADR-7: База', 'База'],
  ]
  for (const [written, title] of titles)
    test(written, () => {
      const adr = parseAdr('docs/adr/0007-x.md', record('Accepted', written))
      assert.deepEqual([adr.number, adr.title], [7, title])
    })
})

describe('a record is named by its file in every script', () => {
  const successors = [
    ['0012-einführung-von-kafka.md', 'Superseded by 0012-einführung-von-kafka.md'],
    ['0004-größere-lampe.md', 'Superseded by 0004-größere-lampe.md'],
    ['0004-größere-lampe.md', 'Superseded by 0004-größere-lampe'],
    ['20240102-größe-neu.md', 'Superseded by 20240102-größe-neu'],
    ['авторизация-новая.md', 'Superseded by авторизация-новая.md'],
    ['новый-вход.md'.normalize('NFD'), 'Superseded by [x](новый-вход.md)'],
    ['ÜBER-Größe.md'.normalize('NFD'), 'Superseded by über-größe.md'],
  ]
  for (const [path, status] of successors)
    test(status!, () => {
      const before = parseAdr('adr/0001-a.md', record(status!))
      const after = parseAdr(`adr/${path}`, record('Accepted'))
      assert.deepEqual(supersessionOf([before, after]).current(before), [after])
    })
})

describe('options keep their words in every script', () => {
  const options = (list: string, outcome: string) =>
    parseAdr(
      'docs/adr/0007-x.md',
      `# X\n\n## Status\n\nAccepted\n\n## Considered Options\n\n${list}\n\n## Decision Outcome\n\n${outcome}\n`,
    ).options.map((option) => [option.name, option.outcome])

  test('a reason behind a verdict is no part of the name', () => {
    const found = options('* Очередь — rejected, слишком медленно\n* Кафка', 'See above.')
    assert.deepEqual(found[0], ['Очередь', 'rejected'])
  })

  test('an option that was chosen is known by its name', () => {
    for (const name of ['Кафка', 'नदी']) {
      const found = options(`* Очередь\n* ${name}`, `${name} was chosen.`)
      assert.deepEqual(
        found.map(([, outcome]) => outcome),
        ['listed', 'chosen'],
      )
    }
  })

  test('a question further in front makes no question of an answer', () => {
    const found = options('* Очередь\n* Kafka', 'Chosen option: Kafka (почему? потому что быстро)')
    assert.equal(found[1]![1], 'chosen')
  })
})
