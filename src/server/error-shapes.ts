// How each toolset words its failures. The shapes are the specifications'; the sentences are the failure's own.
import { type ErrorShape, type Failure, type Issue, sentenceOf } from './failure.js'

/** Plain sentences. */
const documents: ErrorShape = (failure) => ({ body: sentenceOf(failure), isError: true })

/** `{ error: { code, message } }` with codes in capitals. */
const graph: ErrorShape = (failure) => ({
  body: { error: { code: graphCode(failure), message: sentenceOf(failure) } },
  isError: true,
})

/** `{ error, … }`: the sentence, then further fields. Wrong arguments are listed in `details`. */
const context: ErrorShape = (failure) => ({
  body: {
    error: failure.issues ? 'Invalid parameters' : failure.message,
    ...failure.details,
    ...(failure.issues && { details: failure.issues.map(({ field, message }) => ({ field, message })) }),
    ...(failure.hint && { suggestion: failure.hint }),
    ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
  },
  isError: true,
})

/** A JSON-RPC error object inside the result, so that the model can read the specification's code. */
const architecture: ErrorShape = (failure) => ({
  body: {
    error: {
      code: architectureCode(failure),
      message: failure.message,
      data: {
        tool: failure.tool,
        reason: failure.code,
        ...(failure.hint && { hint: failure.hint }),
        ...failure.details,
      },
    },
  },
  isError: true,
})

/** `{ success: false, error, suggestion }` as an ordinary result. */
const knowledge: ErrorShape = (failure) => ({
  body: {
    success: false,
    error: failure.message,
    suggestion: suggestionFor(failure),
  },
  isError: false,
})

/** The next step: for wrong arguments, what each of them should be. */
function suggestionFor({ issues, hint }: Failure): string {
  if (issues) return issues.map(correction).join(' ')
  return hint ?? 'Change the arguments as the error says and call again.'
}

function correction({ field, expected, given, message }: Issue): string {
  if (message.includes('is not an argument'))
    return message.includes('did you mean') ? `Use ${expected} in place of ${field}.` : `Leave ${field} out.`
  return given === 'nothing' ? `Provide ${field}: ${expected}.` : `Set ${field} to ${expected}.`
}

export const errorShapes = { documents, graph, context, architecture, knowledge }

const graphCodes: Record<string, string> = {
  not_found: 'NODE_NOT_FOUND',
  exists: 'NODE_EXISTS',
  conflict: 'VERSION_CONFLICT',
  internal_error: 'PROVIDER_ERROR',
}

function graphCode(failure: Failure): string {
  if (failure.kind === 'invalid') return 'INVALID_PARAMS'
  return graphCodes[failure.code] ?? failure.code.toUpperCase().replaceAll('-', '_')
}

function architectureCode(failure: Failure): number {
  switch (failure.kind) {
    case 'invalid':
      return -32602
    case 'timeout':
      return -32003
    case 'bug':
      return -32603
    default:
      // A name that does not exist is a wrong argument.
      if (failure.code === 'invalid' || failure.code === 'not_found') return -32602
      return failure.code === 'unknown_tool' ? -32001 : -32002
  }
}
