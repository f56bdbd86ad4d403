import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsShown, shownCommands, withOutput, words } from './console.js'

const page =
  'Ask:\n\n```console\n$ carrel list   # all\nlibrary  3 documents\n\n$ carrel sync\n```\n\n```text\n$ npm i\n```\n'

test('finds only the commands of console blocks, with their output', () => {
  assert.deepEqual(shownCommands(page), [
    { command: 'carrel list   # all', output: 'library  3 documents\n\n', line: 4 },
    { command: 'carrel sync', output: '', line: 7 },
  ])
})

test('writes another output in the place of the one shown', () => {
  const [list] = shownCommands(page)
  assert.match(
    withOutput(page, list!, 'library  4 documents\n'),
    /all\nlibrary {2}4 documents\n\$ carrel sync/,
  )
})

test('reads words as a shell does', () => {
  assert.deepEqual(words(`carrel tool x '{"a": "b # c"}' "two words" --as=y # why`), [
    'carrel',
    'tool',
    'x',
    '{"a": "b # c"}',
    'two words',
    '--as=y',
  ])
})

test('compares the output, except for figures that vary and the parts that "…" leaves out', () => {
  const check = (shown: string, actual: string, same: boolean) =>
    assert.equal(isAsShown(shown, actual), same, `${shown} / ${actual}`)
  check('3 files in 2.1 s', '3 files in 10 ms', true)
  check('3 files in 2.1 s', '4 files in 2.1 s', false)
  check('a\n…\nd', 'a\nb\nc\nd', true)
  check('a\n…\nd', 'a\nb\nc', false)
  check('{"a":1,…}', '{"a":1,"b":2}', true)
  check('score 0.61', 'score 0.58', true)
  check('(a) [b]', '(a) [c]', false)
})
