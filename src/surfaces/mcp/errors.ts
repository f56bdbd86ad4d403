import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { reasonOf } from '../../model/problem.js'
import { failureOf, isEnvironmental, sentenceOf } from '../../server/failure.js'
import type { Registry } from '../../server/registry.js'

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** Refuses a cursor for a list without pages. An empty cursor is accepted: some clients send it for "none". */
export function refuseCursor(cursor: string | undefined) {
  if (cursor) throw foreignCursor()
}

export function foreignCursor(): ProtocolError {
  return invalidParams('The cursor is not one that this server gave.')
}

export function unknownTool<Services>(registry: Registry<Services>, name: string): ProtocolError {
  try {
    registry.tool(name)
  } catch (problem) {
    return invalidParams(reasonOf(problem))
  }
  return invalidParams(`There is no tool "${name}".`)
}

/** Resources and prompts have no error results, so errors become protocol errors. */
export function protocolErrorOf(name: string, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  const failure = failureOf(name, error)
  const known = failure.kind === 'invalid' || (failure.kind === 'refused' && !isEnvironmental(failure))
  return new ProtocolError(
    known ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    sentenceOf(failure),
  )
}

/**
 * The error for a malformed request; null if an error is about something else. The SDK throws the list of its validator as
 * JSON, alone or after a few words of its own.
 */
export function wrongFormOf(method: string, error: unknown): ProtocolError | null {
  const list =
    error instanceof Error ? /^(?:Invalid \S+ request: )?(\[\s*\{.*\])$/s.exec(error.message)?.[1] : undefined
  const issues = list === undefined ? null : readIssues(list)
  if (!issues) return null
  return invalidParams(
    `The parameters of ${method} have a wrong form. ${issues.slice(0, 3).map(describe).join('; ')}.`,
  )
}

function describe({ path, message }: Issue): string {
  const text = message.replace(/^Invalid input: /, '').replace('received undefined', 'received nothing')
  return `${path.join('.').slice(0, 100) || 'the request'}: ${text.slice(0, 200)}`
}

interface Issue {
  path: (string | number)[]
  message: string
}

function readIssues(list: string): Issue[] | null {
  try {
    const issues = JSON.parse(list) as Issue[]
    return issues.every(({ path, message }) => Array.isArray(path) && typeof message === 'string')
      ? issues
      : null
  } catch {
    return null
  }
}
