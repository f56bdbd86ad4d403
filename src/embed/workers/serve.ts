// The worker's side of a pool: opens an engine, then answers one task after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../model/problem.js'
import type { Job, Told, WorkerMessage, WorkerStart } from './messages.js'

export interface Engine<Task, Result> {
  /** Told to the pool's owner, as plain data. */
  about: unknown
  perform(task: Task): Promise<Result>
}

/** Serves for as long as the thread lives. */
export async function serve<Task, Result>(
  open: (data: unknown, guard: Int32Array) => Promise<Engine<Task, Result>>,
): Promise<void> {
  const { data, guard } = workerData as WorkerStart
  const say = (message: WorkerMessage<Result>) => parentPort!.postMessage(message)
  let engine: Engine<Task, Result>
  try {
    engine = await open(data, guard)
  } catch (error) {
    say({ kind: 'not_ready', error: tell(error) })
    return
  }
  parentPort!.on('message', async ({ id, task }: Job<Task>) => {
    try {
      say({ kind: 'done', id, result: await engine.perform(task) })
    } catch (error) {
      say({ kind: 'failed', id, error: tell(error) })
    }
  })
  say({ kind: 'ready', about: engine.about })
}

function tell(error: unknown): Told {
  if (error instanceof Problem) return { message: error.message, code: error.code, hint: error.hint }
  if (error instanceof Error) return { message: error.message, stack: error.stack }
  return { message: String(error) }
}
