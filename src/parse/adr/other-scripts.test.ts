import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

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
