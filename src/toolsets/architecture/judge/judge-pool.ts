// Processes that hold texts against patterns. A pattern that never ends, or a crash inside a grammar, costs a process
// and the one question that caused it.
import { processWorker } from '../../../runtime/process-worker.js'
import { type Loss, type PoolWorker, workerPool } from '../../../runtime/worker-pool.js'
import type { Answer, Batch, Job } from './ask.js'

export interface JudgePool {
  /** One answer for each question, in order. A question that takes too long gets the reason as its answer. */
  judge(jobs: readonly Job[], signal?: AbortSignal): Promise<Answer[][]>
  readonly size: number
  close(): void
}

export interface JudgeLimits {
  processes: number
  /** The time limit for a batch, after which its questions run one by one; and the limit for one question then. */
  batchMs?: number
  questionMs?: number
  /** The time limit for one regular expression on one text. */
  patternMs?: number
}

const memoryBytes = 512 * 1_048_576
/** A busy machine takes seconds to start a process, which no question is to blame for. */
const startMs = 30_000

type Reply = { answers: Answer[][] } | { trouble: string }

export function judgePool({
  processes,
  batchMs = 6_000,
  questionMs = 4_000,
  patternMs = 500,
}: JudgeLimits): JudgePool {
  const pool = workerPool<Batch, Reply>({
    start,
    size: processes,
    taskMs: batchMs,
    startMs,
    idleMs: 15_000,
    lost: (loss) => ({ trouble: troubleOf(loss) }),
  })

  async function judge(jobs: readonly Job[], signal?: AbortSignal): Promise<Answer[][]> {
    const reply = await pool.run({ jobs, patternMs }, { signal })
    if ('answers' in reply) return reply.answers
    const all: Answer[][] = []
    for (const { subject, asks } of jobs) {
      const own: Answer[] = []
      for (const ask of asks) own.push(await alone({ subject, asks: [ask] }, signal))
      all.push(own)
    }
    return all
  }

  async function alone(job: Job, signal?: AbortSignal): Promise<Answer> {
    const reply = await pool.run({ jobs: [job], patternMs }, { signal, taskMs: questionMs })
    return 'trouble' in reply ? { failed: reply.trouble, broken: true } : reply.answers[0]![0]!
  }

  return { judge, size: processes, close: () => void pool.close() }
}

// The process gets nothing of our environment: the code it looks at may be anybody's.
function start(): PoolWorker {
  const windows = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {}
  return processWorker(new URL('./judge-child.js', import.meta.url), [String(memoryBytes)], {
    env: { TZ: 'UTC', ...windows },
    execArgv: ['--max-old-space-size=256'],
  })
}

function troubleOf({ why, reason }: Loss): string {
  if (why === 'late') return reason.replace(/\.$/, ' and was stopped.')
  return 'The process that looked at it ended before it could answer.'
}
