import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggable } from './log-arguments.js'

test('what stands under the name of a secret is masked, whatever its form', () => {
  assert.deepEqual(
    loggable({
      password: ['in-a-list'],
      credentials: { user: 'ada', value: 'in-an-object' },
      token: 407133551234,
      apiKey: 'plain',
      deep: { secret: { a: 1 } },
      auth_token: null,
      password_set: true,
    }),
    {
      password: '[redacted]',
      credentials: '[redacted]',
      token: '[redacted]',
      apiKey: '[redacted]',
      deep: { secret: '[redacted]' },
      auth_token: null,
      password_set: true,
    },
  )
})
