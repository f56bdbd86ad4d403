import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeskCall, deskCalls } from './log.js'

const check = (title: string, command: string, expected: DeskCall[]) =>
  test(title, () => assert.deepEqual(deskCalls(command), expected))

check('reads a question without its quotes', 'carrel find "who may fetch" --root /x', [
  { tool: 'find', args: { question: 'who may fetch' } },
])
check('reads several look-ups of one command', "carrel uses A.b --in src; carrel grep 'a|b' -C 2 | head -5", [
  { tool: 'uses', args: { name: 'A.b', in: 'src' } },
  { tool: 'grep', args: { pattern: 'a|b', context: 2 } },
])
check('reads several names', 'carrel uses open close', [{ tool: 'uses', args: { name: 'open,close' } }])
check('reads several addresses', 'cd /x && node bin/carrel.mjs read a.ts:1-5 "b.md#Two words" --budget=900', [
  { tool: 'read', args: { at: ['a.ts:1-5', 'b.md#Two words'], budget: 900 } },
])
check('takes other programs for no look-up', 'rg -n carrel src | head', [])
check('takes other commands of carrel for no look-up', 'carrel status', [])
check('takes a help text for no look-up', 'carrel find --help', [])
