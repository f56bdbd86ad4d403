import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lockFile } from './file-lock.js'

test('waits for a process that has the lock, and no longer once it died', async (t) => {
  const file = join(folder(t), 'context.json')
  const module = JSON.stringify(new URL('file-lock.js', import.meta.url))
  const hold = `const { lockFile } = await import(${module})
    await lockFile(${JSON.stringify(file)}, () => { console.log('held'); for (;;); })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', hold])
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const order: string[] = []
  const next = lockFile(file, () => order.push('next'))
  await new Promise((resolve) => setTimeout(resolve, 300))
  order.push('killed')
  child.kill('SIGKILL')
  await next
  assert.deepEqual(order, ['killed', 'next'])
})

test('leaves an empty file, and the lock free after work that failed', async (t) => {
  const file = join(folder(t), 'deep', 'context.json')
  const fail = () => {
    throw new Error('no')
  }
  await assert.rejects(lockFile(file, fail), /^Error: no$/)
  assert.equal(await lockFile(file, () => 'done'), 'done')
  const left = readdirSync(join(file, '..'))
  assert.deepEqual(left, ['.context.json.lock'])
  assert.equal(statSync(join(file, '..', left[0]!)).size, 0)
})

test('a folder that has no room for a lock keeps nobody from reading', async (t) => {
  const root = folder(t)
  writeFileSync(join(root, 'file'), '')
  assert.equal(await lockFile(join(root, 'file', 'context.json'), () => 'done'), 'done')
})

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'carrel-lock-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}
