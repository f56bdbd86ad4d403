import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { reasonOf } from '../../model/problem.js'
import { failureOf, sentenceOf } from '../../tools/failure.js'
import type { Registry } from '../../tools/registry.js'

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

export function unknownTool<Services>(registry: Registry<Services>, name: string): ProtocolError {
  try {
    registry.tool(name)
  } catch (problem) {
    return invalidParams(reasonOf(problem))
  }
  return invalidParams(`There is no tool "${name}".`)
}

/** Resources and prompts have no results for errors, so what went wrong becomes the protocol's own error. */
export function protocolErrorOf(name: string, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  const failure = failureOf(name, error)
  const known = failure.kind === 'refused' || failure.kind === 'invalid'
  return new ProtocolError(
    known ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    sentenceOf(failure),
  )
}
