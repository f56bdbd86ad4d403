import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { indexAll } from '../../src/app/index-all.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { projectRoot, world, write } from '../support/world.js'

const seconds = Number(process.env.CARREL_STRESS_SECONDS ?? 20)

test(`four processes index and search one data folder for ${seconds} s, one killed every second: no error, no loss, no orphan`, async (t) => {
  const text = (n: number, version: number) =>
    `# Page ${n}\n\nVersion ${version} of page ${n}.\n\n## Part\n\n${`word${n % 13} `.repeat(80)}\n`
  const w = await world(t, { 'constant.md': '# Constant lantern\n\nNever changes: 0 1 2 3 4 5 6.\n' })
  for (let n = 0; n < 120; n++) write(w.root, { [`pages/p${n}.md`]: text(n, 0) })
  await indexAll(w.library, {})

  const acknowledged: string[] = []
  const errors: unknown[] = []
  let runs = 0
  let born = 0
  const start = (): ChildProcess => {
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'dist/test/processes/child.js'), w.root, `p${born++}`],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    )
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = JSON.parse(line) as { acknowledged?: string; error?: unknown; indexed?: number }
      if (message.acknowledged) acknowledged.push(message.acknowledged)
      if (message.error) errors.push(message.error)
      if (message.indexed) runs++
    })
    child.stderr!.on('data', (data) => errors.push(String(data)))
    return child
  }
  const children = [start(), start(), start(), start()]

  let kills = 0
  for (let tick = 0; tick < seconds; tick++) {
    for (let i = 0; i < 5; i++)
      write(w.root, { [`pages/p${(tick * 7 + i * 11) % 120}.md`]: text((tick * 7 + i * 11) % 120, tick + 1) })
    rmSync(join(w.root, `pages/p${(tick * 13) % 120}.md`), { force: true })
    const before = runs
    await sleep(1000)
    // On a busy machine no process lives long enough to index unless the kill waits for a run.
    for (let waits = 0; runs === before && waits < 600; waits++) await sleep(50)
    const victim = kills % children.length
    children[victim]!.kill('SIGKILL')
    kills++
    children[victim] = start()
  }
  for (const child of children) child.stdin!.end()
  await Promise.all(
    children.map((child) =>
      child.exitCode !== null ? null : new Promise((resolve) => child.once('exit', resolve)),
    ),
  )

  assert.deepEqual(errors, [])
  assert.ok(runs > 10 && kills > 2, `${runs} runs, ${kills} kills`)
  const { counts } = await indexAll(w.library, {})
  assert.equal(counts.failed, 0)
  const { total } = await w.library.store.documents({}, { offset: 0, limit: 0 })
  assert.equal(total, counts.found, 'every file is a document and nothing else is')
  const records = new Set((await w.library.store.records.all('test')).map(({ id }) => id))
  assert.deepEqual(
    acknowledged.filter((id) => !records.has(id)),
    [],
    'every acknowledged record is there',
  )
  assert.deepEqual(auditIndex(w.settings.data), [])
})
