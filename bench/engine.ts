// Start and look-ups from the command line, alone and through a running engine; the first answers of MCP clients, the memory
// of five of them, and the answer after the engine was killed. All by turns with bare Node: the best time of the rounds, and
// the mean of the processor time, which other work on the machine changes less.
// Use: npm run bench -- engine [--root DIR] [--data DIR] [--question TEXT] [--name NAME] [--file PATH] [--rounds 9]
//        [--qmd "COMMAND"]   a qmd with the same files in a collection, for example "node …/qmd.js"
// The index must be complete: run "carrel index --wait" first.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endedMs, mainThreadMs } from './processor-time.js'

const home = join(dirname(fileURLToPath(import.meta.url)), '../..')
const bin = join(home, 'bin/carrel.mjs')
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(home, 'examples/library') },
    data: { type: 'string' },
    question: { type: 'string', default: 'how are errors handled' },
    name: { type: 'string', default: 'error' },
    file: { type: 'string', default: 'README.md' },
    rounds: { type: 'string', default: '9' },
    qmd: { type: 'string' },
  },
})
const place = ['--root', values.root, ...(values.data ? ['--data', values.data] : [])]
const rounds = Number(values.rounds)
// An engine that a command starts lives until it is stopped below.
const env = { ...process.env, CARREL_ENGINE_IDLE_MINUTES: '60' }

const lookUps = {
  'search --mode text': ['search', '--mode', 'text', values.question],
  'search (hybrid)': ['search', values.question],
  find: ['find', values.question],
  uses: ['uses', values.name],
  grep: ['grep', values.name],
  read: ['read', values.file],
  outline: ['outline', values.file],
}
const node = process.execPath
const carrel = (...argv: string[]) => [node, bin, ...place, ...argv]

carrelOnce('engine', '--stop')
const commands: Record<string, string[]> = { '--version': [node, bin, '--version'] }
for (const [name, argv] of Object.entries(lookUps)) commands[`${name}, alone`] = carrel('--no-share', ...argv)
carrelOnce('search', values.question)
await engineStarted()
for (const [name, argv] of Object.entries(lookUps)) commands[`${name}, engine`] = carrel(...argv)
if (values.qmd) commands['qmd search'] = [...values.qmd.split(' '), 'search', values.question]
show(byTurns({ 'bare Node': [node, '-e', '0'], ...commands }))
carrelOnce('engine', '--stop')

const clients = [await client()]
for (let i = 0; i < 4; i++) clients.push(await client())
for (const [name, { initialized, searched, worked }] of [
  ['first', clients[0]!] as const,
  ['fifth', clients[4]!] as const,
])
  console.log(
    `${name} client: initialize ${initialized} ms, first search ${searched} ms; processor time of its main thread ${worked.join(' and ')} ms`,
  )
const memory = clients.map(({ child }) => memoryOf(child.pid!))
console.log(
  `memory of five clients ${sum(memory)} MB (${memory.join(', ')}), proportional share, children included`,
)
const killed = performance.now()
clients[0]!.child.kill('SIGKILL')
await clients[1]!.search()
console.log(`answer after the engine was killed ${Math.round(performance.now() - killed)} ms`)
for (const { child } of clients) child.kill('SIGKILL')
process.exit(0)

function carrelOnce(...argv: string[]) {
  const [program = '', ...args] = carrel(...argv)
  return spawnSync(program, args, { env, encoding: 'utf8' }).stdout
}

async function engineStarted() {
  for (let i = 0; i < 100; i++) {
    if (carrelOnce('engine').startsWith('Process')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('No engine was started.')
}

interface Timed {
  name: string
  /** The least. */
  ms: number
  /** The mean. */
  processorMs: number
}

function byTurns(all: Record<string, string[]>): Timed[] {
  const best = new Map<string, number>()
  const worked = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const [name, [program = '', ...args]] of Object.entries(all)) {
      const [before, started] = [endedMs(), performance.now()]
      const { status } = spawnSync(program, args, { env, stdio: 'ignore' })
      if (status !== 0) throw new Error(`${name} ended with ${status}.`)
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - started))
      worked.set(name, (worked.get(name) ?? 0) + endedMs() - before)
    }
  return [...best].map(([name, ms]) => ({ name, ms, processorMs: worked.get(name)! / rounds }))
}

function show([bare, ...others]: Timed[]) {
  const { ms: least, processorMs } = bare!
  console.log(`bare Node ${least.toFixed(0)} ms, processor time ${processorMs.toFixed(0)} ms`)
  console.log('the rest in ms, beyond it, and as a ratio to it; processor time, beyond it')
  for (const { name, ms, processorMs: worked } of others)
    console.log(
      `${name.padEnd(28)} ${ms.toFixed(0).padStart(5)} ${(ms - least).toFixed(0).padStart(5)}  ${(ms / least).toFixed(1)} ×  ${worked.toFixed(0).padStart(5)} ${(worked - processorMs).toFixed(0).padStart(5)}`,
    )
}

async function client() {
  const started = performance.now()
  const [program = '', ...args] = carrel('mcp')
  const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env })
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if ('id' in JSON.parse(line)) waiting.shift()?.()
  })
  const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (method: string, params: object) => {
    const answered = new Promise<void>((resolve) => waiting.push(resolve))
    send({ id: waiting.length, method, params })
    await answered
    return Math.round(performance.now() - started)
  }
  const clientInfo = { name: 'bench', version: '1' }
  const initialized = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo,
  })
  const workedFirst = Math.round(mainThreadMs(child.pid!))
  send({ method: 'notifications/initialized' })
  const search = () => ask('tools/call', { name: 'documents_search', arguments: { query: values.question } })
  const searched = await search()
  const worked = [workedFirst, Math.round(mainThreadMs(child.pid!))]
  return { child, initialized, searched, worked, search }
}

/** Of a process and its children, in MB: pages that several processes share count for each in part. */
function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const own = Number(/^Pss:\s+(\d+)/m.exec(text)![1]) / 1000
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return Math.round(own + sum(children.map((child) => memoryOf(Number(child)))))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
