import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Embedder, EmbedOptions } from '../embed/port.js'
import { shareOneCall } from './vectors.js'

const vectorOf = (text: string) => Float32Array.of(text.length, text.charCodeAt(0))
const query = { kind: 'query' } as const

/** An embedder whose calls are answered by hand. */
function byHand() {
  const calls: { texts: readonly string[]; options: EmbedOptions; end(error?: Error): void }[] = []
  const embedder: Embedder = {
    model: 'by hand',
    dimensions: 2,
    embed: (texts, options) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(texts.map(vectorOf)))
        calls.push({ texts, options, end })
      }),
    close: async () => {},
  }
  return { calls, embedder }
}

describe('questions that share one call of the model', () => {
  test('have each vector as soon as the model does', async () => {
    const { calls, embedder } = byHand()
    const shared = shareOneCall(embedder, ['a', 'bb', 'a'])
    const [first, second, again] = ['a', 'bb', 'a'].map((text) => shared.embed([text], query))
    assert.deepEqual(
      calls.map(({ texts }) => texts),
      [['a', 'bb']],
    )
    calls[0]!.options.onVector!(0, vectorOf('a'))
    assert.deepEqual([await first, await again], [[vectorOf('a')], [vectorOf('a')]])
    assert.equal(await Promise.race([second, sleep(20, 'waiting')]), 'waiting')
    calls[0]!.end()
    assert.deepEqual(await second, [vectorOf('bb')])
  })

  test('get all vectors at the end from a model that returns them in one piece', async () => {
    const { calls, embedder } = byHand()
    const shared = shareOneCall(embedder, ['a', 'bb'])
    const answers = [shared.embed(['bb'], query), shared.embed(['a', 'bb'], query)]
    calls[0]!.end()
    assert.deepEqual(await Promise.all(answers), [[vectorOf('bb')], [vectorOf('a'), vectorOf('bb')]])
  })

  test('fail with the model, except those that were answered before, even if no caller waits', async () => {
    const { calls, embedder } = byHand()
    const shared = shareOneCall(embedder, ['a', 'bb', 'nobody asks'])
    const [first, second] = [shared.embed(['a'], query), shared.embed(['bb'], query)]
    calls[0]!.options.onVector!(0, vectorOf('a'))
    calls[0]!.end(new Error('gone'))
    assert.deepEqual(await first, [vectorOf('a')])
    await assert.rejects(second, /gone/)
    await assert.rejects(shared.embed(['nobody asks'], query), /gone/)
  })

  test('do not give up for each other; the last that waits ends the call, and a later one has its own', async () => {
    const { calls, embedder } = byHand()
    const shared = shareOneCall(embedder, ['a', 'bb', 'ccc', 'late'])
    const gone = ['bb', 'ccc'].map(() => new AbortController())
    const ask = (text: string, i: number) => shared.embed([text], { ...query, signal: gone[i]!.signal })
    const answered = shared.embed(['a'], query)
    const [first, last] = [ask('bb', 0), ask('ccc', 1)]
    const { options, end } = calls[0]!
    options.onVector!(0, vectorOf('a'))
    await answered
    gone[0]!.abort()
    assert.equal(options.signal!.aborted, false)
    gone[1]!.abort()
    assert.equal(options.signal!.aborted, true)
    end(new Error('given up'))
    for (const answer of [first, last]) await assert.rejects(answer!, /given up/)
    const late = shared.embed(['late'], query)
    calls[1]!.end()
    assert.deepEqual(await late, [vectorOf('late')])
  })

  test('leave other texts and passages to a call of their own', async () => {
    const { calls, embedder } = byHand()
    const shared = shareOneCall(embedder, ['a'])
    const answers = [shared.embed(['other'], query), shared.embed(['a'], { kind: 'passage' })]
    for (const call of calls) call.end()
    assert.deepEqual(await Promise.all(answers), [[vectorOf('other')], [vectorOf('a')]])
  })
})
