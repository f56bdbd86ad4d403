import assert from 'node:assert/strict'
import { documentOf, same, stock } from '../sample.js'
import type { PromiseThat } from '../store.js'

const values: unknown[] = [
  { text: 'one', nested: { list: [1, 2.5, null, true, ''] } },
  [],
  {},
  'a string',
  '',
  0,
  -1.5e300,
  false,
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  'NUL \0, quotes \' " `, emoji 😀, \u2028',
]

export function recordPromises(promise: PromiseThat): void {
  promise('keeps records of any JSON value', async ({ store }) => {
    for (const [i, value] of values.entries()) {
      await store.records.put('kind', `${i}`, value)
      assert.deepEqual(await store.records.get('kind', `${i}`), value)
    }
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    assert.equal((await store.records.all('kind')).length, values.length)
  })

  promise('lists records of a kind by id', async ({ store }) => {
    const ids = ['b', 'a', 'B', 'é', '10', '9', "'; drop table records; --", 'a\0b', '__proto__', '']
    for (const id of ids) await store.records.put('kind', id, { id })
    await store.records.put('other', 'z', 1)
    same(
      await store.records.all('kind'),
      ids.sort().map((id) => ({ id, value: { id } })),
    )
    same([await store.records.all('other'), await store.records.all('none')], [[{ id: 'z', value: 1 }], []])
  })

  promise('tells a record that is missing from one that is there', async ({ store }) => {
    await store.records.put('kind', 'a', 1)
    same([await store.records.get('kind', 'b'), await store.records.get('other', 'a')], [null, null])
    same([await store.records.delete('kind', 'b'), await store.records.delete('kind', 'a')], [false, true])
    same([await store.records.get('kind', 'a'), await store.records.delete('kind', 'a')], [null, false])
  })

  promise('a record put again takes the place of the old one', async ({ store }) => {
    await store.records.put('kind', 'a', { first: 1 })
    await store.records.put('kind', 'a', { second: 2 })
    same(await store.records.all('kind'), [{ id: 'a', value: { second: 2 } }])
  })

  promise(
    'puts many records of several kinds at once, in place of those that were there',
    async ({ store }) => {
      await store.records.put('kind', 'a', 'old')
      await store.records.putAll([
        { kind: 'kind', id: 'a', value: { n: 1 } },
        { kind: '~other', id: 'NUL \0', value: [] },
        { kind: 'kind', id: 'b', value: 2 },
        { kind: 'kind', id: 'b', value: 3 },
      ])
      await store.records.putAll([])
      same(await store.records.all('kind'), [
        { id: 'a', value: { n: 1 } },
        { id: 'b', value: 3 },
      ])
      same(await store.records.all('~other'), [{ id: 'NUL \0', value: [] }])
    },
  )

  promise('puts none of many records when one of them cannot be kept', async ({ store }) => {
    const broken = store.records.putAll([
      { kind: '~kind', id: 'a', value: 1 },
      {
        kind: '~kind',
        id: 'b',
        get value(): unknown {
          throw new Error('on purpose')
        },
      },
    ])
    await assert.rejects(broken, /on purpose/)
    same(await store.records.all('~kind'), [])
  })

  promise('clears a kind and no other', async ({ store }) => {
    for (const id of ['a', 'b\0', '']) await store.records.put('kind', id, 1)
    await store.records.put('kind/more', 'a', 2)
    same([await store.records.clear('kind'), await store.records.clear('kind')], [3, 0])
    same(
      [await store.records.all('kind'), await store.records.all('kind/more')],
      [[], [{ id: 'a', value: 2 }]],
    )
  })

  promise('updates a record as one step, and null removes it', async ({ store }) => {
    const seen: unknown[] = []
    const update = (to: { n: number } | null) =>
      store.records.update<{ n: number }>('kind', 'a', (value) => {
        seen.push(value)
        return to
      })
    same(
      [await update({ n: 1 }), await update({ n: 2 }), await update(null), await update(null)],
      [{ n: 1 }, { n: 2 }, null, null],
    )
    same(seen, [null, { n: 1 }, { n: 2 }, null])
    same(await store.records.get('kind', 'a'), null)
  })

  promise('loses no update among many at once', async ({ store }) => {
    const count = (value: number | null) => (value ?? 0) + 1
    const returned = await Promise.all(
      Array.from({ length: 50 }, () => store.records.update('kind', 'n', count)),
    )
    same(
      returned.sort((a, b) => a! - b!),
      Array.from({ length: 50 }, (_, i) => i + 1),
    )
    assert.equal(await store.records.get('kind', 'n'), 50)
  })

  promise('leaves a record as it was when the change throws, and goes on working', async ({ store }) => {
    await store.records.put('kind', 'a', { n: 1 })
    const fails = store.records.update<{ n: number }>('kind', 'a', (value) => {
      value!.n = 2
      throw new Error('on purpose')
    })
    await assert.rejects(fails, /on purpose/)
    same(await store.records.get('kind', 'a'), { n: 1 })
    same(await store.records.update<{ n: number }>('kind', 'a', (value) => ({ n: value!.n + 1 })), { n: 2 })
  })

  promise('keeps records when every source and vector is forgotten', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['apple'])])
    await store.records.put('kind', 'a', 1)
    await store.forgetSource('notes')
    assert.equal(await store.records.get('kind', 'a'), 1)
  })

  promise('is not touched when a record given or returned is changed afterwards', async ({ store }) => {
    const value = { list: [1] }
    await store.records.put('kind', 'a', value)
    value.list.push(2)
    ;(await store.records.get<typeof value>('kind', 'a'))!.list.push(3)
    ;(await store.records.all<typeof value>('kind'))[0]!.value.list.push(4)
    same(await store.records.get('kind', 'a'), { list: [1] })
  })
}
