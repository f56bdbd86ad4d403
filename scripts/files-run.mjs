// Prints how many source files of the program run during one tool call: `node scripts/files-run.mjs`.
// The script indexes a copy of the sample library, starts `carrel mcp` on it with V8's inspector, and takes precise
// coverage around two calls of each tool. A file counts when one of its functions ran in the server's process; the bodies
// of modules (start-up), worker threads and child processes do not count. The program that is measured is the one that
// ships, in bundles: their source maps say which file of src each function came from.
// `--list` prints the files too; `--no-models` runs without the embedding model.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'undici'
import { root, setUp } from './setup.mjs'

// Each tool with two calls: the first fills the tool's caches, a later one uses them. `update_node` renames.
const calls = [
  {
    tool: 'documents_search',
    first: { query: 'quiet hours' },
    later: { query: 'why did reminders arrive twice' },
  },
  {
    tool: 'check-adr-alignment',
    first: { decision_description: 'We publish events to Kafka.' },
    later: { decision_description: 'We keep the queue in Redis instead of PostgreSQL.' },
  },
  {
    tool: 'update_node',
    first: { id: 'notes/concepts/wick.md', title: 'The wick' },
    later: { id: 'notes/concepts/outbox.md', title: 'The outbox' },
  },
]
const list = process.argv.includes('--list')
const models = !process.argv.includes('--no-models')
const budgetMs = 60_000
const bundles = join(root, 'dist', 'bundle')
const carrel = join(root, 'bin', 'carrel.mjs')
const sources = new Map()

setUp()
const folder = mkdtempSync(join(tmpdir(), 'carrel-files-run-'))
try {
  await measure(folder)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function measure(folder) {
  const library = join(folder, 'library')
  cpSync(join(root, 'examples', 'library'), library, { recursive: true })
  const options = ['--root', library, '--data', join(folder, 'data')]
  if (!models) options.push('--set', 'embedding.provider=none')
  const env = { ...process.env, CARREL_STATE: join(folder, 'state') }
  spawnSync(process.execPath, [carrel, 'index', '--wait', ...options], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', carrel, 'mcp', ...options], { env })
  const stopped = new Promise((resolve) => child.once('exit', resolve))
  try {
    const inspector = await connectInspector(await inspectorAddress(child))
    const server = await connectServer(child)
    for (const call of calls) await report(inspector, server, call)
  } finally {
    child.kill('SIGKILL') // A polite end would wait for the inspector to disconnect.
    await stopped
  }
}

async function report(inspector, server, { tool, first, later }) {
  const figures = []
  for (const args of [first, later]) {
    await sleep(1_000) // The server's background work (embedding, watching) comes to rest.
    await inspector.send('Profiler.takePreciseCoverage') // Taking the coverage sets its counts to zero.
    await server.call(tool, args)
    figures.push(filesRun(await inspector.send('Profiler.takePreciseCoverage')))
  }
  const [cold, warm] = figures
  console.log(`${tool.padEnd(20)} first call ${cold.length} files, later call ${warm.length} files`)
  if (list)
    for (const file of cold) console.log(`  ${file}${warm.includes(file) ? '' : ' (first call only)'}`)
}

function filesRun({ result: scripts }) {
  const files = new Set()
  for (const { url, functions } of scripts) {
    const bundle = url.startsWith('file:') ? fileURLToPath(url) : url
    if (!bundle.startsWith(join(bundles, sep))) continue
    const sourceAt = sourcesOf(bundle)
    for (const ran of functions.filter(functionRan)) {
      const file = sourceAt(ran.ranges[0].startOffset)
      if (file !== null) files.add(file)
    }
  }
  return [...files].sort()
}

/** For a bundle: the file of src that the code at an offset came from, or null for code of a package. */
function sourcesOf(bundle) {
  const known = sources.get(bundle)
  if (known) return known
  const text = readFileSync(bundle, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')))
  const sourceAt = (offset) => {
    const before = text.slice(0, offset)
    const line = before.split('\n').length - 1
    const { originalSource = '' } = map.findEntry(line, offset - before.lastIndexOf('\n') - 1)
    return /^(?:\.\.\/)+src\/(.*)\.[jt]s$/.exec(originalSource)?.[1] ?? null
  }
  sources.set(bundle, sourceAt)
  return sourceAt
}

/** The function without a name that starts at 0, or the one with the name of a file, is a module's body: it runs when the
 * module is loaded. */
function functionRan({ functionName, ranges }) {
  const isBody = functionName.endsWith('.js') || (functionName === '' && ranges[0].startOffset <= 1)
  return ranges[0].count > 0 && !isBody
}

function inspectorAddress(child) {
  return within(
    'the inspector',
    new Promise((resolve) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        const address = /^Debugger listening on (ws:\S+)/.exec(line)?.[1]
        if (address) resolve(address)
      })
    }),
  )
}

async function connectInspector(address) {
  const socket = new WebSocket(address)
  await within('the inspector', new Promise((resolve) => socket.addEventListener('open', resolve)))
  const pending = answers('the inspector')
  socket.addEventListener('message', ({ data }) => pending.settle(JSON.parse(data)))
  const send = (method, params = {}) =>
    pending.ask((id) => socket.send(JSON.stringify({ id, method, params })))
  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return { send }
}

async function connectServer(child) {
  const pending = answers('the server')
  createInterface({ input: child.stdout }).on('line', (line) => pending.settle(JSON.parse(line)))
  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const send = (method, params) => pending.ask((id) => write({ id, method, params }))
  await send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'files-run', version: '1' },
  })
  write({ method: 'notifications/initialized' })
  return {
    async call(name, args) {
      const result = await send('tools/call', { name, arguments: args })
      if (result.isError) throw new Error(`${name} failed: ${result.content[0]?.text}`)
    },
  }
}

/** Requests by id, each waiting for its answer. */
function answers(peer) {
  const waiting = new Map()
  let last = 0
  return {
    ask(send) {
      const id = ++last
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      send(id)
      return within(peer, answer)
    },
    settle({ id, result, error }) {
      if (error) waiting.get(id)?.reject(new Error(`${peer}: ${error.message}`))
      else waiting.get(id)?.resolve(result)
      waiting.delete(id)
    },
  }
}

async function within(peer, promise) {
  const timer = new AbortController()
  const late = sleep(budgetMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`No answer from ${peer} within ${budgetMs / 1000} s.`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    timer.abort()
  }
}
