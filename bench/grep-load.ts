// How long grep_codebase takes when many clients ask at once, in a quiet server and in one that is indexing.
//   npm run bench grep-load [-- CLIENTS FILES]
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { percentile } from '../src/app/evaluate/evaluate.js'

const [clients, files] = [Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 10_000)]
const rounds = 4
const agent = new Agent({ keepAlive: true })
const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-grep-load-')))
const server = start(tree(root, files))
try {
  const url = await addressOf(server)
  await measure('while indexing', url)
  while ((await ask(`${url}/api/status`)).includes('"indexing":true'))
    await new Promise((resolve) => setTimeout(resolve, 500))
  await measure('afterwards', url)
} finally {
  server.kill()
  rmSync(root, { recursive: true, force: true })
}

async function measure(when: string, url: string) {
  const times: number[] = []
  const failures: string[] = []
  const before = processorTime(server.pid!)
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        const pattern = `value${client * rounds + round}\\b`
        const answer = await ask(`${url}/api/tools/grep_codebase`, { pattern })
        times.push(performance.now() - began)
        if (!answer.includes('"totalMatches"')) failures.push(answer.slice(0, 200))
      }
    }),
  )
  const [median, late] = [0.5, 0.95].map((part) => percentile(times, part).toFixed(0))
  console.log(`${when}: ${clients} clients, ${files} files: median ${median} ms, 95 % ${late} ms`)
  const after = processorTime(server.pid!)
  const [all, main] = [after.all - before.all, after.main - before.main].map((ms) => ms / times.length)
  if (all)
    console.log(`  processor time a search ${all.toFixed(0)} ms, of the main thread ${main!.toFixed(0)} ms`)
  if (failures.length > 0) console.log(`  ${failures.length} failed, as in: ${failures[0]}`)
}

/** In milliseconds, of a process with all it started, and of its main thread; 0 where the system does not say. */
function processorTime(pid: number): { all: number; main: number } {
  try {
    const below = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(name)[1] === pid)
    const all = below.reduce((sum, child) => sum + processorTime(Number(child)).all, sumOf(fieldsOf(pid), 15))
    return { all, main: sumOf(fieldsOf(`${pid}/task/${pid}`), 13) }
  } catch {
    return { all: 0, main: 0 }
  }
}

/** From the state on. 1 is the parent; 11 to 14 are hundredths of a second, its own and of children that ended. */
function fieldsOf(process: string | number): number[] {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'latin1')
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

function sumOf(fields: number[], end: number): number {
  return fields.slice(11, end).reduce((sum, ticks) => sum + ticks * 10, 0)
}

function start(folder: string): ChildProcess {
  writeFileSync(join(folder, 'carrel.json'), JSON.stringify({ rateLimits: { enabled: false } }))
  const program = fileURLToPath(new URL('../../bin/carrel.mjs', import.meta.url))
  return spawn(process.execPath, [program, 'serve', '--root', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const onData = (part: Buffer) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(part.toString())
      if (found) resolve(found[0])
    }
    child.stdout!.on('data', onData)
    child.stderr!.on('data', onData)
    child.on('exit', () => reject(new Error('The server ended before it was ready.')))
  })
}

function ask(url: string, value?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const req = request(url, { method: value ? 'POST' : 'GET', headers, agent }, async (res) => {
      const parts: Buffer[] = []
      for await (const part of res) parts.push(part)
      resolve(Buffer.concat(parts).toString())
    })
    req.on('error', reject)
    req.end(value && JSON.stringify(value))
  })
}

function tree(folder: string, count: number): string {
  for (let i = 0; i < count; i++) {
    const path = join(folder, `packages/p${i % 40}/src/part${i % 300}/file${i}.ts`)
    mkdirSync(dirname(path), { recursive: true })
    const lines = Array.from({ length: 60 }, (_, line) => `export const value${i}_${line} = ${line}`)
    writeFileSync(path, `export const value${i} = 0\n${lines.join('\n')}\n`)
  }
  return folder
}
