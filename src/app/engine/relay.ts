// A thin MCP server: it passes messages between its client and the project's engine. When the engine dies, the relay
// connects to the next one or becomes it, introduces its client again, and repeats the calls that have no answer yet. It
// repeats a call that writes only if the dead engine cannot have begun it.
import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { reserveStdout } from '../../surfaces/mcp/reserve-stdout.js'
import type { McpPlace } from '../mcp.js'
import { connectToEngine, type EngineConnection } from './client.js'

interface Project {
  data: string
  argv: readonly string[]
  /** Runs the same command line in this process, for the client of the relay. */
  serve(place: McpPlace): Promise<void>
}

/** Where messages go: an engine in another process, or in this one. */
interface Backend {
  /** False: wait for `onDrain`. */
  write(line: Buffer): boolean
  end(): void
}

type Id = string | number

interface Message {
  id?: Id
  method?: string
  params?: { name?: string; uri?: string; requestId?: Id }
  result?: unknown
  error?: unknown
}

interface Request {
  line: Buffer
  /** Whether it may be sent to another engine when this one dies. */
  repeatable: boolean
  sent: boolean
}

const retryMs = 40
/** A process that holds the lock but does not answer for so long is stuck: the relay then works alone. */
const longestWaitMs = 15_000

/** Serves the client on standard input and output until it leaves. */
export async function relayMcp(first: EngineConnection, project: Project): Promise<void> {
  const write = reserveStdout()
  let backend: Backend | null = null
  let reads = new Set<string>()
  let inputEnded = false
  /** What the client sends a new engine first: `initialize`, `notifications/initialized` and subscriptions, by name. */
  const introduction = new Map<string, { id: Id | null; line: Buffer }>()
  /** Requests without an answer, oldest first. */
  const pending = new Map<Id, Request>()
  /** Requests of an introduction that was repeated: the client has their answers already. */
  const repeated = new Set<Id>()

  const fromClient = lines((line) => {
    const messages = parse(line)
    for (const message of messages) note(message, messages.length === 1 ? line : lineOf(message))
    if (!backend) return
    for (const { id } of messages) if (id !== undefined && pending.has(id)) pending.get(id)!.sent = true
    if (!backend.write(line)) process.stdin.pause()
  })

  function note({ id, method, params }: Message, line: Buffer) {
    if (method === undefined) return
    if (method === 'initialize' || method === 'notifications/initialized')
      introduction.set(method, { id: id ?? null, line })
    if (method === 'resources/subscribe')
      introduction.set(`subscribe ${params?.uri}`, { id: id ?? null, line })
    if (method === 'resources/unsubscribe') introduction.delete(`subscribe ${params?.uri}`)
    if (method === 'notifications/cancelled' && params?.requestId !== undefined)
      pending.delete(params.requestId)
    if (id === undefined) return
    const repeatable = method !== 'tools/call' || reads.has(params?.name ?? '')
    pending.set(id, { line, repeatable, sent: false })
  }

  const fromEngine = (line: Buffer): boolean => {
    for (const { id, method } of parse(line)) {
      if (id === undefined || method !== undefined) continue
      if (repeated.delete(id)) return true
      pending.delete(id)
    }
    return write(line)
  }

  /** Introduces the client to a new engine and repeats what has no answer. */
  function resume(next: Backend, { begun }: { begun: boolean }) {
    for (const { id, line } of introduction.values()) {
      if (id !== null && pending.has(id)) continue
      if (id !== null) repeated.add(id)
      next.write(line)
    }
    for (const [id, request] of [...pending]) {
      if (begun && request.sent && !request.repeatable) {
        pending.delete(id)
        write(lineOf({ jsonrpc: '2.0', id, result: unknownOutcome }))
      } else {
        request.sent = true
        next.write(request.line)
      }
    }
    backend = next
    process.stdin.resume()
    if (inputEnded) next.end()
  }

  const endInput = () => {
    if (inputEnded) return
    inputEnded = true
    backend?.end()
    // As a server that works alone: the last answers have a few seconds.
    setTimeout(() => process.exit(0), drainMs).unref()
  }
  process.stdin.on('data', fromClient)
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, endInput)
  process.stdout.on('error', () => process.exit(0))
  for (const signal of signals) process.on(signal, endInput)

  let engine: EngineConnection | null = first
  let begun = true
  while (engine) {
    const { socket, ready } = engine
    const connection: EngineConnection = engine
    reads = new Set(ready.reads)
    socket.on('drain', () => process.stdin.resume())
    resume(
      { write: (line) => connection.send('input', line), end: () => void connection.send('end') },
      { begun },
    )
    begun = true
    let finished = false
    const output = lines((line) => {
      if (fromEngine(line)) return
      socket.pause()
      process.stdout.once('drain', () => socket.resume())
    })
    await connection.receive((kind, payload) => {
      if (kind === 'out') output(payload)
      if (kind === 'err') process.stderr.write(payload)
      if (kind === 'bye') begun = false
      if (kind === 'exit') finished = true
    })
    backend = null
    if (finished || (inputEnded && (pending.size === 0 || !begun))) return process.exit(0)
    engine = await nextEngine(project)
  }
  for (const signal of signals) process.off(signal, endInput)
  await serveHere()

  /** Another engine; null when this process has to be it. */
  async function nextEngine({ data, argv }: Project): Promise<EngineConnection | null> {
    const until = performance.now() + longestWaitMs
    while (performance.now() < until) {
      const found = await connectToEngine(data, { argv, waitMs: longestWaitMs }).catch(() => null)
      if (found === 'alone') return null
      if (found) return found
      const { takeEngineLock } = await import('./lock.js')
      if (takeEngineLock(data) !== 'busy') return null
      await sleep(retryMs)
    }
    return null
  }

  async function serveHere() {
    const stdin = new PassThrough()
    const output = lines((line) => void fromEngine(line))
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        output(chunk)
        done()
      },
    })
    stdin.on('drain', () => process.stdin.resume())
    const { heldEngineLock } = await import('./lock.js')
    const serving = project.serve({ stdin, stdout, lock: heldEngineLock() })
    resume({ write: (line) => stdin.write(line), end: () => void stdin.end() }, { begun })
    await serving
  }
}

const drainMs = 8_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** For a call that writes: whether it took effect is not known, and it must not run twice. */
const unknownOutcome = {
  content: [
    {
      type: 'text',
      text: 'The process that ran this call ended before it answered, so the call may or may not have taken effect. Check that first, and repeat the call only if it did not.',
    },
  ],
  isError: true,
}

function lineOf(message: object): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`)
}

function parse(line: Buffer): Message[] {
  try {
    const value = JSON.parse(line.toString()) as Message | Message[] | null
    return (Array.isArray(value) ? value : [value]).filter((one) => one !== null && typeof one === 'object')
  } catch {
    // The engine answers what is wrong with it.
    return []
  }
}

/** Splits bytes into lines, each with its line break. */
function lines(onLine: (line: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      onLine(Buffer.concat([...parts, chunk.subarray(start, end + 1)]))
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}
