// Processes that convert documents nobody vouches for. A worker thread would not do: a native library that crashes, or
// memory that runs out, takes the whole process down. One that hangs, crashes or grows costs its document and nothing
// else. They start when there is work, end after a while without, and never outlive this process.
import { type ChildProcess, spawn } from 'node:child_process'
import { parse as parsePath } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { IndexedDocument, Parsed } from '../../model/document.js'
import { Problem, reasonOf } from '../../model/problem.js'
import { officeFormatOf } from '../../parse/formats.js'
import { suspendSafeTimeout } from '../../runtime/suspend-safe-timeout.js'
import type { RawDocument } from '../prepare.js'
import { type PackedDocument, type Reading, type Task, unpack } from '../task.js'
import type { ConvertTask, Ready, Reply, Result, Work } from './convert-task.js'
import { readFrames, sendFrame } from './frames.js'
import { type ConvertLimits, crashed, defaultLimits, mostReply, tooLarge, tooSlow } from './limits.js'
import type { PageReading, PageTask } from './page-task.js'

export interface ConvertPool {
  /** A document as the parsers give it. Rejects with a Problem that says why in a sentence. */
  convert(task: ConvertTask, signal?: AbortSignal): Promise<Parsed>
  /** A document ready for the store, from bytes at hand. Rejects as `convert` does. */
  prepare(raw: RawDocument, signal?: AbortSignal): Promise<IndexedDocument>
  /** A file of a folder, as a pool of parsing threads reads it: what cannot be read is an outcome. */
  read(task: Task, signal?: AbortSignal): Promise<Reading>
  /** A page of the web: its document, and what it says to a crawler. Rejects as `convert` does. */
  page(page: PageTask, signal?: AbortSignal): Promise<PageReading>
  readonly size: number
  /** Ends everything at once; what was under way is rejected. */
  close(): Promise<void>
}

interface Job {
  work: Work
  done(result: Result): void
  fail(error: unknown): void
}

interface Converter {
  process: ChildProcess
  ready: boolean
  job: Job | null
  /** Of the job, of the start or of idleness: one at a time. */
  timer: NodeJS.Timeout | null
  /** The end of what it wrote to standard error. */
  said: string
}

const idleMs = 15_000
const startMs = 30_000
const keptErrors = 4_000

