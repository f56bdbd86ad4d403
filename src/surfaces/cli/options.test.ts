import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { chosenTools, toolFlags } from './options.js'

const chosen = (...given: string[]) =>
  chosenTools(toolFlags(new Command()).exitOverride().parse(given, { from: 'user' }).opts())

test('collects every value of a repeated option', () => {
  assert.deepEqual(
    chosen('--exclude-tools', 'a, b', '--toolsets', 'x', '--exclude-tools', 'c,', '--read-only'),
    ['toolsets=["x"]', 'excludeTools=["a","b","c"]', 'readOnly=true'],
  )
  assert.deepEqual(chosen('--exclude-tools', ''), ['excludeTools=[]'])
  assert.deepEqual(chosen(), [])
})

test('a choice of nothing is refused', () => {
  const quiet = (...given: string[]) =>
    toolFlags(new Command())
      .configureOutput({ writeErr() {} })
      .exitOverride()
      .parse(given, { from: 'user' })
  for (const names of ['', ' ', ',', ' , ']) {
    assert.throws(() => quiet('--tools', names), /The names of tools are expected/)
    assert.throws(() => quiet('--toolsets', names), /The names of toolsets are expected/)
  }
})
