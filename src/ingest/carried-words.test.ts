import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordReceiver, wordSender } from './carried-words.js'

test('words come through as they were, and each is sent once', () => {
  const [send, receive] = [wordSender(), wordReceiver()]
  const documents = [['retry', 'budget'], [], ['budget', 'naïve', 'retry'], ['日本', 'budget']]
  const carried = documents.map(send)
  assert.deepEqual(carried.map(receive), documents)
  assert.deepEqual(
    carried.map(({ fresh }) => fresh),
    ['retry\nbudget', '', 'naïve', '日本'],
  )
})

test('both sides start over when they know too many', () => {
  const [send, receive] = [wordSender(), wordReceiver()]
  const many = Array.from({ length: 150_000 }, (_, i) => `word${i}`)
  const more = many.map((word) => `more${word}`)
  for (const words of [many, more, ['word7', 'new'], ['new', 'word7']]) {
    const carried = structuredClone(send(words))
    assert.equal(carried.anew, words.length === 2 && words[0] === 'word7')
    assert.deepEqual(receive(carried), words)
  }
})
