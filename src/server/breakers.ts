import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel'
import { Problem } from '../model/problem.js'
import { Failed } from './failure.js'

export interface BreakerOptions {
  /** Failures in a row that open the breaker. */
  failures?: number
  /** How long it stays open before one call may try again. */
  restMs?: number
}

export interface Breakers {
  run<T>(tool: string, work: () => Promise<T>): Promise<T>
}

/** One circuit breaker for each tool that reaches outside. */
export function breakers({ failures = 5, restMs = 30_000 }: BreakerOptions = {}): Breakers {
  const policies = new Map<string, CircuitBreakerPolicy>()
  const policyFor = (tool: string) => {
    const known = policies.get(tool)
    if (known) return known
    const made = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: restMs,
      breaker: new ConsecutiveBreaker(failures),
    })
    policies.set(tool, made)
    return made
  }
  return {
    async run(tool, work) {
      try {
        return await policyFor(tool).execute(work)
      } catch (error) {
        throw isBrokenCircuitError(error) ? paused(tool, restMs) : error
      }
    },
  }
}

// A missing page says nothing about the network. A timeout, an unexpected error and the Problem "unavailable" do.
function isOutage(error: unknown): boolean {
  if (error instanceof Failed) return error.failure.kind === 'timeout'
  return !(error instanceof Problem) || error.code === 'unavailable'
}

function paused(tool: string, restMs: number): Failed {
  const seconds = Math.ceil(restMs / 1000)
  return new Failed({
    kind: 'unavailable',
    code: 'unavailable',
    tool,
    message: `${tool} failed several times in a row, so it is paused for ${seconds} s.`,
    hint: `Wait ${seconds} s, or continue without it.`,
    retryAfterMs: restMs,
  })
}
