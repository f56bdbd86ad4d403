// The engine's side of the socket. A client sends its command line, and the engine runs it with the open library as the
// client itself would have, with the client's environment, folder and streams. It takes only command lines for its own
// project and settings; a client with others works alone.
import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Library } from '../../answer/library.js'
import { search } from '../../answer/search.js'
import { reasonOf } from '../../model/problem.js'
import type { EngineReport } from '../../model/reports.js'
import type { Configuration } from '../../model/settings.js'
import type { Changes } from '../../server/changes.js'
import type { Context, Services } from '../../surfaces/cli/context.js'
import { runProgram } from '../../surfaces/cli/program.js'
import { cutShort, serveLines } from '../../surfaces/mcp/stdio.js'
import type { BackgroundWork } from '../background.js'
import { loadSettings } from '../config/load.js'
import { openSurface } from '../surface.js'
import { callTool, onlyReads } from '../tool.js'
import { prepareAddress } from './address.js'
import { build } from './build.js'
import { readSharedCommand } from './command-line.js'
import { frameReader, type Hello, type Kind, type Ready, send } from './frames.js'
import { takeEngineLock } from './lock.js'

/** What the engine shares. */
export interface Shared {
  library: Library
  configuration: Configuration
  live: BackgroundWork
  changes: Changes
  version: string
  kind: EngineReport['kind']
  /** Ends the engine; absent where it is the process of a client. */
  quit?: () => void
}

export interface Engine {
  /** Since when nobody is connected (ms); null while somebody is. */
  idleSince(): number | null
  /** Takes no more clients, answers the open requests, and sends its clients to the next engine. */
  close(): Promise<void>
}

/** How long a command waits until the files that were just written are indexed. */
const freshMs = 500

/** How long an engine that ends continues with open requests. */
const drainMs = 2_000

/** Listens for other processes of this user; null when another process is the engine, or there can be none. */
export async function shareLibrary(
  shared: Shared,
  onTrouble: (message: string) => void,
): Promise<Engine | null> {
  const { data } = shared.configuration
  const lock = takeEngineLock(data)
  if (lock === null || lock === 'busy') return null
  const clients = new Set<Client>()
  const startedAt = new Date().toISOString()
  let idleSince = performance.now()
  const report = (): EngineReport => ({
    pid: process.pid,
    kind: shared.kind,
    clients: [...clients].filter(({ asks }) => asks()).length,
    startedAt,
    model: shared.library.embedder?.model ?? null,
  })
  const server = createServer((socket) => {
    const client = serveClient({ ...shared, report }, socket)
    clients.add(client)
    client.over.then(() => {
      clients.delete(client)
      if (client.asks()) idleSince = performance.now()
      // A new version or new settings: its next command starts an engine that has them.
      if (client.isOther() && clients.size === 0) shared.quit?.()
    })
  })
  try {
    await listen(server, prepareAddress(data))
  } catch (error) {
    onTrouble(`This process works alone: ${reasonOf(error)}`)
    lock.release()
    return null
  }
  server.unref()
  return {
    idleSince: () => (clients.size === 0 ? idleSince : null),
    async close() {
      // Node removes the socket's file with it.
      server.close()
      await Promise.all([...clients].map((client) => client.leave()))
      lock.release()
    },
  }
}

function listen(server: ReturnType<typeof createServer>, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The socket must never be open to others, not even for a moment.
    const before = process.umask(0o177)
    try {
      server.listen(address, () => resolve())
    } finally {
      process.umask(before)
    }
  })
}

interface Client {
  over: Promise<void>
  /** Whether it sent a command line. */
  asks(): boolean
  /** Whether it has another version or other settings. */
  isOther(): boolean
  leave(): Promise<void>
}

function serveClient(shared: Shared & { report(): EngineReport }, socket: Socket): Client {
  const input = new PassThrough()
  const stop = new AbortController()
  let leaving = false
  let run: Promise<void> | null = null
  let other = false
  const onOther = () => {
    other = true
  }
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => {
      stop.abort(new Error('The client is gone.'))
      input.end()
      Promise.resolve(run).then(
        () => resolve(),
        () => resolve(),
      )
    })
  })
  const begin = (payload: Buffer) =>
    runFor(shared, { socket, input, stop: stop.signal, onOther }, payload).catch(() => void socket.destroy())
  const read = frameReader((kind, payload) => {
    if (leaving) return
    if (kind === 'hello') run ??= begin(payload)
    else if (kind === 'about' || kind === 'quit') {
      if (kind === 'quit') shared.quit?.()
      send(socket, 'about', JSON.stringify(shared.report()))
    } else if (kind === 'end') input.end()
    else if (kind === 'stop') stop.abort(new Error('interrupted'))
    else if (kind === 'input' && input.writable && !input.write(Buffer.from(payload))) {
      socket.pause()
      input.once('drain', () => socket.resume())
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      socket.destroy()
    }
  })
  return {
    over,
    asks: () => run !== null,
    isOther: () => other,
    async leave() {
      // What comes from now on is not begun, and goes to the next engine.
      leaving = true
      input.end()
      // The client closes the connection after it has read the last frame. If the engine closed first, a client that writes
      // at that moment would get an error instead of the frame.
      socket.resume()
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 2 * drainMs).unref())])
      socket.destroy()
    },
  }
}

