// Asks a model service over HTTP, patiently and politely: a time limit a request, repeated tries with growing delays,
// the service's own limits kept, and no more asking for a while when it is down. It uses the client within Node:
// loading a separate one blocks the event loop for longer than it may be.

import { Problem } from '../../model/problem.js'
import type { ServiceKind } from './address.js'
import { type Clock, realClock } from './clock.js'
import { type Answer, badAnswer, brokenConnection, type Failure, failureOf, type Named } from './failure.js'
import { createRateLimit, type RateSettings } from './rate-limit.js'
import { backOff } from './retry.js'

export interface ServiceSettings extends RateSettings {
  /** The whole address that is asked. */
  url: URL
  model: string
  /** Sent as a bearer token. */
  key?: string
  /** For one try, in milliseconds. */
  timeout?: number
  breaker?: BreakerSettings
  clock?: Clock
}

export interface Service {
  readonly named: Named
  /** The parsed answer. An urgent request gives up sooner. */
  post(body: object, options: PostOptions): Promise<unknown>
  close(): Promise<void>
}

export interface PostOptions {
  urgent: boolean
  /** How many bytes an answer to what is asked may take; one that is longer is not read to its end. */
  answerBytes: number
  signal?: AbortSignal
}

export function createService(kind: ServiceKind, settings: ServiceSettings): Service {
  const { url, model, clock = realClock, timeout = 30_000 } = settings
  const named: Named = {
    code: kind.code,
    title: `The ${kind.title} service at ${url.origin}${url.pathname}`,
    model,
    secrets: [settings.key ?? ''],
  }
  const headers = checkedHeaders(named, settings)
  const breaker = createBreaker(clock, settings.breaker)
  const limit = createRateLimit(clock, settings)
  const closing = new AbortController()

  async function post(body: object, options: PostOptions): Promise<unknown> {
    const text = JSON.stringify(body)
    for (let attempt = 1; ; attempt++) {
      closing.signal.throwIfAborted()
      await mayGo(options)
      const outcome = await once(text, options)
      if ('json' in outcome) {
        breaker.succeeded()
        return outcome.json
      }
      await afterFailure(outcome, attempt, options)
    }
  }

  async function mayGo({ urgent, signal }: PostOptions) {
    const refusal = breaker.refusal()
    if (refusal) throw resting(refusal.error, refusal.milliseconds)
    const wait = await limit.take({ urgent, signal, patience: patience(urgent) })
    if (wait > 0)
      throw new Problem(`${named.code}_limited`, `${named.title} can be tried again in ${inSeconds(wait)}.`)
  }

  async function once(
    body: string,
    { urgent, answerBytes, signal }: PostOptions,
  ): Promise<{ json: unknown } | Failure> {
    const began = clock.now()
    const stop = stopWhen(timeout, [signal, closing.signal])
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: stop.signal,
      })
      const { text, whole } = await readText(response.body, answerBytes)
      const answer: Answer = { status: response.status, headers: Object.fromEntries(response.headers), text }
      if (!response.ok) return failureOf(named, answer)
      return whole ? parsed(named, text) : tooMuch(named)
    } catch (error) {
      closing.signal.throwIfAborted()
      if (signal?.aborted) givenUp(clock.now() - began, urgent)
      signal?.throwIfAborted()
      return brokenConnection(
        named,
        stop.signal.aborted ? `no answer within ${inSeconds(timeout)}` : reasonOf(error),
      )
    } finally {
      stop.clear()
    }
  }

  // Callers have deadlines shorter than a try. A service that lets every one of them pass is as good as down.
  function givenUp(waited: number, urgent: boolean) {
    if (waited < patience(urgent)) return
    breaker.failed(brokenConnection(named, `no answer within ${inSeconds(waited - (waited % 1000))}`).problem)
  }

  async function afterFailure(failure: Failure, attempt: number, { urgent, signal }: PostOptions) {
    if (failure.down) breaker.failed(failure.problem)
    else breaker.succeeded()
    const wait = Math.max(failure.after ?? 0, backOff(attempt, clock.random))
    if (failure.after) limit.pause(failure.after)
    if (!failure.retry || attempt >= tries(urgent) || wait > patience(urgent)) throw failure.problem
    await clock.sleep(wait, signal)
  }

  function resting(last: Error, milliseconds: number): Problem {
    const message = `${named.title} is left alone after repeated failures. The last one: ${last.message}`
    return new Problem(`${named.code}_down`, message, `It will be tried again in ${inSeconds(milliseconds)}.`)
  }

  async function close() {
    closing.abort(
      new Problem(`${named.code}_closed`, `The connection to the ${kind.title} service was closed.`),
    )
  }

  return { named, post, close }
}

