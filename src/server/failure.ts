import { Problem } from '../model/problem.js'

/** Why a call did not give a result, told apart by what the caller can do about it. */
export type FailureKind =
  | 'invalid' // The arguments are wrong: correct them and call again.
  | 'refused' // A Problem: the request cannot be met, and the hint names the next step.
  | 'timeout'
  | 'cancelled'
  | 'rate_limited'
  | 'busy'
  | 'unavailable' // The remote service does not answer; the circuit breaker is open.
  | 'bug'

/** One thing wrong with the arguments. */
export interface Issue {
  field: string
  expected: string
  given: string
  message: string
}

export interface Failure {
  kind: FailureKind
  /** The Problem's own code, or the kind. */
  code: string
  tool: string
  message: string
  hint?: string
  issues?: Issue[]
  /** Fields that a specification has beside the message, such as `path`. */
  details?: Readonly<Record<string, unknown>>
  retryAfterMs?: number
}

/** How a toolset words a failure. `isError: false` makes it an ordinary result. */
export type ErrorShape = (failure: Failure) => { body: unknown; isError: boolean }

export function refused(tool: string, problem: Problem): Failure {
  return {
    kind: 'refused',
    code: problem.code,
    tool,
    message: problem.message,
    ...(problem.hint !== undefined && { hint: problem.hint }),
    ...(problem.details && { details: problem.details }),
  }
}

/** Whether the machine is the reason (disk, folder, database), not the request: the same call works once that is repaired. */
export function isEnvironmental({ code }: { code: string }): boolean {
  return code.startsWith('store_') || environmentCodes.has(code)
}

const environmentCodes = new Set([
  'disk_full',
  'no_folder',
  'no_data_folder',
  'data_folder',
  'list_failed',
  'closed',
])

/** Thrown inside the executor to end a call with a failure of its own making. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The failure for anything thrown. An unexpected error is a bug; its message may be internal, so it is not repeated. */
export function failureOf(tool: string, error: unknown): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof Problem) return refused(tool, error)
  return {
    kind: 'bug',
    code: 'internal_error',
    tool,
    message: `${tool} failed because of an error inside Carrel. Your request is fine.`,
    hint: "The server's log has the details. Trying again may help.",
  }
}

/** The message with its hint, as one text. */
export function sentenceOf(failure: Pick<Failure, 'message' | 'hint'>): string {
  const { message, hint } = failure
  return hint ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}` : message
}

export function timedOut(tool: string, ms: number): Failed {
  return new Failed({
    kind: 'timeout',
    code: 'timeout',
    tool,
    message: `${tool} was stopped after ${ms / 1000} s.`,
    hint: 'Ask for less at once (a smaller limit, a narrower scope), or try again when indexing is done.',
  })
}

export function neverBegan(tool: string, ms: number): Failed {
  return new Failed({
    kind: 'timeout',
    code: 'timeout',
    tool,
    message: `${tool} waited ${ms / 1000} s for other changes to finish. Nothing was changed.`,
    hint: 'Try again in a few seconds, with fewer changes at once.',
    retryAfterMs: 2_000,
  })
}

export function cancelled(tool: string): Failed {
  return new Failed({ kind: 'cancelled', code: 'cancelled', tool, message: `${tool} was cancelled.` })
}

export function busy(tool: string): Failed {
  return new Failed({
    kind: 'busy',
    code: 'busy',
    tool,
    message: `Too many calls are running, so ${tool} was not started.`,
    hint: 'Try again in a few seconds, with fewer calls at once.',
    retryAfterMs: 2_000,
  })
}
