import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.js'

function check(written: string, known: string[], expected: string | null) {
  test(`${JSON.stringify(written)} of ${known.join(', ')}`, () =>
    assert.equal(nearest(written, known), expected))
}

check('setpu.md', ['guide.md', 'setup.md'], 'setup.md')
check('outbox', ['repository', 'transactional-outbox'], 'transactional-outbox')
check('Retry', ['retry-with-back-off', 'retry-budget'], 'retry-budget')
check('outbox table', ['transactional-outbox'], null)
check('box', ['transactional-outbox'], null)
check('a b', ['a-b-long-name'], null)
check('', ['guide'], null)
check('x'.repeat(100_000), ['y'.repeat(100_000), 'z'], null)
