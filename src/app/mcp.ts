// `carrel mcp`: as a client of the project's engine if there is one, else as the engine. What serves is loaded after that
// is known.
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration } from '../model/settings.js'
import type { LogLevel } from '../server/log.js'
import { reserveStdout } from '../surfaces/mcp/reserve-stdout.js'
import { type heldEngineLock, takeEngineLock, takeOverEngineLock } from './engine/lock.js'

/** For a client that another engine left: its streams, and the lock that its relay took. */
export interface McpPlace {
  stdin?: Readable
  stdout?: Writable
  lock?: ReturnType<typeof heldEngineLock>
}

export interface McpOptions extends McpPlace {
  version: string
  signal: AbortSignal
  logLevel?: LogLevel
  /** Whether to share one engine with other processes. */
  share: boolean
  /** The command line, for an engine in another process. */
  argv?: readonly string[]
  /** Runs that command line again, when the engine is gone. */
  again?: (place: McpPlace) => Promise<void>
}

/** MCP on standard input and output. From the first moment stdout is the protocol's. */
export async function mcp(configure: () => Promise<Configuration>, options: McpOptions): Promise<void> {
  reserveStdout()
  const configuration = await configure()
  if (options.signal.aborted) return
  if (options.lock) takeOverEngineLock(options.lock)
  const lock = options.share ? takeEngineLock(configuration.data) : null
  if (lock === 'busy' && (await join(configuration, options))) return
  const { serveMcp } = await import('./mcp-server.js')
  await serveMcp(configuration, options)
}

const joinMs = 5_000
const retryMs = 40

/** Another process is the engine, or is about to be: it was started at the same moment. */
async function join({ data }: Configuration, { argv, again, stdin, signal }: McpOptions): Promise<boolean> {
  // The streams of a client that an engine left belong to a relay already.
  if (!argv || !again || stdin) return false
  const { connectToEngine } = await import('./engine/client.js')
  const until = performance.now() + joinMs
  while (performance.now() < until && !signal.aborted) {
    const engine = await connectToEngine(data, { argv, waitMs: joinMs })
    if (engine === 'alone') return false
    // The lock was only looked at, or its holder is gone.
    if (engine === null && takeEngineLock(data) !== 'busy') return false
    if (engine) {
      const { relayMcp } = await import('./engine/relay.js')
      await relayMcp(engine, { data, argv, serve: again })
      return true
    }
    await sleep(retryMs)
  }
  return false
}
