import { Problem } from '../model/problem.js'

/** Why a call did not give a result, told apart by what the caller can do about it. */
export type FailureKind =
  | 'invalid' // The arguments are wrong: correct them and call again.
  | 'refused' // A Problem: the request cannot be met, and the hint names the next step.
  | 'timeout'
  | 'cancelled'
  | 'rate_limited'
  | 'busy'
  | 'unavailable' // What the tool reaches for outside does not answer; the circuit is open.
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
  /** Facts a specification wants beside the message, such as `path`. */
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

/** Whether a Problem is of the place Carrel runs in, not of what was asked: the same call works when that is mended. */
export function isOfPlace({ code }: { code: string }): boolean {
  return code.startsWith('store_') || placeCodes.has(code)
}

const placeCodes = new Set([
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

/** The failure behind anything thrown. What is neither a Problem nor ours is a bug, and says nothing of its insides. */
export function failureOf(tool: string, error: unknown): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof Problem) return refused(tool, error)
  return {
    kind: 'bug',
    code: 'internal_error',
    tool,
    message: `${tool} failed because of an error inside Carrel; nothing is wrong with your request.`,
    hint: 'The details are in the log of the server. Trying once more may help.',
  }
}

/** The message with its hint, as one text. */
export function sentenceOf(failure: Pick<Failure, 'message' | 'hint'>): string {
  return failure.hint ? `${failure.message} ${failure.hint}` : failure.message
}
