// Starts ripgrep from a small process of our own. To start a process from a large one makes the system copy its page
// tables, while the main thread waits: 10 ms and more in a server with an index, 0.4 ms in the helper. The helper is a bare
// Node process and takes about 45 MB, so it is there only while many searches run.
import { Readable } from 'node:stream'
import { Problem } from '../model/problem.js'
import { processWorker } from '../runtime/process-worker.js'

export interface Started {
  stdout: Readable
  /** The exit code, null for a process that was killed, and what it wrote to stderr. */
  ended: Promise<{ code: number | null; errors: string }>
  kill(): void
}

export interface Command {
  command: string
  args: string[]
  cwd: string
}

/** Numbers are ids of runs. */
export type StartMessage = { start: number } & Command
export type ToHelper = StartMessage | { more: number } | { kill: number }
export type FromHelper =
  | { id: number; part: Uint8Array }
  | { id: number; code: number | null; errors: string }
  | { id: number; failure: string }

interface Helper {
  start(command: Command): Started
}

let helper: Helper | null = null

/** Starts it in the helper, which is started first if need be and ends when it has nothing to do for a minute. */
export function startInHelper(command: Command): Started {
  helper ??= startHelper(() => {
    helper = null
  })
  return helper.start(command)
}

const idleMs = 60_000

interface Run {
  stdout: Readable
  end(result: { code: number | null; errors: string }): void
  fail(error: Error): void
}

function startHelper(onEnd: () => void): Helper {
  const worker = processWorker(new URL('./ripgrep-helper-child.js', import.meta.url))
  const runs = new Map<number, Run>()
  let [last, over] = [0, false]
  let idle: NodeJS.Timeout | undefined
  // The pool's workers take tasks; the helper takes more than that.
  const send = (message: ToHelper) => worker.postMessage(message as never)
  worker.unref()
  worker.on('message', (message) => onMessage(message as FromHelper))
  worker.on('error', stop)
  worker.on('exit', stop)

  function onMessage(message: FromHelper) {
    const run = runs.get(message.id)
    if (!run) return
    if ('part' in message) run.stdout.push(Buffer.from(message.part))
    else {
      finish(message.id)
      if ('failure' in message) run.fail(new Error(message.failure))
      else {
        run.stdout.push(null)
        run.end({ code: message.code, errors: message.errors })
      }
    }
  }

  function finish(id: number) {
    runs.delete(id)
    if (runs.size > 0) return
    worker.unref()
    idle = setTimeout(() => {
      stop()
      worker.terminate()
    }, idleMs).unref()
  }

  function stop() {
    if (over) return
    over = true
    clearTimeout(idle)
    onEnd()
    for (const [id, run] of runs) {
      runs.delete(id)
      run.fail(new Problem('search_died', 'The process that starts text searches ended.', 'Search again.'))
    }
  }

  function start(command: Command): Started {
    const id = ++last
    clearTimeout(idle)
    worker.ref()
    const stdout = new Readable({ read: () => send({ more: id }) })
    stdout.on('error', () => {})
    const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
      const fail = (error: Error) => {
        stdout.destroy(error)
        reject(error)
      }
      runs.set(id, { stdout, fail, end: resolve })
    })
    send({ start: id, ...command })
    return { stdout, ended, kill: () => runs.has(id) && send({ kill: id }) }
  }

  return { start }
}
