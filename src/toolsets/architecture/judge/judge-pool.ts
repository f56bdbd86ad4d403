// Processes that hold texts against patterns. A pattern that never ends, or a crash inside a grammar, costs a process
// and the one question that caused it.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Batch, Job } from './ask.js'

export interface JudgePool {
  /** One answer a question, in order. What cannot be answered in time is answered with why. */
  judge(jobs: readonly Job[], signal?: AbortSignal): Promise<Answer[][]>
  readonly size: number
  close(): void
}

export interface JudgeLimits {
  processes: number
  /** What one batch may take before its questions are asked one by one, and what one question may take then. */
  batchMs?: number
  questionMs?: number
  /** What one regular expression may take on one text. */
  patternMs?: number
}

const idleMs = 15_000
const memoryBytes = 512 * 1_048_576

interface Judge {
  process: ChildProcess
  /** It said that it has loaded what it works with. */
  ready: boolean
  busy: boolean
  idle: NodeJS.Timeout | null
}

export function judgePool({
  processes,
  batchMs = 6_000,
  questionMs = 4_000,
  patternMs = 500,
}: JudgeLimits): JudgePool {
  const judges = new Set<Judge>()
  const waiting: (() => void)[] = []

  async function judge(jobs: readonly Job[], signal?: AbortSignal): Promise<Answer[][]> {
    const answered = await ask(jobs, batchMs, signal)
    if (!('trouble' in answered)) return answered.answers
    const all: Answer[][] = []
    for (const { subject, asks } of jobs) {
      const own: Answer[] = []
      for (const one of asks) own.push(await alone({ subject, asks: [one] }, signal))
      all.push(own)
    }
    return all
  }

  async function alone(job: Job, signal?: AbortSignal): Promise<Answer> {
    const answered = await ask([job], questionMs, signal)
    return 'trouble' in answered ? { failed: answered.trouble, broken: true } : answered.answers[0]![0]!
  }

  async function ask(jobs: readonly Job[], ms: number, signal?: AbortSignal): Promise<Reply> {
    const one = await take(signal)
    try {
      return await exchange(one, { jobs, patternMs }, ms, signal)
    } finally {
      leave(one)
    }
  }

  async function take(signal?: AbortSignal): Promise<Judge> {
    for (;;) {
      signal?.throwIfAborted()
      // One that was stopped takes a moment to go, and answers nobody.
      const alive = [...judges].filter(({ process }) => !process.killed)
      const free = alive.find(({ busy }) => !busy) ?? (alive.length < processes ? start() : null)
      if (free) {
        free.busy = true
        if (free.idle) clearTimeout(free.idle)
        hold(free, true)
        return free
      }
      await turn(signal)
      // Called off just after its turn came: that is the next one's.
      if (signal?.aborted) waiting.shift()?.()
    }
  }

  /** Until a process may be free. Whoever is called off leaves the line. */
  function turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const come = () => {
        signal?.removeEventListener('abort', go)
        resolve()
      }
      const go = () => {
        waiting.splice(waiting.indexOf(come), 1)
        reject(signal?.reason)
      }
      waiting.push(come)
      signal?.addEventListener('abort', go, { once: true })
    })
  }

  function start(): Judge {
    const one: Judge = { process: launch(), ready: false, busy: false, idle: null }
    judges.add(one)
    const gone = () => {
      judges.delete(one)
      waiting.shift()?.()
    }
    one.process.on('exit', gone)
    one.process.on('error', gone)
    return one
  }

  function leave(one: Judge) {
    one.busy = false
    if (judges.has(one)) {
      hold(one, false)
      one.idle = setTimeout(() => one.process.kill('SIGKILL'), idleMs).unref()
    }
    waiting.shift()?.()
  }

  return {
    judge,
    size: processes,
    close() {
      for (const { process } of judges) process.kill('SIGKILL')
    },
  }
}

type Reply = { answers: Answer[][] } | { trouble: string }
type Said = 'ready' | Reply

/** What a process may take to start: a busy machine needs seconds for it, which no question is to blame for. */
const startMs = 30_000

function exchange(judge: Judge, batch: Batch, ms: number, signal?: AbortSignal): Promise<Reply> {
  const { process } = judge
  return new Promise((resolve, reject) => {
    const within = (most: number) =>
      setTimeout(() => end({ trouble: `It took longer than ${most / 1000} s and was stopped.` }), most)
    let timer = within(judge.ready ? ms : startMs)
    const onAbort = () => {
      clean()
      process.kill('SIGKILL')
      reject(signal?.reason)
    }
    const onMessage = (said: Said) => {
      if (said === 'ready') {
        judge.ready = true
        clearTimeout(timer)
        timer = within(ms)
        return
      }
      clean()
      resolve(said)
    }
    const onGone = () => end({ trouble: 'The process that looked at it ended before it could answer.' })
    const end = (reply: Reply) => {
      clean()
      process.kill('SIGKILL')
      resolve(reply)
    }
    function clean() {
      clearTimeout(timer)
      process.off('message', onMessage)
      process.off('exit', onGone)
      process.off('error', onGone)
      signal?.removeEventListener('abort', onAbort)
    }
    process.on('message', onMessage)
    process.on('exit', onGone)
    process.on('error', onGone)
    signal?.addEventListener('abort', onAbort)
    if (!process.connected) return end({ trouble: 'The process that looks at code could not be started.' })
    process.send(batch, (error) => error && onGone())
  })
}

// Nothing of our environment goes along: what is looked at may be anybody's.
function launch(): ChildProcess {
  const windows = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {}
  return fork(fileURLToPath(new URL('./judge-child.js', import.meta.url)), [String(memoryBytes)], {
    env: { TZ: 'UTC', ...windows },
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

/** Whether a process keeps this one alive: only while it works. */
function hold({ process }: Judge, working: boolean) {
  if (working) {
    process.ref()
    process.channel?.ref()
  } else {
    process.unref()
    process.channel?.unref()
  }
}
