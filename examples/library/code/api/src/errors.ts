/** Codes that the API can answer with. A code is never reused. */
export const ERROR_CODES = {
  'LNT-1002': 'unknown configuration key',
  'LNT-2007': 'template variable has no value',
  'LNT-4030': 'the token may not do this',
  'LNT-4031': 'message would expire in quiet hours',
  'LNT-4090': 'same idempotency key, different body',
  'LNT-4130': 'request body too large',
  'LNT-4221': 'request not acceptable',
  'LNT-5030': 'server is draining',
  'LNT-6002': 'retry budget exhausted',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** A request that cannot be met: a stable code, a sentence, and facts for the log. */
export class LanternError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERROR_CODES[code],
    readonly facts: Record<string, unknown> = {},
  ) {
    super(`${code}: ${message}`)
    this.name = 'LanternError'
  }

  get httpStatus(): number {
    if (this.code === 'LNT-4090') return 409
    if (this.code === 'LNT-4130') return 413
    if (this.code === 'LNT-5030') return 503
    return this.code === 'LNT-4030' ? 403 : 422
  }
}
