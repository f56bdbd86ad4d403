import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vocabularyReceiver, vocabularySender } from './vocabulary-channel.js'

function through(sent: string[][]) {
  const [send, receive] = [vocabularySender(), vocabularyReceiver()]
  return sent.map((words) => {
    const carried = structuredClone(send(words))
    const received = receive(carried)
    return { fresh: carried.fresh, received, as: [...received] }
  })
}

test('a list that grows comes through as it was, and each word is sent once', () => {
  const words = ['retry', 'budget']
  const [send, receive] = [vocabularySender(), vocabularyReceiver()]
  assert.deepEqual(receive(send(words)), words)
  assert.deepEqual(send(words).fresh, [])
  words.push('naïve', '日本')
  const carried = send(words)
  assert.deepEqual(carried.fresh, ['naïve', '日本'])
  assert.deepEqual(receive(carried), words)
})

test('another list is another list on the other side too, and the first stays as it was', () => {
  const [first, second] = through([['retry', 'budget'], ['日本']])
  assert.notEqual(first!.received, second!.received)
  assert.deepEqual(second!.fresh, ['日本'])
  assert.deepEqual([...first!.received], ['retry', 'budget'])
  assert.deepEqual(second!.as, ['日本'])
})
