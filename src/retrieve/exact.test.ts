import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly } from './exact.js'

test('a question without end is not read to its end', () => {
  const question = Array.from({ length: 600_000 }, (_, i) => `parseHeader${i}`).join(' ')
  const start = process.cpuUsage()
  exactly(question)
  const { user, system } = process.cpuUsage(start)
  // Some 10 ms; the whole of it were seconds.
  assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
})
