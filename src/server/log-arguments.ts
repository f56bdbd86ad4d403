import { pino } from 'pino'
import { isSecretName, redact } from '../text/redact.js'
import { truncate } from '../text/truncate.js'

/**
 * Arguments fit for a log: names shortened, deep values cut off, secrets masked by name and by form. Questions and texts are
 * contents: of them only the length is logged.
 */
export function loggable(value: unknown, depth = 0, isName = false): unknown {
  if (typeof value === 'string') return isName ? short(value) : `[${value.length} chars]`
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value
  if (depth >= 3) return Array.isArray(value) ? `[${value.length} items]` : '{…}'
  if (Array.isArray(value)) {
    const shown = value.slice(0, 5).map((item) => loggable(item, depth + 1, isName))
    return value.length > 5 ? [...shown, `… ${value.length - 5} more`] : shown
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([key, item]) => [
        short(key),
        isSecretName(key) && holdsSomething(item) ? '[redacted]' : loggable(item, depth + 1, names.has(key)),
      ]),
  )
}

/** Arguments that name something or choose something. Every other text counts as content. */
const names = new Set([
  ...['action', 'type', 'direction', 'language', 'search_type', 'source_type', 'resource_type', 'status'],
  ...['collection', 'collections', 'document', 'document_id', 'id', 'name', 'source', 'target', 'source_id'],
  ...[
    'job_id',
    'session_id',
    'workflow_id',
    'module',
    'tags',
    'path',
    'file_path',
    'filePattern',
    'uri',
    'url',
  ],
  ...['pattern_name', 'if_version'],
])

/** A field named like a secret is masked whatever its value, unless the value is only true, false or null. */
function holdsSomething(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean'
}

/** A sentence fit for a log: it may repeat what a caller gave. */
export function loggableSentence(sentence: string): string {
  return short(sentence, 1_000)
}

/** An error fit for a log: its message may repeat what a caller gave, and its stack repeats the message. */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return loggable(error)
  const { type, message, stack, code } = pino.stdSerializers.err(error) as SerializedError
  return {
    type,
    ...(code !== undefined && { code }),
    message: redact(message.slice(0, longestError)),
    stack: redact(stack.slice(0, longestError)),
  }
}

interface SerializedError {
  type: string
  message: string
  stack: string
  code?: unknown
}

const longestError = 10_000

// Masks before it cuts: half a key would not be recognised. Reads only the start, so that a long document costs little.
function short(text: string, most = 100): string {
  const clean = redact(text.slice(0, 2_000))
  if (clean.length <= most && text.length <= 2_000) return clean
  return `${truncate(clean, most, '')}… [${text.length} chars]`
}
