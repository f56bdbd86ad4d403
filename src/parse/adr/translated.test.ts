import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Adr } from './adr.js'
import { parseAdr, readAdr } from './parse-adr.js'

describe('a status in another language', () => {
  const check = (written: string, status: Adr['status'], by: number[] = [], supersedes: number[] = []) =>
    test(`"${written}" is ${status}`, () => {
      const adr = parseAdr('adr/0007-x.md', `# X\n\n## Status\n\n${written}\n\n## Decision\n\nDone.\n`)
      const numbers = (list: Adr['supersedes']) => list.map(({ number }) => number)
      assert.deepEqual(
        [adr.status, numbers(adr.supersededBy), numbers(adr.supersedes)],
        [status, by, supersedes],
      )
    })
  check('Angenommen', 'accepted')
  check('✅ Akzeptiert am 2024-03-01', 'accepted')
  check('Abgelehnt', 'rejected')
  check('Entwurf', 'draft')
  check('Ersetzt durch ADR 9', 'superseded', [9])
  check('Angenommen, ersetzt durch [ADR 9](0009-y.md)', 'superseded', [9])
  check('Angenommen\n\nErsetzt ADR 3', 'accepted', [], [3])
  check('Ersetzt', 'superseded')
  check('Acceptée', 'accepted')
  check('Remplacé par ADR-9', 'superseded', [9])
  check('Obsolète', 'deprecated')
  check('Aceptado', 'accepted')
  check('Reemplazada por ADR-9', 'superseded', [9])
  check('Substituído por ADR-9', 'superseded', [9])
  check('Sostituita da ADR-9', 'superseded', [9])
  check('Vervangen door ADR-9', 'superseded', [9])
  check('Принято', 'accepted')
  check('Отклонено', 'rejected')
  check('已接受', 'accepted')
  check('已被 ADR-9 取代', 'superseded', [9])
  check('承認済み', 'accepted')
  check('ADR-9 により置き換え', 'superseded', [9])
  check('승인됨', 'accepted')
})

describe('a record in another language', () => {
  const records: [status: string, context: string, decision: string, consequences: string][] = [
    ['Status', 'Kontext', 'Entscheidung', 'Konsequenzen'],
    ['Statut', 'Contexte', 'De\u0301cision', 'Conséquences'],
    ['Estado', 'Contexto', 'Decisión', 'Consecuencias'],
    ['Статус', 'Контекст', 'Решение', 'Последствия'],
    ['状态', '背景', '决策', '后果'],
    ['ステータス', 'コンテキスト', '決定', '影響'],
    ['Status', 'Kontext und Problemstellung', 'Entscheidungsergebnis', 'Negative Folgen'],
    ['Statut', 'Contexte et problématique', 'Décision retenue', 'Conséquences négatives'],
    ['Status', 'Contexto e definição do problema', 'Decisão proposta', 'Consequências'],
    ['Status', 'Kontekst i opis problemu', 'Wynik decyzji', 'Konsekwencje'],
    ['Статус', 'Контекст и постановка проблемы', 'Результат принятия решения', 'Последствия'],
    ['状态', '背景与问题陈述', '决策结果', '正面影响'],
    ['ステータス', '文脈、背景', '決定事項', '結果・影響'],
    ['상태', '컨텍스트 (Context)', '결정 (Decision)', '긍정적 영향'],
  ]
  for (const [status, context, decision, consequences] of records)
    test(`has its parts: ${decision}`, () => {
      const text = `# X\n\n## ${status}\n\nRejected\n\n## 2. ${context}\n\nWhy.\n\n## ${decision}\n\nWe do.\n\n## ${consequences}\n\nMore.\n`
      const reading = readAdr('notes/x.md', text)
      assert.equal(reading.kind, 'adr')
      const adr = parseAdr('notes/x.md', text)
      assert.deepEqual(
        [adr.status, adr.context[0]?.text, adr.decision?.text, adr.consequences[0]?.text],
        ['rejected', 'Why.', 'We do.', 'More.'],
      )
    })

  const lists = [
    'Berücksichtigte Optionen',
    'Options envisagées',
    'Alternativas evaluadas',
    'Opções consideradas',
    'Opzioni considerate',
    'Rozważane opcje',
    'Рассмотренные варианты',
    '考虑的选项',
    '备选方案',
    '考慮した選択肢',
    '고려한 대안',
  ]
  for (const heading of lists)
    test(`lists its options: ${heading}`, () => {
      const { options } = parseAdr('adr/0007-x.md', `# X\n\n## ${heading}\n\n- Redis\n- Postgres\n`)
      assert.deepEqual(
        options.map(({ name }) => name),
        ['Redis', 'Postgres'],
      )
    })

  test('has its fields', () => {
    const adr = parseAdr(
      'adr/0007-x.md',
      '# X\n\n- 日期：2020-12-25\n- 状态：已接受\n- Ersetzt: ADR 3\n- Remplacé par : ADR 9\n\n## Decision\n\nDone.\n',
    )
    assert.deepEqual(
      [adr.status, adr.supersedes[0]?.number, adr.supersededBy[0]?.number],
      ['superseded', 3, 9],
    )
  })

  const fields: [written: string, status: Adr['status']][] = [
    ['- Data: 2024-02-03\n- Decydenci: Ala, Olek\n- Status: przyjęta', 'accepted'],
    ['**날짜**: 2024-02-03\n**결정자**: 팀\n**상태**: 승인됨', 'accepted'],
    ['- **决策人：** 王一、李二\n- 日期：2024-02-03\n- **状态：** 已接受', 'accepted'],
    ['* Решающие: Аня и Боря\n* Дата: 03.02.2024\n* Статус: принято', 'accepted'],
    ['Data: 2024-02-03. Decisori: Ugo. Stato: accettata dal gruppo', 'accepted'],
    ['- Date : 3 février 2024\n- Décideurs : aucun\n- Statut : rejeté', 'rejected'],
  ]
  for (const [written, status] of fields)
    test(`has its fields: ${written.split('\n')[0]}`, () => {
      const adr = parseAdr('adr/0007-x.md', `# X\n\n${written}\n\nWe use one queue.\n`)
      assert.deepEqual([adr.status, adr.decision?.text], [status, 'We use one queue.'])
    })

  test('a field of several in a line, and what a record replaces none of', () => {
    const adr = parseAdr(
      'adr/0007-x.md',
      '# X\n\n**Estado:** Aceptado · **Autores:** Eva y Luis\n- **Ersetzt:** Keine\n- Sostituisce: nessuna\n\n## Decisión\n\nSí.\n',
    )
    assert.deepEqual([adr.status, adr.supersedes], ['accepted', []])
  })

  test('names the records that it replaces', () => {
    const adr = parseAdr('adr/0007-x.md', '# X\n\n- 状态：已接受\n- 取代：ADR 3\n\n## 决策\n\n用。\n')
    assert.deepEqual(
      adr.supersedes.map(({ number }) => number),
      [3],
    )
  })
})
