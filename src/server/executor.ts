// Runs one call: validates it, limits it, times it, counts it, logs it, and words what goes wrong.

import { createSemaphore, type Semaphore } from '../runtime/semaphore.js'
import { withTimeout } from '../runtime/timeout.js'
import { type BreakerOptions, breakers } from './breakers.js'
import type { AnyTool, Call, Client, Effect, Toolset } from './define.js'
import {
  type HiddenTools,
  hideToolNames,
  hideUnavailableTools,
  hideUnavailableToolsInFailure,
  textOf,
} from './define.js'
import {
  busy,
  cancelled,
  type ErrorShape,
  Failed,
  type Failure,
  failureOf,
  neverBegan,
  timedOut,
} from './failure.js'
import { type Log, silentLog } from './log.js'
import { loggable, loggableSentence } from './log-arguments.js'
import { defaultRates, type RateLimiter, rateLimiter } from './rate-limit.js'
import { type CallEnd, type Statistics, statistics } from './statistics.js'
import { clampNumbers, invalidArguments, validate } from './validate.js'

/** The caller, with a signal to stop the call and a callback for its progress. */
export interface Caller {
  client: Client
  session?: string
  signal?: AbortSignal
  progress?(done: number, total?: number, message?: string): void
}

export interface Answer {
  value: unknown
  text: string
  isError: boolean
  failure?: Failure
  /** For a value without a field for it: a list, a sentence or null. */
  note?: string
  /** Text for a reader, without an object beside it. */
  plain?: boolean
}

export interface ExposedTool<Services> {
  tool: AnyTool<Services>
  toolset: Toolset<Services>
  /** Tools that the caller cannot use. */
  withheld?: HiddenTools
}

/** Work under the same limits that is not a tool call: reading a resource, a prompt. */
export interface Job {
  name: string
  effect: Effect
  timeMs?: number
  args?: unknown
}

export interface ExecutorOptions {
  log?: Log
  statistics?: Statistics
  /** The time limit of tools without one, and the maximum for all. */
  timeMs?: number
  mostTimeMs?: number
  /** How many calls of one effect run at once, and how many may wait. */
  places?: number
  line?: number
  /** Calls a minute by tool name; false for a tool without limit, or for no limits at all. */
  rates?: Record<string, number | false> | false
  breaker?: BreakerOptions
  /** Compares every result with the tool's output schema; for tests. */
  checkOutput?: boolean
  now?: () => number
  /** Turns an error of the environment, such as a full disk, into a Problem; returns other errors unchanged. */
  explain?: (error: unknown) => unknown
}

export interface Executor {
  call<Services>(
    exposed: ExposedTool<Services>,
    services: Services,
    args: unknown,
    caller: Caller,
  ): Promise<Answer>
  /** Runs a job; throws `Failed` if it fails. */
  run<T>(job: Job, caller: Caller, work: (call: Call) => Promise<T> | T): Promise<T>
  /** The error as a Problem, if the environment is the reason. */
  explain(error: unknown): unknown
  readonly statistics: Statistics
  readonly log: Log
  /** Resolves when the calls that have committed are over, or after a while. */
  finished(mostMs?: number): Promise<void>
  /** Calls running and waiting now. */
  load(): { running: number; waiting: number }
}

export function executor(options: ExecutorOptions = {}): Executor {
  const parts: Parts = {
    log: options.log ?? silentLog,
    counts: options.statistics ?? statistics(),
    semaphores: semaphoresOf(options),
    limiter: rateLimiter(options.now),
    breakers: breakers(options.breaker),
    committed: new Set(),
    options,
  }
  return {
    call: (exposed, services, args, caller) => call(parts, exposed, services, args, caller),
    run: (job, caller, work) =>
      withMetricsAndLogging(parts, job, caller, () => withLimits(parts, job, caller, work)),
    explain: (error) => explained(parts, error),
    statistics: parts.counts,
    log: parts.log,
    finished: async (mostMs = 30_000) => {
      await withTimeout(mostMs, undefined, () => Promise.all(parts.committed), { ref: false })
    },
    load: () => loadOf(Object.values(parts.semaphores)),
  }
}

// One semaphore for each effect: writes that wait for one another must not block reads.
function semaphoresOf({ places = 32, line = 2_000 }: ExecutorOptions): Record<Effect, Semaphore> {
  const one = () => createSemaphore({ places, line })
  return { read: one(), write: one(), outside: one() }
}

function loadOf(semaphores: readonly Semaphore[]) {
  return semaphores.reduce(
    (sum, { inside, waiting }) => ({ running: sum.running + inside, waiting: sum.waiting + waiting }),
    { running: 0, waiting: 0 },
  )
}

