// MCP over standard input and output: one client, one process. The process ends with its client.
import type { Readable, Writable } from 'node:stream'
import { serveStdio as serveWire } from '@modelcontextprotocol/server/stdio'
import { withTimeout } from '../../runtime/timeout.js'
import { reserveStdout, type Write } from './reserve-stdout.js'
import { buildServer, type Surface } from './server.js'
import { stdioWire, type WireOptions } from './stdio-wire.js'

export interface StdioOptions {
  stdin?: Readable & { isTTY?: boolean }
  stdout?: Writable
  /** Cleans up before the process ends, within three seconds. */
  onClose?: () => Promise<void> | void
  /** For tests; by default the process exits. */
  exit?: (code: number) => void
}

export interface StdioHandle {
  /** Resolves with the reason when the connection has ended. */
  closed: Promise<string>
  close(reason?: string): void
}

export function serveStdio<Services>(
  surface: Surface<Services>,
  { stdin = process.stdin, stdout = process.stdout, onClose, exit = process.exit }: StdioOptions = {},
): StdioHandle {
  const { log } = surface.executor
  const write = stdout === process.stdout ? reserveStdout() : stdout.write.bind(stdout)
  let over: (reason: string) => void
  const closed = new Promise<string>((resolve) => {
    over = resolve
  })
  let ending = false
  async function end(reason: string) {
    if (ending) return
    ending = true
    log.debug({ reason }, 'the connection is over')
    // A write that has begun is finished, even if the client is gone.
    await surface.executor.finished()
    await withTimeout(closeMs, undefined, async () => {
      await handle.close()
      await onClose?.()
    }).catch(() => {})
    for (const signal of signals) process.off(signal, end)
    over(reason)
    exit(0)
  }

  const handle = serveLines(surface, {
    input: stdin,
    write: (line) => writeLine(stdout, write, line),
    onEnd: end,
  })
  // A failed write means that the client is gone.
  stdout.on('error', () => end('the output was closed'))
  for (const signal of signals) process.on(signal, end)
  if (stdin.isTTY) process.stderr.write('Carrel speaks MCP here and waits for a client on standard input.\n')
  return { closed, close: (reason = 'closed') => void end(reason) }
}

/** One connection of a process that may have several: lines of JSON over two streams. */
export function serveLines<Services>(surface: Surface<Services>, wire: WireOptions) {
  const { log } = surface.executor
  return serveWire(({ era }) => buildServer(surface, { era, from: 'stdio', live: true }), {
    transport: stdioWire(wire),
    onerror: (error) => log.debug({ err: error }, 'stdio'),
  })
}

const closeMs = 3_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function writeLine(stdout: Writable, write: Write, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const more = write(line, (error) => (error ? reject(error) : resolve()))
    if (more && !stdout.destroyed) resolve()
  })
}
