// Explains failed requests to people, and decides whether to try again.
import { BodyTrouble } from './body.js'
import { NotPermitted } from './connect.js'
import type { Failed, Failure, Refused } from './fetch.js'

export type Outcome =
  | Pick<Refused, 'state' | 'code' | 'reason'>
  | Pick<Failed, 'state' | 'code' | 'reason' | 'retryable'>

/** Turns a known error of a request into a value. Any other error is a bug and is thrown again. */
export function outcomeOf(error: unknown, host: string, answered: boolean): Outcome {
  if (error instanceof NotPermitted) return { state: 'refused', ...error.refusal }
  if (error instanceof OutOfTime) return failed('timeout', error.message)
  if (error instanceof BodyTrouble)
    return error.kind === 'too_large'
      ? { state: 'refused', code: 'too_large', reason: error.message }
      : failed(error.kind === 'broken' ? 'protocol' : error.kind, error.message, error.kind !== 'broken')
  const code = codeOf(error)
  const found = sentences.find(([form]) => form.test(code))
  if (found) return failed(found[1], found[2](host), found[3])
  if (isConnectionTrouble(code))
    return answered ? cutOff : failed('connect', `${host} could not be reached (${code}).`)
  throw error
}

/** A limit of ours on the time of a request, or of a part of it. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

function failed(code: Failure, reason: string, retryable = true): Outcome {
  return { state: 'failed', code, reason, retryable }
}

const cutOff = failed('truncated', 'The connection ended before the body did.')

type Sentence = [RegExp, Failure, (host: string) => string, boolean]

const sentences: Sentence[] = [
  [
    /^(EAI_AGAIN|ETIMEOUT|ESERVFAIL)$/,
    'dns',
    (host) => `The address of ${host} could not be found out now.`,
    true,
  ],
  [/^(ENOTFOUND|ENODATA|EAI_|EBADNAME)/, 'dns', (host) => `There is no host ${host}.`, false],
  [/^ECONNREFUSED$/, 'connect', (host) => `${host} does not accept connections.`, true],
  [
    /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|ERR_SSL|EPROTO)/,
    'tls',
    (host) => `No safe connection to ${host} can be made: its certificate or encryption is not in order.`,
    false,
  ],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'closed', () => 'Fetching was ended.', false],
  [
    // Undici's parser accepts a status of 000, which an assertion of its own then refuses.
    /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED|UND_ERR_HTTP_PARSER|ERR_ASSERTION$)/,
    'protocol',
    (host) => `${host} does not answer in proper HTTP.`,
    false,
  ],
  [/^UND_ERR_RES_CONTENT_LENGTH/, 'truncated', () => 'The body is shorter than the server said.', true],
]

function isConnectionTrouble(code: string): boolean {
  return /^(E[A-Z]+|UND_ERR_(SOCKET|CONNECT_TIMEOUT|ABORTED|BODY_TIMEOUT|HEADERS_TIMEOUT)|ERR_STREAM_PREMATURE_CLOSE)$/.test(
    code,
  )
}

function codeOf(error: unknown): string {
  const { code, cause, name } = (error ?? {}) as { code?: unknown; cause?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  if (name === 'HTTPParserError') return 'HPE_'
  return cause === undefined ? '' : codeOf(cause)
}
