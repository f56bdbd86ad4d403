import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordReceiver, wordSender } from './carried-words.js'

const [first, second] = [{}, {}]
const documents = [
  { words: ['retry', 'budget'], numbers: [3, 1], vocabulary: first },
  { words: [], numbers: [], vocabulary: first },
  { words: ['budget', 'naïve', 'retry'], numbers: [1, 0, 3], vocabulary: first },
  { words: ['日本', 'budget'], numbers: [1, 0], vocabulary: second },
]

function through() {
  const [send, receive] = [wordSender(), wordReceiver()]
  return documents.map(({ words, numbers, vocabulary }) => {
    const carried = structuredClone(send(words, { numbers: Uint32Array.from(numbers), vocabulary }))
    return { carried, received: receive(carried) }
  })
}

test('words come through as they were, and each is sent once', () => {
  const all = through()
  assert.deepEqual(
    all.map(({ received }) => received.words),
    documents.map(({ words }) => words),
  )
  assert.deepEqual(
    all.map(({ carried }) => carried.fresh),
    ['retry\nbudget', '', 'naïve', '日本\nbudget'],
  )
})

test('numbers are told apart where they mean other words', () => {
  const vocabularies = through().map(({ received }) => received.numbered.vocabulary)
  assert.equal(vocabularies[0], vocabularies[2])
  assert.notEqual(vocabularies[2], vocabularies[3])
})