interface Ends {
  socket: Socket
  input: PassThrough
  /** Aborted when the client interrupts or is gone. */
  stop: AbortSignal
  /** Called when the client has another version or other settings. */
  onOther(): void
}

async function runFor(
  shared: Shared,
  { socket, input, stop, onOther }: Ends,
  payload: Buffer,
): Promise<void> {
  let alone = false
  const sendToClient = (kind: Kind, text?: string) => !alone && socket.writable && send(socket, kind, text)
  const ready = (what: Ready) => sendToClient('ready', JSON.stringify(what))
  /** Leaves the command to the client. */
  const leave = (): never => {
    sendToClient('alone')
    alone = true
    throw new Error('The client works alone.')
  }
  const hello = JSON.parse(payload.toString()) as Hello
  const isOther = hello.build !== build()
  if (isOther || readSharedCommand(hello.argv) === null) {
    if (isOther) onOther()
    sendToClient('alone')
    return void socket.end()
  }
  sendToClient('known')

  const { library, configuration } = shared
  const requireSame = (given: object) => {
    if (isDeepStrictEqual(settingsOf(given), settingsOf(configuration))) return
    onOther()
    leave()
  }
  const session = randomUUID()
  let exitCode = 0
  let isFresh = false
  let last: Kind = 'exit'
  const services: Services = {
    ...others(leave),
    search: (_, query) => search(library, { ...query, lookForNew: !isFresh }),
    async open(settings) {
      requireSame(settings)
      ready({ repeatable: true })
      isFresh = await shared.live.catchUp(freshMs)
      return { ...library, close: async () => {} }
    },
    async tool(settings, request, streams) {
      requireSame(settings)
      ready({ repeatable: onlyReads(request) && request.json !== '-', input: request.json === '-' })
      await shared.live.catchUp(freshMs)
      return callTool(library, settings, request, streams, session)
    },
    async mcp(configure, { logLevel }) {
      const settings = await configure()
      requireSame(settings)
      // The engine does nothing that its own client forbade it.
      if (configuration.tools.readOnly && !settings.tools.readOnly) leave()
      const logTo = { write: (text: string) => sendToClient('err', text) }
      const surface = await openSurface(library, settings, { ...shared, logLevel, logTo })
      const reads = [...surface.registry.tools.values()].filter(({ tool }) => tool.effect === 'read')
      ready({ reads: reads.map(({ tool }) => tool.name) })
      if (!settings.tools.readOnly) shared.live.goOnline()
      const reason = await new Promise<string>((resolve) => {
        const write = (line: string) => writeLine(socket, line)
        const handle = serveLines(surface, { input, write, onEnd, sessionId: session, drainMs })
        async function onEnd(reason: string) {
          await surface.executor.finished()
          await handle.close()
          resolve(reason)
        }
      })
      surface.onDisconnect?.(session)
      await surface.executor.statistics.close()
      // Everything that was begun is answered: what has no answer may be repeated.
      if (reason !== cutShort) last = 'bye'
    },
  }
  const context: Context = {
    version: shared.version,
    out: { ...hello.out, write: (text) => sendToClient('out', text) },
    err: { ...hello.err, write: (text) => sendToClient('err', text) },
    stdin: input,
    env: hello.env,
    signal: stop,
    services,
    settings: (flags) => loadSettings({ flags, env: hello.env, cwd: hello.cwd, home: hello.home }),
    exit(code) {
      exitCode = code
    },
  }
  await runProgram(context, hello.argv)
  sendToClient(last, String(exitCode))
  socket.end()
}

/** What has to be the same. Which tools a client sees, and how long an engine waits for it, is its own affair. */
function settingsOf(given: object) {
  const { tools: _tools, files: _files, engineMinutes: _minutes, ...settings } = given as Configuration
  return settings
}

/** The commands that no client sends. */
function others(leave: () => never): Omit<Services, 'open' | 'search' | 'tool' | 'mcp'> {
  const no = async () => leave()
  return {
    indexAll: no,
    syncNewPackages: no,
    status: no,
    doctor: no,
    evaluate: no,
    embedBehind: no,
    fillVectors: no,
    serve: no,
    engine: no,
    setup: no,
  }
}

/** Resolves when more can be written. */
function writeLine(socket: Socket, line: string): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.writable || send(socket, 'out', line)) return resolve()
    socket.once('drain', resolve)
    socket.once('close', resolve)
  })
}
