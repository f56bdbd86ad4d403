// The client's side of the socket.
import { createConnection, type Socket } from 'node:net'
import type { EngineReport } from '../../model/reports.js'
import { homeFolder } from '../home.js'
import { findAddress } from './address.js'
import { build } from './build.js'
import { frameReader, type Hello, type Kind, type Ready, send } from './frames.js'

/** A connection to an engine that runs the command line of this process. */
export interface EngineConnection {
  ready: Ready
  /** False: wait for `drain` of the socket before more. */
  send(kind: Kind, payload?: string | Uint8Array): boolean
  /** Receives all frames, including those from before the call. Resolves when the connection is over. */
  receive(onFrame: (kind: Kind, payload: Buffer) => void): Promise<void>
  socket: Socket
}

/** Asks the engine of a data folder to run this command line. Null: none answers in time.
 * `alone`: it has another version or other settings. */
export function connectToEngine(
  data: string,
  { argv, waitMs }: { argv: readonly string[]; waitMs: number },
): Promise<EngineConnection | 'alone' | null> {
  const address = findAddress(data)
  if (address === null) return Promise.resolve(null)
  return new Promise((resolve) => {
    const socket = createConnection(address)
    const early: [Kind, Buffer][] = []
    let onFrame = (kind: Kind, payload: Buffer): void => {
      early.push([kind, payload])
    }
    const over = new Promise<void>((done) => socket.once('close', () => done()))
    const giveUp = (why: 'alone' | null = null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(why)
    }
    const timer = setTimeout(() => giveUp(), waitMs)
    const accept = (ready: Ready) =>
      resolve({
        ready,
        socket,
        send: (kind, payload) => socket.writable && send(socket, kind, payload),
        receive(handler) {
          for (const [kind, payload] of early.splice(0)) handler(kind, payload)
          onFrame = handler
          return over
        },
      })
    const read = frameReader((kind, payload) => {
      if (kind === 'known') clearTimeout(timer)
      else if (kind === 'alone') giveUp('alone')
      else if (kind === 'ready') accept(JSON.parse(payload.toString()) as Ready)
      else {
        onFrame(kind, payload)
        // A wrong usage is answered without any work.
        if (kind === 'exit') accept({})
      }
    })
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch {
        giveUp()
      }
    })
    socket.on('error', () => giveUp())
    socket.on('close', () => giveUp())
    socket.on('connect', () => void send(socket, 'hello', JSON.stringify(hello(argv))))
  })
}

/** Asks the engine of a data folder about itself; null when none runs. `quit` also ends it, unless it serves a client itself. */
export function askEngine(data: string, question: 'about' | 'quit'): Promise<EngineReport | null> {
  const address = findAddress(data)
  if (address === null) return Promise.resolve(null)
  return new Promise((resolve) => {
    const socket = createConnection(address, () => void send(socket, question))
    const end = (report: EngineReport | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(report)
    }
    const timer = setTimeout(end, answerMs, null)
    const read = frameReader((_, payload) => end(JSON.parse(payload.toString()) as EngineReport))
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch {
        end(null)
      }
    })
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
  })
}

const answerMs = 2_000

function hello(argv: readonly string[]): Hello {
  const look = ({ isTTY, columns }: NodeJS.WriteStream) => ({ isTTY, columns })
  return {
    build: build(),
    argv,
    cwd: process.cwd(),
    home: homeFolder(),
    env: process.env,
    out: look(process.stdout),
    err: look(process.stderr),
  }
}
