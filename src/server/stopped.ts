// Why a call was stopped, or never began, in words for its caller.
import { Failed } from './failure.js'

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
    message: `${tool} waited ${ms / 1000} s for its turn behind other changes. Nothing was changed.`,
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
