// How long the desk's look-ups take, asked over stdio as an agent asks: `find` over an index, `grep` and `uses` beside
// plain ripgrep on a tree of 20,000 files, in turns within one run.
//   npm run bench -- desk [FOLDER] [--files N] [--data DIR] [--only find|lines]
//   `find` asks FOLDER, by default this project; --data has or keeps its index.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { percentile } from '../src/app/evaluate/evaluate.js'
import { ripgrep } from '../src/sources/ripgrep.js'
import { projectRoot } from '../test/support/world.js'
import { sourceTree } from './source-tree.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '20000' },
    data: { type: 'string' },
    only: { type: 'string' },
  },
})
const carrel = join(projectRoot, 'bin/carrel.mjs')
const wordsOnly = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none' }
const rg = await ripgrep()
const rounds = 9
const data = mkdtempSync(join(tmpdir(), 'carrel-desk-'))
try {
  if (values.only !== 'lines') await measureFind(resolve(positionals[0] ?? projectRoot))
  if (values.only !== 'find') await measureLines(sourceTree(Number(values.files)))
} finally {
  rmSync(data, { recursive: true, force: true })
}

async function measureFind(folder: string) {
  const index = values.data ?? join(data, 'find')
  indexNow(folder, index)
  const server = await serve(folder, index)
  try {
    const questions = headings(folder).slice(0, 60)
    await server.call('find', { question: questions[0]! })
    const times: number[] = []
    for (const question of questions) times.push(await timed(() => server.call('find', { question })))
    console.log(
      `find, ${questions.length} questions: p50 ${round(percentile(times, 0.5))} ms, p95 ${round(percentile(times, 0.95))} ms`,
    )
  } finally {
    server.close()
  }
}

function indexNow(folder: string, index: string, env = process.env) {
  const args = [carrel, 'index', '--wait', '--quiet', '--root', folder, '--data', index]
  const { status, stderr } = spawnSync(process.execPath, args, { env })
  if (status !== 0) throw new Error(String(stderr))
}

/** The headings of the folder's Markdown files: what people ask about. */
function headings(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .sort()
  const all = files.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/^##+ (.{12,80})$/gm)].map((match) => match[1]!),
  )
  const step = Math.max(1, Math.floor(all.length / 60))
  return all.filter((_, i) => i % step === 0)
}

async function measureLines(root: string) {
  // A server that indexes or embeds meanwhile would take the cores from both.
  indexNow(root, join(data, 'lines'), wordsOnly)
  const server = await serve(root, join(data, 'lines'), wordsOnly)
  const cases: [string, string, Record<string, string>, string[]][] = [
    ['grep, no match', 'grep', { pattern: 'zyxwvutsrqp' }, ['-e', 'zyxwvutsrqp']],
    ['grep, rare', 'grep', { pattern: 'needle\\d+' }, ['-e', 'needle\\d+']],
    ['grep, common', 'grep', { pattern: 'const \\w+ = await' }, ['-e', 'const \\w+ = await']],
    ['uses, rare', 'uses', { name: 'run17' }, ['-wF', 'run17']],
    ['uses, 40 files', 'uses', { name: 'Session7' }, ['-wF', 'Session7']],
  ]
  try {
    for (const [name, tool, args, flags] of cases) {
      const [plain, ours]: [number[], number[]] = [[], []]
      for (let i = 0; i < rounds; i++) {
        plain.push(await timed(() => plainly(root, flags)))
        ours.push(await timed(() => server.call(tool, args)))
      }
      const [p, o] = [percentile(plain, 0.5), percentile(ours, 0.5)]
      console.log(`${name.padEnd(16)} rg ${round(p)} ms  desk ${round(o)} ms  ${(o / p).toFixed(2)} ×`)
    }
  } finally {
    server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** ripgrep's own output, read to its end. */
async function plainly(root: string, flags: string[]): Promise<number> {
  const child = spawn(rg, ['--no-config', '--hidden', '-n', ...flags, './'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let bytes = 0
  for await (const part of child.stdout as AsyncIterable<Buffer>) bytes += part.length
  return bytes
}

async function serve(root: string, index: string, env = process.env) {
  const args = [carrel, 'mcp', '--toolsets', 'desk', '--root', root, '--data', index, '--log-level', 'silent']
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (text: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { id?: number }
    if (message.id !== undefined) waiting.get(message.id)?.(line)
  })
  let next = 1
  const ask = (method: string, params: object) =>
    new Promise<string>((done) => {
      waiting.set(next, done)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: next++, method, params })}\n`)
    })
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return {
    call: (name: string, args: object) => ask('tools/call', { name, arguments: args }),
    close: () => child.kill(),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function round(ms: number): number {
  return Math.round(ms)
}
