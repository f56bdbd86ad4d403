/**
 * Counts down the attempts of one notification and says how long to wait at most before the next.
 * The wait itself is drawn at random by the caller, between zero and the bound.
 */
export class RetryBudget {
  static readonly DEFAULT_ATTEMPTS = 6

  #spent = 0

  constructor(
    readonly attempts: number = RetryBudget.DEFAULT_ATTEMPTS,
    private readonly backoff = { baseMs: 20_000, factor: 3, capMs: 900_000 },
  ) {}

  get remainingAttempts(): number {
    return this.attempts - this.#spent
  }

  /** Spends one attempt; false when none was left. */
  spend(): boolean {
    if (this.remainingAttempts <= 0) return false
    this.#spent += 1
    return true
  }

  /** A refusal is final: whatever is left is gone. */
  forfeit(): void {
    this.#spent = this.attempts
  }

  upperBoundMs(): number {
    const { baseMs, factor, capMs } = this.backoff
    return Math.min(capMs, baseMs * factor ** Math.max(0, this.#spent - 1))
  }
}
