// The worker's side of a pool: opens an engine, then answers one task after the other, for as long as the owner lives.
import { Problem } from '../../model/problem.js'
import type { Job, Jobs, SentError, Start, WorkerMessage } from './messages.js'

export interface Engine<Task, Result> {
  /** SentError to the pool's owner, as plain data. */
  about: unknown
  perform(task: Task): Promise<Result>
}

export function serve<Task, Result>(open: (data: unknown) => Promise<Engine<Task, Result>>): void {
  const say = (message: WorkerMessage<Result>, then?: () => void) =>
    process.send!(message, undefined, undefined, then)
  process.once('disconnect', () => process.exit())
  // Control-C reaches every process of a terminal; the owner decides what it means.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('uncaughtException', (error) =>
    say({ kind: 'dying', error: sentErrorOf(error) }, () => process.exit(1)),
  )
  process.once('message', async ({ data }: Start) => {
    try {
      const engine = await open(data)
      let last: Promise<void> = Promise.resolve()
      process.on('message', ({ jobs }: Jobs<Task>) => {
        for (const job of jobs) last = last.then(() => answer(engine, job, say))
      })
      say({ kind: 'ready', about: engine.about })
    } catch (error) {
      say({ kind: 'not_ready', error: sentErrorOf(error) })
    }
  })
}

async function answer<Task, Result>(
  engine: Engine<Task, Result>,
  { id, task }: Job<Task>,
  say: (message: WorkerMessage<Result>) => void,
) {
  try {
    say({ kind: 'done', id, result: await engine.perform(task) })
  } catch (error) {
    say({ kind: 'failed', id, error: sentErrorOf(error) })
  }
}

function sentErrorOf(error: unknown): SentError {
  if (error instanceof Problem) return { message: error.message, code: error.code, hint: error.hint }
  if (error instanceof Error) return { message: error.message, stack: error.stack }
  return { message: String(error) }
}
