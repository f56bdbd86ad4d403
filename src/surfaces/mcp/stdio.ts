// MCP over standard input and output: one client, one process. The process ends with its client.

import { isUtf8 } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio as serveWire } from '@modelcontextprotocol/server/stdio'
import { withTimeout } from '../../runtime/timeout.js'
import { reserveStdout, type Write } from './reserve-stdout.js'
import { buildServer, type Surface } from './server.js'

export interface StdioOptions {
  stdin?: Readable & { isTTY?: boolean }
  stdout?: Writable
  /** Called with every message that is written. */
  onMessage?: () => void
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
  {
    stdin = process.stdin,
    stdout = process.stdout,
    onMessage,
    onClose,
    exit = process.exit,
  }: StdioOptions = {},
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
    async write(line) {
      await writeLine(stdout, write, line)
      onMessage?.()
    },
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

// Lines of JSON over two streams. Unlike the SDK's transport, it answers unreadable messages instead of letting the
// sender wait, survives a line that is too long, accepts batches, and lets running requests finish when the input ends.

interface WireOptions {
  input: Readable
  /** Writes one line; resolves when more can be written. */
  write(line: string): Promise<void>
  /** Called once when the other side has disconnected. */
  onEnd(reason: string): void
  mostBytes?: number
  /** How long requests may continue after the input has ended. */
  drainMs?: number
  /** Names the connection among several of this process. */
  sessionId?: string
}

/** Why a connection ended whose input ended while requests ran for too long. */
export const cutShort = 'requests ran for too long after the input ended'

export function stdioWire({
  input,
  write,
  onEnd,
  mostBytes = 16_000_000,
  drainMs = 5_000,
  sessionId,
}: WireOptions): Transport {
  const pending = new Set<RequestId>()
  const lines = lineReader(mostBytes)
  const tooLong = `A message may have at most ${mostBytes} bytes; larger documents go as file_path.`
  let closed = false
  let inputEnded = false
  let drain: NodeJS.Timeout | undefined

  const transport: Transport = {
    ...(sessionId !== undefined && { sessionId }),
    async start() {
      input.on('data', onData)
      input.on('end', onInputEnd)
      input.on('close', onInputEnd)
      input.on('error', onInputEnd)
    },
    async send(message: JSONRPCMessage) {
      if (closed) return
      try {
        await write(`${JSON.stringify(message)}\n`)
      } finally {
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) settle(message.id)
      }
    },
    async close() {
      if (closed) return
      closed = true
      clearTimeout(drain)
      input.off('data', onData)
      input.pause()
      transport.onclose?.()
    },
  }

  function onData(chunk: Buffer | string) {
    for (const line of lines(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) {
      if ('head' in line) refuse(idOfRequest(line), tooLong)
      else if (!isUtf8(line)) refuse(null, 'The line is not valid UTF-8.', -32700)
      else receive(line.toString())
    }
  }

  function receive(line: string) {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line.replace(/^\ufeff/, ''))
    } catch {
      return refuse(null, 'The line is not valid JSON.', -32700)
    }
    const messages = Array.isArray(value) ? value : [value]
    if (messages.length === 0 || messages.length > 100) return refuse(null, 'A list holds 1 to 100 messages.')
    for (const one of messages) deliver(one)
  }

  function deliver(value: unknown) {
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      return refuse(idOf(value), 'This is not a JSON-RPC 2.0 message.')
    }
    // A listening request ends with the other side, and has nothing to finish.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') pending.add(message.id)
    else if ('method' in message && message.method === 'notifications/cancelled')
      settle((message.params as { requestId?: RequestId } | undefined)?.requestId)
    transport.onmessage?.(message)
  }

  function refuse(id: RequestId | null, message: string, code = -32600) {
    const answer = { jsonrpc: '2.0', id, error: { code, message } }
    write(`${JSON.stringify(answer)}\n`).catch(() => {})
  }

  function settle(id: RequestId | undefined) {
    if (id !== undefined) pending.delete(id)
    if (inputEnded && pending.size === 0) finish()
  }

  function onInputEnd() {
    if (inputEnded) return
    inputEnded = true
    // Waits one turn of the event loop, so that requests in the last bytes have started.
    setImmediate(() => {
      if (pending.size === 0) finish()
      else drain = setTimeout(finish, drainMs, cutShort)
    })
  }

  function finish(reason = 'the input ended') {
    clearTimeout(drain)
    onEnd(reason)
  }

  return transport
}

function idOf(value: unknown): RequestId | null {
  const id = (value as { id?: unknown } | null)?.id
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null
}

/** The start and end of a line that was too long. */
interface Skipped {
  head: Buffer
  tail: Buffer
}

/**
 * The id of a request of which only the start and end are known. Plain fields at the start or end of the object are its
 * own, because quotes inside a text would be escaped. A message without a method may be a response, and its id one of
 * ours.
 */
function idOfRequest({ head, tail }: Skipped): RequestId | null {
  const [start, end] = [head.toString(), tail.toString()]
  if (!/^\s*\{/.test(start)) return null
  const own = [firstFields.exec(start)?.[1], lastFields.exec(end)?.[1]].filter((one) => one !== undefined)
  const fields = JSON.parse(`{${own.join(',')}}`)
  return typeof fields.method === 'string' ? idOf(fields) : null
}

const field = String.raw`\s*"(?:jsonrpc|id|method)"\s*:\s*(?:"[^"\\\x00-\x1f]*"|0|-?[1-9]\d{0,15})\s*`
const firstFields = new RegExp(`^\\s*\\{(${field}(?:,${field})*),`)
const lastFields = new RegExp(`,(${field}(?:,${field})*)\\}\\s*$`)

/** Splits bytes into lines. Of a line that is too long, keeps only the start and end. */
function lineReader(mostBytes: number): (chunk: Buffer) => (Buffer | Skipped)[] {
  let parts: Buffer[] = []
  let length = 0
  let head: Buffer | null = null
  return (chunk) => {
    const lines: (Buffer | Skipped)[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(10, start)
      const piece = chunk.subarray(start, end === -1 ? undefined : end)
      if (piece.length > 0) parts.push(piece)
      length += piece.length
      if (length > mostBytes) {
        head ??= Buffer.concat(parts.map((part) => part.subarray(0, endBytes))).subarray(0, endBytes)
        parts = [Buffer.concat(parts.map((part) => part.subarray(-endBytes))).subarray(-endBytes)]
      }
      if (end === -1) return lines
      if (head) lines.push({ head, tail: parts[0]! })
      else lines.push(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
      parts = []
      length = 0
      head = null
      start = end + 1
    }
  }
}

const endBytes = 500
