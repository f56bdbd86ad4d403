// A pool of processes that convert untrusted documents. Worker threads would not do: a native library that crashes, or
// memory that runs out, takes the whole process down. The processes never outlive this one.
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { parse as parsePath } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { IndexedDocument, Parsed } from '../../model/document.js'
import { Problem, reasonOf } from '../../model/problem.js'
import { officeFormatOf } from '../../parse/formats.js'
import { type PoolWorker, workerPool } from '../../runtime/worker-pool.js'
import type { RawDocument } from '../prepare.js'
import { type PackedDocument, type Reading, type Task, unpack } from '../task.js'
import type { ConvertTask, Ready, Reply, Result, Work } from './convert-task.js'
import { readFrames, sendFrame } from './convert-task.js'
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

const startMs = 30_000
const longestErrors = 4_000

export function convertPool(options: { processes: number } & Partial<ConvertLimits>): ConvertPool {
  const limits: ConvertLimits = { ...defaultLimits, ...options }
  const { run, size, close } = workerPool<Work, Reply>({
    start: () => converter(limits),
    size: options.processes,
    taskMs: limits.timeMs,
    startMs,
    idleMs: 15_000,
    lost({ why, started, error }) {
      if (why === 'closed') throw new Problem('stopped', 'Reading was stopped.')
      if (why === 'broken') throw error!
      throw started ? tooSlow(limits) : notStarted(`not within ${startMs / 1000} s`)
    },
  })

  async function submit(work: Work, signal?: AbortSignal): Promise<Result> {
    const reply = await run(work, { signal })
    if ('result' in reply) return reply.result
    throw new Problem(reply.problem.code, reply.problem.message, reply.problem.hint)
  }

  return {
    size,
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

/** A failure that is not the file's fault is tried again on the next run. */
function refusalOf(problem: Problem): Reading {
  const state = problem.code === 'unsupported' || problem.code === 'too_large' ? 'skipped' : 'failed'
  const passing = problem.code === 'stopped' || problem.code === 'unavailable'
  return { state, reason: reasonOf(problem), ...(passing ? { passing } : {}) }
}

/** The file is not the cause, so it is tried again on the next run. */
function notStarted(output: string): Problem {
  const reason = /^\w*Error.*$/m.exec(output)?.[0] ?? output.trim().split('\n').pop() ?? ''
  return new Problem('unavailable', `The converter could not be started (${reason.slice(0, 200)}).`)
}

/** A process as a worker of the pool. It gets tasks on standard input and answers on descriptor 3. */
function converter(limits: ConvertLimits): PoolWorker {
  const child = launch(limits)
  const events = new EventEmitter()
  const pipes = [child.stdin, child.stderr, child.stdio?.[3]] as unknown as (ChildProcess | undefined)[]
  let ready = false
  let stderr = ''
  let id = -1
  child.on('error', (error) => events.emit('error', notStarted(error.message)))
  child.on('close', (_, signal) =>
    events.emit('error', ready ? crashed(stderr, signal, limits) : notStarted(stderr)),
  )
  const onMessage = (message: Ready | Reply) => {
    if ('ready' in message) ready = true
    // Memory that earlier documents left behind must not count against the next.
    const last = 'rss' in message && message.rss > (limits.memoryMb * 1_048_576) / 2
    events.emit('message', 'ready' in message ? 'ready' : { id, answer: message, last })
  }
  // When there are no more file descriptors, the process has no pipes; its error follows.
  if (child.stdin && child.stderr) {
    child.stdin.on('error', () => {})
    child.stderr.on('data', (part: Buffer) => {
      stderr = (stderr + part.toString('utf8')).slice(-longestErrors)
    })
    readFrames(child.stdio[3] as Readable, mostReply(limits), {
      onFrame: (message) => onMessage(message as Ready | Reply),
      onTooLong: () =>
        events.emit('error', new Problem('too_large', 'The converted document is too large to be kept.')),
    })
  }
  return {
    postMessage(message) {
      id = message.id
      if (child.stdin) sendFrame(child.stdin, message.task)
    },
    on: (event, listener) => events.on(event, listener),
    ref() {
      for (const part of [child, ...pipes]) part?.ref()
    },
    unref() {
      for (const part of [child, ...pipes]) part?.unref()
    },
    terminate() {
      child.kill('SIGKILL')
      this.unref()
    },
  }
}

// The process gets nothing of our environment: keys have no business near untrusted files. Its folder is the root, where
// a crash leaves nothing behind.
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
