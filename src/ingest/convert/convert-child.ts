// A converting process: one document at a time, from standard input to the pipe on descriptor 3 (libraries may print).
// It ends with its parent: when its input closes if it is idle, by the watchdog if it is at work.
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../model/problem.js'
import type { Reply, SentProblem, Work } from './convert-task.js'
import { readFrames, sendFrame } from './convert-task.js'
import { type ConvertLimits, mostRequest } from './limits.js'
import { doWork } from './work.js'

const limits = JSON.parse(process.argv[2]!) as ConvertLimits
const replies = new Socket({ fd: 3, readable: false, writable: true })

new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: { memoryBytes: limits.memoryMb * 1_048_576, parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
})

readFrames(process.stdin, mostRequest(limits), {
  onFrame: (work) => void answer(work as Work).then((reply) => sendFrame(replies, reply)),
  onTooLong: () => process.exit(1),
})
process.stdin.on('end', () => process.exit(0))
process.stdin.on('error', () => process.exit(0))
replies.on('error', () => process.exit(0))
sendFrame(replies, { ready: true })

async function answer(work: Work): Promise<Reply> {
  try {
    return { result: await doWork(work, limits), rss: process.memoryUsage.rss() }
  } catch (error) {
    return { problem: problemOf(error), rss: process.memoryUsage.rss() }
  }
}

/** Libraries stumble over broken files in all manners; to the reader of a list of failures they are all the same. */
function problemOf(error: unknown): SentProblem {
  if (error instanceof Problem)
    return { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) }
  const { code, message } = error as NodeJS.ErrnoException
  if (/^E[A-Z]+$/.test(code ?? '')) return { code: 'unreadable', message: `It could not be read (${code}).` }
  const reason = String(message).split('\n')[0]!.slice(0, 200)
  return { code: 'damaged', message: `It could not be read: ${reason}.` }
}
