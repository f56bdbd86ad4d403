// Moves a database's log into its file. A large log takes longer than a server may stand still (half a second was seen on
// a busy disk), so that is done in a thread, which ends when it has had nothing to do for a while.
import { lstatSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

export interface Checkpointed {
  error: { message: string; errcode?: number } | null
}

export interface Checkpointer {
  move(): Promise<Checkpointed>
  close(): Promise<void>
}

/** How long a log may grow before it is moved. Moved every few megabytes, the same pages would be written again and again. */
export const longLog = 16_000_000

export function logBytes(file: string): number {
  return lstatSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

const idleMs = 10_000

export function checkpointer(file: string): Checkpointer {
  let thread: Thread | null = null
  let idle: NodeJS.Timeout | null = null

  async function move(): Promise<Checkpointed> {
    if (idle) clearTimeout(idle)
    thread ??= startThread(file)
    const told = await thread('move')
    // SQLite has a code for what went wrong; a thread that died has none, and the next one may live.
    if (told.error && told.error.errcode === undefined) thread = null
    idle = setTimeout(() => void close(), idleMs).unref()
    return told
  }

  async function close() {
    if (idle) clearTimeout(idle)
    const ended = thread
    thread = null
    await ended?.('close')
  }

  return { move, close }
}

/** One thing at a time. */
type Thread = (told: 'move' | 'close') => Promise<Checkpointed>

function startThread(file: string): Thread {
  const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: { file } })
  let answered: (answer: Checkpointed) => void = () => {}
  let failed: Checkpointed | null = null
  worker.on('message', (answer: Checkpointed) => answered(answer))
  worker.on('error', ({ message }) => {
    failed = { error: { message } }
    answered(failed)
  })
  worker.on('exit', () => {
    failed ??= { error: { message: 'The thread that moves the log has ended.' } }
    answered(failed)
  })
  return async (told) => {
    if (failed) return failed
    // It holds the process only while it is at work.
    worker.ref()
    const answer = await new Promise<Checkpointed>((resolve) => {
      answered = resolve
      worker.postMessage(told)
    })
    worker.unref()
    return answer
  }
}