interface Parts {
  log: Log
  counts: Statistics
  semaphores: Record<Effect, Semaphore>
  limiter: RateLimiter
  breakers: ReturnType<typeof breakers>
  /** The ends of calls that have committed. */
  committed: Set<Promise<void>>
  options: ExecutorOptions
}

async function call<Services>(
  parts: Parts,
  { tool, toolset, withheld = [] }: ExposedTool<Services>,
  services: Services,
  raw: unknown,
  caller: Caller,
): Promise<Answer> {
  const job: Job = { name: tool.name, effect: tool.effect, args: raw }
  try {
    return await withMetricsAndLogging(parts, job, caller, async () => {
      const { args, note: clamped } = clampNumbers(argumentsFor(tool, raw), tool.clamp)
      checkRateLimit(parts, tool, caller.client)
      const timed = { ...job, timeMs: timeFor(parts.options, tool, args) }
      const result = await withLimits(parts, timed, caller, (context) => tool.run(services, args, context))
      const view = tool.view(result, args)
      const value = tool.plain ? view : hideUnavailableTools(view, withheld)
      const note =
        tool.note?.(result, args) ?? (await toolset.note?.(services, args, { isNothing: isNothing(value) }))
      const left = note ? hideToolNames(note, withheld) : ''
      return answer(tool, value, [clamped, left].filter(Boolean).join(' '), parts.options.checkOutput)
    })
  } catch (error) {
    return failed(toolset.errorShape, hideUnavailableToolsInFailure(failureOf(tool.name, error), withheld))
  }
}

function argumentsFor(tool: AnyTool<never>, raw: unknown): Record<string, unknown> {
  const validated = validate(tool.input, raw)
  if ('issues' in validated) throw new Failed(invalidArguments(tool, validated.issues, raw))
  return validated.args
}

function checkRateLimit(parts: Parts, tool: AnyTool<never>, client: Client) {
  const { rates } = parts.options
  if (rates === false) return
  const perMinute = rates?.[tool.name] ?? tool.limits?.perMinute ?? defaultRates[tool.name]
  if (perMinute === undefined || perMinute === false) return
  const wait = parts.limiter.take(tool.name, client.id, perMinute)
  if (wait === null) return
  const seconds = Math.ceil(wait / 1000)
  throw new Failed({
    kind: 'rate_limited',
    code: 'rate_limited',
    tool: tool.name,
    message: `Rate limit exceeded for ${tool.name}: ${perMinute} calls a minute.`,
    hint: `Wait ${seconds} s before calling it again.`,
    retryAfterMs: wait,
  })
}

function timeFor(options: ExecutorOptions, tool: AnyTool<never>, args: unknown): number {
  const work = Math.min(tool.limits?.timeMs ?? options.timeMs ?? 10_000, options.mostTimeMs ?? 30_000)
  return work + Math.max(0, tool.limits?.waitMs?.(args) ?? 0)
}

/** Waits for a place, then runs with the time limit. */
async function withLimits<T>(
  parts: Parts,
  job: Job,
  caller: Caller,
  work: (call: Call) => Promise<T> | T,
): Promise<T> {
  const ms = job.timeMs ?? parts.options.timeMs ?? 10_000
  const places = parts.semaphores[job.effect]
  await takePlace(places, job, caller, ms)
  let waits = false
  const inLine = (now: boolean) => {
    waits = now
  }
  let ended: Promise<void> | undefined
  const start = () => {
    const running = limitTime(
      {
        ms,
        signal: caller.signal,
        timeout: () => (waits ? neverBegan(job.name, ms) : timedOut(job.name, ms)),
        cancelled: () => cancelled(job.name),
      },
      (signal, begin) => {
        const commit = () => {
          begin()
          noteCommitted(parts, ended!)
        }
        return work(contextOf(parts, caller, { signal, commit, inLine }))
      },
    )
    ended = running.ended
    return running.result
  }
  try {
    return await (job.effect === 'outside' ? parts.breakers.run(job.name, start) : start())
  } finally {
    void leaveAfter(places, ended)
  }
}

/**
 * Runs work with a time limit and a caller's signal; the work gets a signal of its own. Once the work has committed, nothing
 * stops it, and its outcome is the result. Work that was stopped before cannot commit.
 * `result` settles when the work ends or is stopped; `ended` when the work itself has ended, however late.
 */
