import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startInHelper } from './ripgrep-helper.js'

function program(code: string) {
  return startInHelper({ command: process.execPath, args: ['-e', code], cwd: process.cwd() })
}

async function printed(stdout: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stdout) parts.push(part)
  return Buffer.concat(parts)
}

test('gives all that a program prints, its errors and its exit code', async () => {
  const run = program('process.stdout.write("é".repeat(2e6)); console.error("why"); process.exitCode = 2')
  assert.equal((await printed(run.stdout)).toString(), 'é'.repeat(2e6))
  assert.deepEqual(await run.ended, { code: 2, errors: 'why\n' })
})

test('keeps the output of several programs apart', async () => {
  const runs = [1, 2, 3, 4].map((i) => program(`process.stdout.write("${i}".repeat(3e5))`))
  const all = await Promise.all(runs.map(({ stdout }) => printed(stdout)))
  assert.deepEqual(
    all.map((bytes) => bytes.toString()),
    ['1', '2', '3', '4'].map((sign) => sign.repeat(3e5)),
  )
})

test('a program whose reader stops early can be killed', async () => {
  const run = program('setInterval(() => process.stdout.write("x".repeat(1e5)), 1)')
  for await (const part of run.stdout) {
    assert.ok(part.length > 0)
    break
  }
  run.kill()
  assert.equal((await run.ended).code, null)
})

test('killing ends the output for a reader that waits', async () => {
  const run = program('setInterval(() => {}, 1000)')
  const read = printed(run.stdout)
  run.kill()
  assert.equal((await read).length, 0)
})

test('a program that has ended before its output was read can be killed', async () => {
  const run = program('process.stdout.write("x".repeat(1000))')
  const other = program('')
  await other.ended
  run.kill()
  await run.ended
})

test('a program that is missing is an error', async () => {
  const run = startInHelper({ command: '/no/such/program', args: [], cwd: process.cwd() })
  await assert.rejects(printed(run.stdout), /ENOENT/)
  await assert.rejects(run.ended, /ENOENT/)
})

test('a program ends when the helper dies, and the next one has a new helper', async () => {
  const run = program(
    'const p = process.ppid; console.log(p); setInterval(() => process.ppid === p || process.exit(), 20)',
  )
  const read = async () => {
    for await (const part of run.stdout as AsyncIterable<Buffer>)
      process.kill(Number(part.toString()), 'SIGKILL')
  }
  const ended = assert.rejects(run.ended, { code: 'search_died' })
  await assert.rejects(read(), { code: 'search_died' })
  await ended
  assert.equal((await printed(program('console.log("again")').stdout)).toString(), 'again\n')
})
