// Moves the write-ahead log into the database file. Moving a large log takes longer than a server may block (half a
// second on a busy disk), so a thread does it. The thread ends after some idle time.
import { lstatSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

export interface Checkpointed {
  error: { message: string; errcode?: number } | null
}

export interface Checkpointer {
  move(): Promise<Checkpointed>
  close(): Promise<void>
}

/** The size at which the log is moved. Moving it every few megabytes would write the same pages again and again. */
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
    const result = await thread('move')
    // SQLite's errors have a code. A thread that died has none, and the next one may succeed.
    if (result.error && result.error.errcode === undefined) thread = null
    idle = setTimeout(() => void close(), idleMs).unref()
    return result
  }

  async function close() {
    if (idle) clearTimeout(idle)
    const ended = thread
    thread = null
    await ended?.('close')
  }

  return { move, close }
}

/** Runs tasks one at a time. */
type Thread = (task: 'move' | 'close') => Promise<Checkpointed>

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
  return async (task) => {
    if (failed) return failed
    // The thread keeps the process alive only while it works.
    worker.ref()
    const answer = await new Promise<Checkpointed>((resolve) => {
      answered = resolve
      worker.postMessage(task)
    })
    worker.unref()
    return answer
  }
}
