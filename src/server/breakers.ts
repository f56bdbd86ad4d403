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
  /** Outages in a row before calls are answered at once. */
  failures?: number
  /** How long before one call is let through to try again. */
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
        throw isBrokenCircuitError(error) ? resting(tool, restMs) : error
      }
    },
  }
}

// A page that does not exist says nothing about the network. Time that ran out, an error nobody foresaw, and a Problem
// that says "unavailable" do.
function isOutage(error: unknown): boolean {
  if (error instanceof Failed) return error.failure.kind === 'timeout'
  return !(error instanceof Problem) || error.code === 'unavailable'
}

function resting(tool: string, restMs: number): Failed {
  const seconds = Math.ceil(restMs / 1000)
  return new Failed({
    kind: 'unavailable',
    code: 'unavailable',
    tool,
    message: `${tool} failed several times in a row, so it rests for ${seconds} s before it is tried again.`,
    hint: `Wait ${seconds} s, or go on without it.`,
    retryAfterMs: restMs,
  })
}