// Someone waits for an urgent request, and words alone are a good answer meanwhile. The others have time.
const tries = (urgent: boolean) => (urgent ? 2 : 5)
const patience = (urgent: boolean) => (urgent ? 2_000 : 120_000)

function checkedHeaders(named: Named, { key }: ServiceSettings): Record<string, string> {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
  }
  if (key) all.authorization = `Bearer ${key.trim()}`
  for (const value of Object.values(all))
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      const message = 'The key holds a character that cannot be sent, such as a line break.'
      throw new Problem(`${named.code}_auth`, message, 'Copy the key again, without anything around it.')
    }
  return all
}

// One controller a try instead of AbortSignal.any: a signal that lives for long would collect every combination.
function stopWhen(timeout: number, signals: (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeout)
  for (const signal of signals) signal?.addEventListener('abort', abort, { once: true })
  if (signals.some((signal) => signal?.aborted)) abort()
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', abort)
    },
  }
}

// Whatever comes with an answer beside what was asked for.
const slack = 256 * 1024

// Parsing blocks the event loop, and 60 MB of brackets do so for seconds: what nobody asked for is not even read.
async function readText(body: AsyncIterable<Uint8Array> | null, most: number) {
  const parts: Uint8Array[] = []
  let left = most + slack
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, left))
    left -= part.length
    if (left < 0) break
  }
  return { text: Buffer.concat(parts).toString('utf8'), whole: left >= 0 }
}

function tooMuch(named: Named): Failure {
  const hint = 'Check the base URL and the model; for embeddings, its dimensions too.'
  return {
    problem: badAnswer(named, 'answered with far more than was asked for', hint),
    retry: false,
    down: false,
  }
}

function parsed(named: Named, text: string): { json: unknown } | Failure {
  try {
    return { json: JSON.parse(text) }
  } catch {
    const page = /^\s*</.test(text)
    const hint = page ? 'Check the base URL; it usually ends in /v1.' : undefined
    const what = page ? 'answered with a web page' : 'answered with something that is not JSON'
    return { problem: badAnswer(named, what, hint), retry: false, down: false }
  }
}

// Node wraps what happened on the network: the code deep down says more than the sentence on top.
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown }
  const deep = cause ? reasonOf(cause) : ''
  return deep || [code, message].filter(Boolean).join(': ') || 'the connection failed'
}

function inSeconds(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return seconds === 1 ? 'one second' : `${seconds} seconds`
}

// Stops asking a service that is down: after a few failures in a row, requests fail at once for a while, then one is
// let through to see. Each time that one fails too, the while is twice as long.
export interface Breaker {
  /** Null when a request may go out; otherwise how long not to ask, and why. */
  refusal(): { error: Error; milliseconds: number } | null
  succeeded(): void
  failed(error: Error): void
}

export interface BreakerSettings {
  /** Failures in a row before it opens. */
  tolerated?: number
  /** How long it stays open at first. */
  rest?: number
  longestRest?: number
}

export function createBreaker(clock: Clock, settings: BreakerSettings = {}): Breaker {
  const { tolerated = 5, rest = 15_000, longestRest = 300_000 } = settings
  let failures = 0
  let rests = 0
  let open: { error: Error; until: number; trial: boolean } | null = null

  // The one that is let through moves the end of the rest: should it be given up, another tries after that.
  function refusal() {
    if (!open) return null
    const left = open.until - clock.now()
    if (left > 0) return { error: open.error, milliseconds: left }
    open.until = clock.now() + rest
    open.trial = true
    return null
  }

  function failed(error: Error) {
    failures++
    // A request from before the rest may fail during it; that is no news.
    if (open ? !open.trial : failures < tolerated) return
    const length = Math.min(longestRest, rest * 2 ** rests++)
    open = { error, until: clock.now() + length, trial: false }
  }

  function succeeded() {
    failures = 0
    rests = 0
    open = null
  }

  return { refusal, succeeded, failed }
}
