import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../model/problem.js'
import { protocolErrorOf } from './errors.js'

test('only what is wrong with a request is called so', () => {
  const codeOf = (code: string) => protocolErrorOf('resource overview', new Problem(code, 'It is so.')).code
  assert.equal(codeOf('not_found'), -32602)
  for (const code of ['disk_full', 'store_io', 'no_folder', 'no_data_folder'])
    assert.equal(codeOf(code), -32603)
})
