// What does the surface itself cost? `npm run bench -- surface [--json] [--calls N]`
// A trivial call over stdio and over HTTP in both eras, a list of thirty tools, and a thousand calls at once.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { availableParallelism, cpus } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, calls: { type: 'string', default: '1000' } },
})
const calls = Number(options.calls)
const server = fileURLToPath(new URL('./surface-server.js', import.meta.url))
const figures: Record<string, string | number> = {
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} threads, Node ${process.versions.node}`,
}

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}
const call = (era: 'legacy' | 'modern') => ({
  method: 'tools/call',
  params: { name: 'look_up_7', arguments: { query: 'word' }, ...(era === 'modern' && { _meta: modern }) },
})
const list = (era: 'legacy' | 'modern') => ({
  method: 'tools/list',
  params: era === 'modern' ? { _meta: modern } : {},
})

await measureStdio('legacy')
await measureStdio('modern')
await measureHttp()
print()

async function measureStdio(era: 'legacy' | 'modern') {
  const child = spawn(process.execPath, [server, 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, () => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = Number(/"id":(\d+)/.exec(line.slice(-40))?.[1])
    waiting.get(id)?.()
  })
  let next = 1
  const ask = (message: object) =>
    new Promise<void>((resolve) => {
      const id = next++
      waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    })
  const started = performance.now()
  await ask(era === 'legacy' ? initialize : list('modern'))
  if (era === 'legacy') figures['stdio: from start to first answer, ms'] = round(performance.now() - started)
  await time(`stdio, ${era}: a call`, () => ask(call(era)))
  await time(`stdio, ${era}: tools/list`, () => ask(list(era)))
  child.stdin.end()
  await once(child, 'exit')
}

async function measureHttp() {
  const child = fork(server, ['http'], { execArgv: ['--expose-gc'] })
  const [port] = (await once(child, 'message')) as [number]
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024 })
  const send = sender(port, agent)
  await time('HTTP, modern: a call', () => send(call('modern'), modernHeaders('tools/call', 'look_up_7')))
  await time('HTTP, modern: tools/list', () => send(list('modern'), modernHeaders('tools/list')))
  const { session } = await send(initialize, {})
  const legacy = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  await time('HTTP, legacy: a call', () => send(call('legacy'), legacy))
  await time('HTTP, legacy: tools/list', () => send(list('legacy'), legacy))
  await time('HTTP, API: a call', () => send({ query: 'word' }, {}, '/api/tools/look_up_7', true))
  await crowds(child, send)
  agent.destroy()
  child.disconnect()
  await once(child, 'exit')
}

/** A thousand calls at once, ten times over, with the server's memory before and after. */
async function crowds(child: ChildProcess, send: ReturnType<typeof sender>) {
  const crowd = () =>
    Promise.all(
      Array.from({ length: 1_000 }, () => send(call('modern'), modernHeaders('tools/call', 'look_up_7'))),
    )
  await crowd()
  const before = await memoryOf(child)
  const started = performance.now()
  let wrong = 0
  for (let i = 0; i < 10; i++) wrong += (await crowd()).filter(({ status }) => status !== 200).length
  const seconds = (performance.now() - started) / 1000
  const after = await memoryOf(child)
  figures['10 × 1,000 calls at once: not answered'] = wrong
  figures['10 × 1,000 calls at once: calls a second'] = Math.round(10_000 / seconds)
  figures['heap after the first thousand, MB'] = round(before.heapUsed / 1e6)
  figures['heap after ten thousand more, MB'] = round(after.heapUsed / 1e6)
  figures['resident after the first thousand, MB'] = round(before.rss / 1e6)
  figures['resident after ten thousand more, MB'] = round(after.rss / 1e6)
}

function modernHeaders(method: string, name?: string): Record<string, string> {
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': name }) }
}

function sender(port: number, agent: Agent) {
  let next = 1
  return (message: object, headers: Record<string, string>, path = '/mcp', bare = false) =>
    new Promise<{ status: number; session: string }>((resolve, reject) => {
      const body = JSON.stringify(bare ? message : { jsonrpc: '2.0', id: next++, ...message })
      const accept = 'application/json, text/event-stream'
      const req = request(
        {
          port,
          host: '127.0.0.1',
          agent,
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept,
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        },
        (res) => {
          res.resume()
          res.on('end', () =>
            resolve({ status: res.statusCode ?? 0, session: String(res.headers['mcp-session-id'] ?? '') }),
          )
        },
      )
      req.on('error', reject)
      req.end(body)
    })
}

async function memoryOf(child: ChildProcess): Promise<NodeJS.MemoryUsage> {
  child.send('memory')
  const [memory] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
  return memory
}

async function time(title: string, work: () => Promise<unknown>) {
  for (let i = 0; i < 200; i++) await work()
  const times: number[] = []
  for (let i = 0; i < calls; i++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  figures[`${title}, p50 ms`] = round(times[Math.floor(times.length * 0.5)]!)
  figures[`${title}, p99 ms`] = round(times[Math.floor(times.length * 0.99)]!)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function print() {
  if (options.json) return console.log(JSON.stringify(figures, null, 2))
  const width = Math.max(...Object.keys(figures).map((key) => key.length))
  for (const [key, value] of Object.entries(figures)) console.log(`${key.padEnd(width)}  ${value}`)
}
