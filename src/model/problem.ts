/** A request that cannot be met: a code for programs, a sentence for people, and a hint that names the next step. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: string
  readonly hint: string | undefined
  /** Facts for the fields of an error answer: `{ path: '.env' }`. */
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: string, message: string, hint?: string, options: ProblemOptions = {}) {
    super(message, options)
    this.code = code
    this.hint = hint
    this.details = options.details
  }
}

export interface ProblemOptions extends ErrorOptions {
  details?: Readonly<Record<string, unknown>>
}

/** Says that an answer is weaker or incomplete, and why. It comes with the answer; it is not thrown. */
export interface Note {
  code: string
  message: string
}

/** Any thrown value as one line, for lists of failures. */
export function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.hint ? `${error.message} ${error.hint}` : error.message
  return error instanceof Error ? error.message : String(error)
}
