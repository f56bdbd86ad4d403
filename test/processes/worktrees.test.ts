import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { search } from '../../src/answer/search.js'
import { loadSettings } from '../../src/app/config/load.js'
import { indexAll } from '../../src/app/index-all.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { seeded } from '../support/seeded.js'
import { openForTest, projectRoot, temporaryFolder, write } from '../support/world.js'

const seconds = Number(process.env.CARREL_STRESS_SECONDS ?? 20) / 2

test(`three worktrees index into one store for ${seconds} s while they are killed: each answers as if it were alone`, async (t) => {
  const root = temporaryFolder(t)
  const shared = join(root, 'main/.git/carrel')
  const { CARREL_STRESS_SECONDS: _, ...around } = process.env
  const env = { ...around, CARREL_STATE: join(root, 'state'), CARREL_EMBEDDING_PROVIDER: 'none' }
  const random = seeded(3)
  const trees = ['one', 'two', 'three'].map((name) => worktree(root, name))
  const until = Date.now() + seconds * 1000

  await Promise.all(
    trees.map(async (at, i) => {
      for (let turn = 0; Date.now() < until; turn++) {
        write(at, { [`p${turn % 40}.md`]: page(turn % 40, `${i} ${turn}`) })
        if (turn % 5 === 4) rmSync(join(at, '.carrel'), { recursive: true, force: true })
        const child = spawn(process.execPath, [join(projectRoot, 'bin/carrel.mjs'), 'index', '--quiet'], {
          cwd: at,
          env,
          stdio: 'ignore',
        })
        const ended = new Promise((resolve) => child.once('exit', resolve))
        await Promise.race([ended, sleep(300 + random() * 2500, undefined, { ref: false })])
        child.kill('SIGKILL')
        await ended
      }
    }),
  )

  assert.ok(existsSync(join(shared, 'index.sqlite')))
  for (const at of trees) {
    const given = { flags: {}, cwd: at, home: join(root, 'home') }
    const { settings } = await loadSettings({ ...given, env })
    assert.equal(settings.shared?.folder, shared)
    const library = await openForTest({ ...settings, watch: false })
    t.after(() => library.close())
    assert.equal((await indexAll(library, {})).counts.failed, 0)
    const apart = await loadSettings({
      ...given,
      env: { ...env, CARREL_WORKTREES: 'apart', CARREL_DATA: join(root, 'apart', at) },
    })
    const alone = await openForTest({ ...apart.settings, watch: false })
    t.after(() => alone.close())
    await indexAll(alone, {})
    for (const query of ['page lantern', 'version 1', 'word3 word5', 'version 2 4'])
      assert.deepEqual(
        (await search(library, { query, mode: 'text' })).hits,
        (await search(alone, { query, mode: 'text' })).hits,
        `${at}: ${query}`,
      )
  }
  assert.deepEqual(auditIndex(shared), [])
})

function worktree(root: string, name: string): string {
  const at = join(root, name)
  const own = join(root, 'main/.git/worktrees', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(root, 'main/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(own, 'gitdir'), `${join(at, '.git')}\n`)
  writeFileSync(join(own, 'commondir'), '../..\n')
  write(at, { '.git': `gitdir: ${own}\n` })
  for (let n = 0; n < 200; n++) write(at, { [`p${n}.md`]: page(n, '0') })
  return at
}

function page(n: number, version: string): string {
  return `# Page ${n}\n\nVersion ${version} of the lantern.\n\n## Part\n\n${`word${n % 13} `.repeat(80)}\n`
}