function limitTime<T>(
  limit: { ms: number; signal: AbortSignal | undefined; timeout(): Error; cancelled(): Error },
  work: (signal: AbortSignal, commit: () => void) => Promise<T> | T,
): { result: Promise<T>; ended: Promise<void> } {
  const controller = new AbortController()
  let clear = () => {}
  const stopped = new Promise<never>((_, reject) => {
    const stop = (reason: Error) => {
      controller.abort(reason)
      reject(reason)
    }
    const cancel = () => stop(limit.cancelled())
    const timer = setTimeout(() => stop(limit.timeout()), limit.ms)
    limit.signal?.addEventListener('abort', cancel, { once: true })
    if (limit.signal?.aborted) cancel()
    clear = () => {
      clearTimeout(timer)
      limit.signal?.removeEventListener('abort', cancel)
    }
  })
  const commit = () => {
    controller.signal.throwIfAborted()
    clear()
  }
  const running = Promise.resolve().then(() => {
    controller.signal.throwIfAborted()
    return work(controller.signal, commit)
  })
  const ended = running.then(
    () => {},
    () => {},
  )
  const result = Promise.race([running, stopped]).finally(clear)
  return { result, ended }
}

async function takePlace(places: Semaphore, job: Job, caller: Caller, ms: number) {
  const inside = await places.enter(caller.signal, ms).catch(() => {
    throw cancelled(job.name)
  })
  if (inside) return
  throw busy(job.name)
}

function noteCommitted({ committed }: Parts, ended: Promise<void>) {
  committed.add(ended)
  void ended.then(() => committed.delete(ended))
}

// Work that ignores its signal keeps its place in the semaphore, so that a client cannot pile up abandoned work. After
// 30 seconds the place is freed all the same, so that a call that hangs does not lock everybody out.
async function leaveAfter(places: Semaphore, ended: Promise<void> | undefined) {
  await withTimeout(30_000, undefined, async () => ended, { ref: false })
  places.leave()
}

function contextOf(
  parts: Parts,
  caller: Caller,
  { signal, commit, inLine }: Pick<Call, 'signal' | 'commit' | 'inLine'>,
): Call {
  return {
    signal,
    commit,
    inLine,
    progress: (done, total, message) => {
      if (!signal.aborted) caller.progress?.(done, total, message)
    },
    session: caller.session,
    client: caller.client,
    log: parts.log,
  }
}

/** Puts the note into an object; for a list, a sentence or null it is a field of the answer. */
function answer(tool: AnyTool<never>, plain: unknown, note: string, check: boolean | undefined): Answer {
  const value = note && isObject(plain) ? { ...plain, note: joined(plain.note, note) } : plain
  if (check) {
    const parsed = tool.output.safeParse(value)
    if (!parsed.success) throw new Error(`${tool.name} broke its output schema: ${parsed.error.message}`)
  }
  return {
    ...{ value, text: textOf(value), isError: false },
    ...(note && !isObject(plain) && { note }),
    ...(tool.plain && { plain: true }),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function joined(own: unknown, note: string): string {
  return typeof own === 'string' && own !== '' && own !== note ? `${own} ${note}` : note
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function failed(shape: ErrorShape, failure: Failure): Answer {
  const { body, isError } = shape(failure)
  return { value: body, text: textOf(body), isError, failure }
}

/** Counts and logs a call, however it ends. */
async function withMetricsAndLogging<T>(
  parts: Parts,
  job: Job,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now()
  const facts = () => ({
    tool: job.name,
    client: caller.client.name ?? caller.client.id,
    ms: Math.round((performance.now() - started) * 10) / 10,
    args: loggable(job.args),
  })
  try {
    const result = await work()
    const size = (result as { text?: string } | null)?.text?.length ?? 0
    const results = countOf((result as { value?: unknown } | null)?.value)
    parts.counts.record(job.name, 'answered', performance.now() - started, size)
    if (enabled(parts.log, 'info'))
      parts.log.info({ ...facts(), size, ...(results !== null && { results }) }, 'called')
    return result
  } catch (thrown) {
    const error = explained(parts, thrown)
    const failure = failureOf(job.name, error)
    parts.counts.record(job.name, endOf(failure), performance.now() - started, failure.message.length)
    if (failure.kind === 'bug')
      parts.log.error({ ...facts(), err: error }, 'call failed with an unexpected error')
    else if (enabled(parts.log, 'warn'))
      parts.log.warn({ ...facts(), reason: failure.code }, loggableSentence(complaint(failure)))
    throw error
  }
}

/** The length of the list that the answer is or contains; null without a list. */
function countOf(value: unknown): number | null {
  const list = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray)
  return list?.length ?? null
}

/** The complaint without the given values: they may be contents. */
function complaint({ issues, message }: Failure): string {
  return issues ? issues.map(({ field, expected }) => `${field}: expected ${expected}.`).join(' ') : message
}

function explained({ options }: Parts, error: unknown): unknown {
  return options.explain?.(error) ?? error
}

function endOf(failure: Failure): CallEnd {
  if (failure.kind === 'rate_limited') return 'rate_limited'
  return failure.kind === 'timeout' ? 'timeout' : 'failed'
}

function enabled(log: Log, level: string): boolean {
  return log.isLevelEnabled?.(level) ?? true
}
