import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSmallFile } from './safe-file.js'

function folder(t: TestContext) {
  const made = mkdtempSync(join(tmpdir(), 'carrel-small-file-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('a file is read, unless it is larger than allowed', (t) => {
  const file = join(folder(t), 'a.json')
  writeFileSync(file, '{"ü":1}')
  assert.deepEqual(readSmallFile(file, 8), { text: '{"ü":1}' })
  assert.deepEqual(readSmallFile(file, 7), { why: 'large' })
})

test('a pipe without a writer is refused at once', {
  skip: process.platform === 'win32' && 'needs named pipes',
}, (t) => {
  const pipe = join(folder(t), 'carrel.json')
  execFileSync('mkfifo', [pipe])
  assert.deepEqual(readSmallFile(pipe, 100), { why: 'irregular' })
})

test('a folder is refused, and a missing file is an error', (t) => {
  const made = folder(t)
  assert.deepEqual(readSmallFile(made, 100), { why: 'irregular' })
  assert.throws(() => readSmallFile(join(made, 'none'), 100), { code: 'ENOENT' })
})
