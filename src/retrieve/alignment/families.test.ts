import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { membersIn } from './families.js'
import { amountsDiffer, quantitiesIn } from './quantities.js'

describe('families of things that are chosen one or the other', () => {
  const cases: [text: string, family: string, members: string[]][] = [
    ['Run the builds on Jenkins', 'build service', ['jenkins']],
    ['Move from GitHub Actions to Tekton', 'build service', ['github action', 'tekton']],
    ['Write it in Golang or go', 'language', ['go']],
    ['Images for arm64 and Graviton', 'processor', ['arm']],
    ['Use camel case', 'mark', ['camel case']],
  ]
  for (const [text, family, members] of cases)
    test(text, () => assert.deepEqual([...(membersIn(text).get(family) ?? [])].sort(), members))

  test('a name inside a longer one is not the name', () => {
    assert.equal(membersIn('Ask for MySQLx and go-getters').has('database'), false)
    assert.equal(membersIn('Ask for go-getters').has('language'), false)
    assert.equal(membersIn('Deploy with GitHub Actions').has('code host'), false)
  })
})

describe('amounts', () => {
  test('units are brought to one measure', () => {
    assert.deepEqual(quantitiesIn('a full day'), [{ kind: 'seconds', amount: 86_400 }])
    assert.deepEqual(quantitiesIn('1,500 ms and 20 %'), [
      { kind: 'seconds', amount: 1.5 },
      { kind: 'percent', amount: 20 },
    ])
  })
  const differ = (one: string, other: string) => amountsDiffer(quantitiesIn(one), quantitiesIn(other))
  test('another amount of the same kind differs, the same one in another unit does not', () => {
    assert.equal(differ('cache for a full day', 'cache for 300 seconds'), true)
    assert.equal(differ('cache for five minutes', 'cache for 300 seconds'), false)
    assert.equal(differ('raise the TTL to one hour', 'a TTL of 300'), true)
    assert.equal(differ('wait two hours', 'at most 5 MB'), false)
    assert.equal(differ('nothing here', 'a TTL of 300'), false)
  })
})
