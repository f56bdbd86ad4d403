import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggable, loggableError } from './log-arguments.js'

test('of texts only the length is logged, and names are shortened', () => {
  assert.deepEqual(
    loggable({
      query: 'where is the harbour',
      queries: [{ query: 'one', collections: ['docs'] }],
      path: `src/${'x'.repeat(200)}.ts`,
      limit: 5,
      unknown: 'anything',
    }),
    {
      query: '[20 chars]',
      queries: [{ query: '[3 chars]', collections: '[1 items]' }],
      path: `src/${'x'.repeat(96)}… [207 chars]`,
      limit: 5,
      unknown: '[8 chars]',
    },
  )
})

test('a value under the name of a secret is masked, whatever its form', () => {
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

test('an error is logged with its stack and its cause, and without secrets', () => {
  const cause = new Error('the server said: password: hunter2x9')
  const error = new TypeError('cannot open postgres://carrel:hunter2x9@db/x', { cause })
  const { type, message, stack } = loggableError(error) as Record<string, string>
  assert.equal(type, 'TypeError')
  assert.match(message!, /cannot open postgres:\/\/carrel:\[redacted password\]@db\/x/)
  assert.match(stack!, /log-arguments\.test/)
  assert.match(stack!, /caused by/)
  assert.doesNotMatch(`${message} ${stack}`, /hunter2x9/)
  assert.deepEqual(loggableError({ token: 'x' }), { token: '[redacted]' })
})
