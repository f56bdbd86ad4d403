// `documents_search` as a client of a running server sees it: p50 and p95 over many different questions, at rest, and while
// the server embeds what has no vectors yet if the index is not complete. The longest block of the server's event loop too: with
// its start and the first searches, and over the calls.
// Use: npm run bench -- served --root DIR [--data DIR] [--calls 200]. Questions are made of the headings in the index.
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const home = join(dirname(fileURLToPath(import.meta.url)), '../..')
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(home, 'examples/library') },
    data: { type: 'string' },
    calls: { type: 'string', default: '200' },
  },
})
const calls = Number(values.calls)
const place = ['--root', values.root, ...(values.data ? ['--data', values.data] : []), '--no-share']
// Measured inside the server: how long its main thread computed before a timer of a millisecond got its turn. On Linux in
// processor time, so that other work on the machine makes no difference.
const watch = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs'
const file = '/proc/self/task/' + process.pid + '/schedstat'
const now = process.platform === 'linux' ? () => Number(readFileSync(file, 'latin1').split(' ')[0]) / 1e6 : () => performance.now()
let last = now(), longest = 0
setInterval(() => { const at = now(); longest = Math.max(longest, at - last); last = at }, 1).unref()
process.on('SIGUSR2', () => { process.stderr.write('longest ' + Math.round(longest) + '\\n'); longest = 0 })
`)}`
const child: ChildProcess = spawn(
  process.execPath,
  ['--import', watch, join(home, 'bin/carrel.mjs'), 'mcp', ...place, '--set', 'rateLimits.enabled=false'],
  { stdio: ['pipe', 'pipe', 'pipe'] },
)
let output = ''
child.stderr!.on('data', (text) => {
  output += text
})
const waiting = new Map<number, (message: { result?: unknown }) => void>()
createInterface({ input: child.stdout! }).on('line', (line) => {
  const message = JSON.parse(line)
  waiting.get(message.id)?.(message)
})
let last = 0
const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const ask = (method: string, params: object) =>
  new Promise<{ result?: unknown }>((resolve) => {
    waiting.set(++last, resolve)
    send({ id: last, method, params })
  })
const search = (query: string) => ask('tools/call', { name: 'documents_search', arguments: { query } })

const clientInfo = { name: 'bench', version: '1' }
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
send({ method: 'notifications/initialized' })
const questions = await headings()
for (const question of questions.slice(0, 20)) await search(question)
if (process.platform !== 'win32') child.kill('SIGUSR2')
const times: number[] = []
for (let i = 0; i < calls; i++) {
  const started = performance.now()
  await search(questions[i % questions.length]!)
  times.push(performance.now() - started)
}
if (process.platform !== 'win32') child.kill('SIGUSR2')
await new Promise((resolve) => setTimeout(resolve, 200))
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor(share * times.length)]!.toFixed(1)
console.log(
  `${calls} calls, ${questions.length} questions: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, best ${at(0)} ms; longest block of the event loop ${[...output.matchAll(/longest (\d+)/g)].map(([, ms]) => ms).join(' ms with the start, then ') || '?'} ms`,
)
child.kill('SIGKILL')
process.exit(0)

/** Headings of what is found for common words, as people would ask them. */
async function headings(): Promise<string[]> {
  const found = new Set<string>()
  for (const word of [
    'how',
    'error',
    'configuration',
    'example',
    'api',
    'security',
    'test',
    'file',
    'time',
  ]) {
    const { result } = await ask('tools/call', {
      name: 'documents_search',
      arguments: { query: word, limit: 100, max_tokens: 200_000 },
    })
    const { content } = result as { content: { text: string }[] }
    for (const [, heading] of content[0]!.text.matchAll(/"sectionHeading":"([^"\\]{8,80})"/g))
      found.add(heading!.split('›').at(-1)!.trim())
  }
  return [...found]
}
