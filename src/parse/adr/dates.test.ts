import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dateIn, withPlainDates } from './dates.js'

describe('a date as people write it', () => {
  const check = (written: string, date: string | null) =>
    test(`"${written}" is ${date}`, () => assert.equal(dateIn(written), date))
  check('3 May 2024', '2024-05-03')
  check('May 3rd, 2024', '2024-05-03')
  check('2024-May-03', '2024-05-03')
  check('3. März 2024', '2024-03-03')
  check('le 14 août 2023', '2023-08-14')
  check('7 de setembro de 2022', '2022-09-07')
  check('Julio de 2021', '2021-07')
  check('12 settembre 2025', '2025-09-12')
  check('9 stycznia 2024 r.', '2024-01-09')
  check('27 июля 2024 года', '2024-07-27')
  check('2024年7月1日', '2024-07-01')
  check('2024년 7월 1일', '2024-07-01')
  check('rolled out 2019', null)
  check('we set 12 in 2020', null)
  check('decided 2020', null)
  check('an agora 2020', null)
})

test('no mark in a date parts a sentence', () =>
  assert.equal(
    withPlainDates('Accepted 3. März 2024, deprecated 1 мая 2025'),
    'Accepted 2024-03-03, deprecated 2025-05-01',
  ))
