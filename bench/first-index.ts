// A folder indexed by words in a process of its own, then again with nothing changed, and what lies on the disk by table.
//   npm run bench -- first-index FOLDER [--rounds N]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from '../src/store/sqlite/database.js'
import { projectRoot } from '../test/support/world.js'

const folder = process.argv[2]
if (!folder || folder.startsWith('--')) {
  console.error('Usage: npm run bench -- first-index FOLDER [--rounds N]')
  process.exit(2)
}
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 3

// Prints what the process took when it ends; threads of it load this too, and print nothing.
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    console.error(JSON.stringify([maxRSS / 1e3, (userCPUTime + systemCPUTime) / 1e6]))
  })`)}`

for (let round = 1; round <= rounds; round++) {
  const data = join(mkdtempSync(join(tmpdir(), 'carrel-bench-')), '.carrel')
  try {
    const first = index(folder, data)
    const again = index(folder, data)
    console.log(JSON.stringify({ round, first, again, megabytes: megabytesByTable(data) }))
  } finally {
    rmSync(join(data, '..'), { recursive: true })
  }
}

/** Processor time is given too: it says more than wall time where others use the machine. */
function index(root: string, data: string) {
  const start = performance.now()
  const words = ['index', '--words-only', '--quiet', '--root', root, '--data', data]
  const carrel = join(projectRoot, 'bin/carrel.mjs')
  const { status, stderr } = spawnSync(process.execPath, ['--import', reporter, carrel, ...words])
  if (status !== 0) throw new Error(String(stderr))
  const seconds = round2((performance.now() - start) / 1000)
  const [peak, processor] = JSON.parse(String(stderr).trim().split('\n').at(-1)!) as [number, number]
  return { seconds, processorSeconds: round2(processor), peakMegabytes: Math.round(peak) }
}

function megabytesByTable(data: string) {
  const db = connect(join(data, 'index.sqlite'), 0)
  try {
    const rows = db.sql('SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC').all()
    const large = (rows as { name: string; pgsize: number }[]).filter(({ pgsize }) => pgsize > 50_000)
    return Object.fromEntries(large.map(({ name, pgsize }) => [name, round2(pgsize / 1e6)]))
  } finally {
    db.close()
  }
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