export function convertPool(options: { processes: number } & Partial<ConvertLimits>): ConvertPool {
  const limits: ConvertLimits = { ...defaultLimits, ...options }
  const waiting: Job[] = []
  const converters = new Set<Converter>()
  let closed = false

  function submit(work: Work, signal?: AbortSignal): Promise<Result> {
    if (closed) return Promise.reject(stopped())
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const over =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', onAbort)
          settle(value)
        }
      const job: Job = { work, done: over(resolve), fail: over(reject) }
      const onAbort = () => abandon(job, signal?.reason)
      signal?.addEventListener('abort', onAbort)
      waiting.push(job)
      assign()
    })
  }

  function assign() {
    while (waiting.length > 0) {
      const free =
        [...converters].find((converter) => converter.job === null) ??
        (converters.size < options.processes ? start() : null)
      if (!free) return
      free.job = waiting.shift()!
      hold(free, true)
      if (free.ready) give(free)
    }
  }

  function start(): Converter {
    const converter: Converter = { process: launch(limits), ready: false, job: null, timer: null, said: '' }
    const { stdin, stderr, stdio } = converter.process
    converters.add(converter)
    converter.timer = setTimeout(() => lose(converter, notStarted(`not within ${startMs / 1000} s`)), startMs)
    converter.process.on('error', (error) => lose(converter, notStarted(error.message)))
    converter.process.on('close', (_, signal) =>
      lose(converter, converter.ready ? crashed(converter.said, signal, limits) : notStarted(converter.said)),
    )
    // Out of file descriptors, a process comes without pipes; its error follows.
    if (!stdin || !stderr) return converter
    stdin.on('error', () => {})
    stderr.on('data', (part: Buffer) => {
      converter.said = (converter.said + part.toString('utf8')).slice(-keptErrors)
    })
    readFrames(stdio[3] as Readable, mostReply(limits), {
      onFrame: (message) => hear(converter, message as Ready | Reply),
      onTooLong: () => lose(converter, new Problem('too_large', 'It came to more than can be kept.')),
    })
    return converter
  }

  function hear(converter: Converter, message: Ready | Reply) {
    if ('ready' in message) {
      converter.ready = true
      if (converter.job) give(converter)
    } else finish(converter, message)
  }

  function give(converter: Converter) {
    if (converter.timer) clearTimeout(converter.timer)
    converter.timer = suspendSafeTimeout(limits.timeMs, () => lose(converter, tooSlow(limits)))
    sendFrame(converter.process.stdin!, converter.job!.work)
  }

  function finish(converter: Converter, reply: Reply) {
    const { job } = converter
    if (!job) return
    converter.job = null
    if (converter.timer) clearTimeout(converter.timer)
    // What earlier documents left behind must not count against the next.
    if (reply.rss > (limits.memoryMb * 1_048_576) / 2) end(converter)
    else rest(converter)
    if ('result' in reply) job.done(reply.result)
    else job.fail(new Problem(reply.problem.code, reply.problem.message, reply.problem.hint))
    assign()
  }

  function rest(converter: Converter) {
    hold(converter, false)
    converter.timer = setTimeout(() => end(converter), idleMs).unref()
  }

  function lose(converter: Converter, problem: Problem) {
    if (!converters.has(converter)) return
    const { job } = converter
    end(converter)
    job?.fail(problem)
    assign()
  }

  function end(converter: Converter) {
    converters.delete(converter)
    if (converter.timer) clearTimeout(converter.timer)
    converter.job = null
    converter.process.kill('SIGKILL')
    hold(converter, false)
  }

  function abandon(job: Job, reason: unknown) {
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    job.fail(reason)
    for (const converter of converters) if (converter.job === job) end(converter)
    assign()
  }

  async function close() {
    closed = true
    for (const job of waiting.splice(0)) job.fail(stopped())
    for (const converter of [...converters]) lose(converter, stopped())
  }

  return {
    size: options.processes,
    close,
    async convert(task, signal) {
      if ('bytes' in task) requireFits(task.bytes, limits)
      return (await submit({ kind: 'convert', task }, signal)) as Parsed
    },
    async prepare(raw, signal) {
      requireFits(raw.bytes, limits)
      const work: Work = { kind: 'prepare', raw, format: officeFormatOf(raw.name ?? raw.ref.path) }
      return unpack((await submit(work, signal)) as PackedDocument)
    },
    async page(page, signal) {
      requireFits(page.bytes, limits)
      return (await submit({ kind: 'page', page }, signal)) as PageReading
    },
    async read(task, signal) {
      try {
        return (await submit({ kind: 'read', task }, signal)) as Reading
      } catch (error) {
        if (error instanceof Problem) return refusalOf(error)
        throw error
      }
    },
  }
}

function requireFits(bytes: Uint8Array, limits: ConvertLimits) {
  if (bytes.length > limits.inputBytes) throw tooLarge(bytes.length, limits)
}

/** What is not a matter of the file is tried again on the next run. */
function refusalOf(problem: Problem): Reading {
  const state = problem.code === 'unsupported' || problem.code === 'too_large' ? 'skipped' : 'failed'
  const passing = problem.code === 'stopped' || problem.code === 'unavailable'
  return { state, reason: reasonOf(problem), ...(passing ? { passing } : {}) }
}

/** No fault of the file. */
function notStarted(said: string): Problem {
  const reason = /^\w*Error.*$/m.exec(said)?.[0] ?? said.trim().split('\n').pop() ?? ''
  return new Problem('unavailable', `The converter could not be started (${reason.slice(0, 200)}).`)
}

function stopped(): Problem {
  return new Problem('stopped', 'Reading was stopped.')
}

// Nothing of our environment goes along: keys have no business near untrusted files. The folder is the root, where a
// crash leaves nothing behind.
function launch(limits: ConvertLimits): ChildProcess {
  const program = fileURLToPath(new URL('./convert-child.js', import.meta.url))
  const heap = `--max-old-space-size=${Math.floor(limits.memoryMb * heapShare)}`
  return spawn(process.execPath, [heap, youngHeap, program, JSON.stringify(limits)], {
    cwd: parsePath(process.execPath).root,
    env: bareEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

const heapShare = 0.75
// Engines hand over thousands of small objects a page: with room for them, PDFs take a fifth less time.
const youngHeap = '--max-semi-space-size=32'

function bareEnvironment(): NodeJS.ProcessEnv {
  const needed = process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'TMP'] : []
  return { TZ: 'UTC', ...Object.fromEntries(needed.map((name) => [name, process.env[name]])) }
}

/** Whether a process keeps this one alive: only while it works. */
function hold({ process }: Converter, working: boolean) {
  const pipes = [process.stdin, process.stderr, process.stdio?.[3]] as unknown as (ChildProcess | undefined)[]
  for (const part of [process, ...pipes]) {
    if (working) part?.ref()
    else part?.unref()
  }
}
