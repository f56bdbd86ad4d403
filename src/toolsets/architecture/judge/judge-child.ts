// A judging process: one job at a time. It ends with its parent: when the channel closes if it is idle, by the watchdog
// if a pattern keeps it busy.
import { Worker } from 'node:worker_threads'
import { reasonOf } from '../../../model/problem.js'
import { answerJob } from './answer.js'
import type { Answer, Batch } from './ask.js'

new Worker(new URL('../../../ingest/convert/watchdog.js', import.meta.url), {
  workerData: { memoryBytes: Number(process.argv[2]), parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
})

process.on('disconnect', () => process.exit(0))
process.on('message', ({ id, task: { jobs, patternMs } }: { id: number; task: Batch }) => {
  answerAll(jobs, patternMs).then(
    (answers) => process.send!({ id, answer: { answers } }),
    (error) => process.send!({ id, answer: { trouble: reasonOf(error) } }),
  )
})
process.send!('ready')

// One after the other, so that a parsed text serves all questions about it.
async function answerAll(jobs: Batch['jobs'], patternMs: number): Promise<Answer[][]> {
  const answers: Answer[][] = []
  for (const job of jobs) answers.push(await answerJob(job, patternMs))
  return answers
}
