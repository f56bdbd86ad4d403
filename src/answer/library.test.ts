import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cachedPerIndexVersion, type Library, libraryState } from './library.js'

function libraryAt(version = '1') {
  const index = { version }
  const library = { state: new Map(), store: { version: async () => index.version } } as unknown as Library
  return { library, index }
}

describe('state of a library', () => {
  test('is created once for each library', () => {
    const visits = libraryState('visits', () => ({ count: 0 }))
    const [one, other] = [libraryAt().library, libraryAt().library]
    visits(one).count++
    visits(one).count++
    assert.deepEqual([visits(one).count, visits(other).count], [2, 0])
  })

  test('is separate for two declarations with the same name', () => {
    const [first, second] = ['names', 'names'].map((name) => libraryState(name, () => new Set<string>()))
    const { library } = libraryAt()
    first!(library).add('a')
    assert.equal(second!(library).size, 0)
  })
})

describe('a value cached per index version', () => {
  test('is computed once for calls at the same time, and again after a change of the index', async () => {
    let computed = 0
    const count = cachedPerIndexVersion('count', async () => ++computed)
    const { library, index } = libraryAt()
    assert.deepEqual(await Promise.all([count(library), count(library)]), [1, 1])
    assert.equal(await count(library), 1)
    index.version = '2'
    assert.equal(await count(library), 2)
    assert.equal(await count(libraryAt().library), 3, 'another library has its own')
  })

  test('is computed again after a failure', async () => {
    let isBroken = true
    const answer = cachedPerIndexVersion('answer', async () => {
      if (isBroken) throw new Error('The disk is gone.')
      return 'read'
    })
    const { library } = libraryAt()
    await assert.rejects(answer(library), /disk is gone/)
    isBroken = false
    assert.equal(await answer(library), 'read')
  })
})
