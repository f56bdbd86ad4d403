// Worktrees of one repository: how long until a new one is searchable, and what each adds on the disk.
//   npm run bench -- worktrees FOLDER [--worktrees N] [--changed N] [--vectors]
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { seeded } from '../test/support/seeded.js'
import { projectRoot } from '../test/support/world.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    worktrees: { type: 'string', default: '20' },
    changed: { type: 'string', default: '20' },
    vectors: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (!folder) {
  console.error('Usage: npm run bench -- worktrees FOLDER [--worktrees N] [--changed N] [--vectors]')
  process.exit(2)
}
const [many, changed] = [Number(values.worktrees), Number(values.changed)]
const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-bench-')))
const env = { ...process.env, CARREL_STATE: join(root, 'state') }
const random = seeded(1)

try {
  const main = join(root, 'main')
  mkdirSync(join(main, '.git'), { recursive: true })
  writeFileSync(join(main, '.git/HEAD'), 'ref: refs/heads/main\n')
  const first = index(worktree('w0'))
  if (values.vectors) await fillVectors(join(root, 'w0/.carrel'))
  const one = bytesOfAll()
  const times: { seconds: number; processorSeconds: number }[] = []
  for (let i = 1; i <= many; i++) {
    const at = worktree(`w${i}`)
    times.push(index(at))
    const files = markdownIn(at)
    for (let n = 0; n < changed; n++)
      appendFileSync(files[Math.floor(random() * files.length)]!, `\nEdited in worktree ${i}, place ${n}.\n`)
    index(at)
    if (values.vectors) await fillVectors(join(at, '.carrel'))
  }
  const all = bytesOfAll()
  const each = (all - one) / many
  console.log(
    JSON.stringify({
      first,
      next: times,
      megabytes: { one: round(one / 1e6), all: round(all / 1e6), each: round(each / 1e6) },
      timesOneFor100: round((one + 99 * each) / one),
    }),
  )
} finally {
  rmSync(root, { recursive: true })
}

/** A copy with files of its own, registered as git does it. */
function worktree(name: string): string {
  const at = join(root, name)
  const own = join(root, 'main/.git/worktrees', name)
  cpSync(folder!, at, { recursive: true })
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'gitdir'), `${join(at, '.git')}\n`)
  writeFileSync(join(own, 'commondir'), '../..\n')
  writeFileSync(join(at, '.git'), `gitdir: ${own}\n`)
  return at
}

function index(cwd: string) {
  const start = performance.now()
  const words = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', process.execPath]
  const carrel = [join(projectRoot, 'bin/carrel.mjs'), 'index', '--words-only', '--quiet']
  const { status, stderr } = spawnSync('bash', [...words, ...carrel], { cwd, env })
  if (status !== 0) throw new Error(String(stderr))
  const [user, system] = String(stderr).trim().split('\n').at(-1)!.replaceAll('"', '').split(' ').map(Number)
  return { seconds: round((performance.now() - start) / 1000), processorSeconds: round(user! + system!) }
}

/** Vectors of the right size that say nothing: here only their bytes count. */
async function fillVectors(data: string) {
  const store = await openSqliteStore({ folder: data, shared: join(root, 'main/.git/carrel') })
  for (;;) {
    const pending = await store.vectors.pending('bench', 2000)
    if (pending.length === 0) break
    await store.vectors.put(
      'bench',
      pending.map(({ chunk, hash }) => ({
        chunk,
        hash,
        vector: Float32Array.from({ length: 384 }, () => random() - 0.5),
      })),
    )
  }
  await store.settle()
  await store.close()
}

function bytesOfAll(): number {
  const names = readdirSync(root).filter((name) => /^w\d+$/.test(name))
  return [join(root, 'main/.git/carrel'), ...names.map((name) => join(root, name, '.carrel'))].reduce(
    (sum, data) =>
      sum + readdirSync(data).reduce((bytes, file) => bytes + statSync(join(data, file)).size, 0),
    0,
  )
}

function markdownIn(at: string): string[] {
  return (readdirSync(at, { recursive: true }) as string[])
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => join(at, path))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
