import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { grepCodebase } from '../../src/toolsets/context/grep.js'
import { world } from '../support/world.js'

test('forty searches at once do not read all files forty times', async (t) => {
  const words = Array.from({ length: 40 }, (_, i) => `name${i}x`)
  const files = Object.fromEntries(words.map((word) => [`src/${word}.ts`, `export const ${word} = 1\n`]))
  const { library } = await world(t, files)
  const started: ChildProcess[] = []
  const onStart = (message: unknown) => started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', onStart)
  t.after(() => unsubscribe('child_process', onStart))

  const answers = await Promise.all(
    words.map((pattern) => grepCodebase(library, { pattern, caseSensitive: false, limit: 50 })),
  )

  for (const [i, { matches, totalMatches, filesSearched }] of answers.entries())
    assert.deepEqual([matches[0]?.file, totalMatches, filesSearched], [`src/${words[i]}.ts`, 1, 40])
  const whole = started.filter(
    ({ spawnargs }) => spawnargs.includes('--count-matches') && spawnargs.at(-1) === './',
  )
  assert.ok(whole.length <= 4, `${whole.length} runs of ripgrep over all files`)
})
