// Start and look-ups from the command line, alone and through a running engine, as ratios to the start of bare Node; and
// the memory of five clients of a project. Use: npm run bench -- engine [ROOT [DATA]]; the index must be complete.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const home = join(dirname(fileURLToPath(import.meta.url)), '../..')
const bin = join(home, 'bin/carrel.mjs')
const [root = join(home, 'examples/library'), data] = process.argv.slice(2)
const place = ['--root', root, ...(data ? ['--data', data] : [])]
const rounds = 9

const commands: Record<string, string[]> = {
  'search --mode text': ['search', '--mode', 'text', 'how are errors handled'],
  'search (hybrid)': ['search', 'how are errors handled'],
  find: ['find', 'how are errors handled'],
  uses: ['uses', 'error'],
  grep: ['grep', 'error'],
}

const node = median(() => ['-e', '0'])
console.log(`bare Node ${node.toFixed(0)} ms; the rest in ms beyond it, and as a ratio to it`)
show('--version', () => [bin, '--version'])
for (const [name, argv] of Object.entries(commands))
  show(`${name}, alone`, () => [bin, ...place, '--no-share', ...argv])
const clients = [await client()]
console.log(`initialize ${clients[0]!.initialized} ms, first search ${clients[0]!.searched} ms, engine`)
for (const [name, argv] of Object.entries(commands))
  show(`${name}, through the engine`, () => [bin, ...place, ...argv])
for (let i = 0; i < 4; i++) clients.push(await client())
const { initialized, searched } = clients[4]!
console.log(`initialize ${initialized} ms, first search ${searched} ms, fifth client`)
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

function show(name: string, argv: () => string[]) {
  const ms = median(argv)
  console.log(`${name.padEnd(40)} ${(ms - node).toFixed(0).padStart(5)} ms  ${(ms / node).toFixed(1)} ×`)
}

function median(argv: () => string[]): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now()
    spawnSync(process.execPath, argv(), { stdio: 'ignore' })
    return performance.now() - started
  })
  return times.sort((a, b) => a - b)[rounds >> 1]!
}

async function client() {
  const started = performance.now()
  const child: ChildProcess = spawn(process.execPath, [bin, 'mcp', ...place], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
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
  send({ method: 'notifications/initialized' })
  const search = () => ask('tools/call', { name: 'documents_search', arguments: { query: 'error handling' } })
  return { child, initialized, searched: await search(), search }
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
