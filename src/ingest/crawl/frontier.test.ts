import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { frontier } from './frontier.js'

const never = new AbortController().signal
const all = () => true

describe('the next page', () => {
  test('lower ranks first, and of one rank in the order they came', async () => {
    const pages = frontier(all, all)
    pages.add('far', 2)
    pages.add('near', 1)
    pages.add('near too', 1)
    const order = [await pages.take(never), await pages.take(never), await pages.take(never)]
    assert.deepEqual(order, ['near', 'near too', 'far'])
  })

  test('is null once the queue is empty and no worker may add to it', async () => {
    const pages = frontier(all, all)
    pages.add('a', 0)
    assert.equal(await pages.take(never), 'a')
    const next = pages.take(never)
    pages.done('a')
    assert.equal(await next, null)
  })

  test('a page that is added while it is out comes again when it is back, if it is still wanted', async () => {
    const wanted = new Set(['a', 'b'])
    const pages = frontier(all, (url) => wanted.has(url))
    pages.add('a', 0)
    assert.equal(await pages.take(never), 'a')
    pages.add('a', 0)
    pages.add('b', 1)
    assert.equal(await pages.take(never), 'b')
    pages.done('a')
    assert.equal(await pages.take(never), 'a')
    pages.add('a', 0)
    wanted.delete('a')
    pages.done('a')
    pages.done('b')
    assert.equal(await pages.take(never), null)
  })

  test('is not one that must wait until its time has come, and then only once', async () => {
    const pages = frontier(all, all)
    pages.add('a', 0)
    assert.equal(await pages.take(never), 'a')
    pages.later('a', 40)
    pages.done('a')
    pages.add('a', -1)
    const start = performance.now()
    assert.equal(await pages.take(never), 'a')
    assert.ok(performance.now() - start > 30)
    pages.done('a')
    assert.equal(await pages.take(never), null)
  })

  test('is only a waiting one if there is no room', async () => {
    const pages = frontier(() => false, all)
    pages.add('new', 0)
    pages.later('begun', 1)
    assert.equal(await pages.take(never), 'begun')
    pages.done('begun')
    assert.equal(await pages.take(never), null)
  })
})
