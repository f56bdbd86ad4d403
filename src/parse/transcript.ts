// Reads one line of an agent's transcript: a message of a person or the model. Claude Code and Codex write JSON lines.

export interface TranscriptMessage {
  role: 'user' | 'assistant'
  text: string
  id: string | null
  session: string | null
  at: string | null
}

export interface TranscriptLine {
  message: TranscriptMessage | null
  /** The session that this line and those after it belong to, where a line says so. */
  session: string | null
}

/** Null when the value is no line of a transcript we know. */
export function readTranscriptLine(value: unknown): TranscriptLine | null {
  if (!isObject(value)) return null
  return claudeLine(value) ?? codexLine(value)
}

type Json = Record<string, unknown>

const claudeKinds = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'file-history-snapshot',
  'queue-operation',
])

function claudeLine(line: Json): TranscriptLine | null {
  if (typeof line.type !== 'string' || !claudeKinds.has(line.type)) return null
  const session = textOr(line.sessionId)
  const message = isObject(line.message) ? line.message : null
  const role = message?.role ?? line.type
  if (!message || line.isMeta === true || (role !== 'user' && role !== 'assistant'))
    return { message: null, session }
  return {
    message: messageOf(role, message.content, { id: textOr(line.uuid), session, at: textOr(line.timestamp) }),
    session,
  }
}

const codexKinds = new Set(['session_meta', 'turn_context', 'event_msg', 'response_item', 'compacted'])

function codexLine(line: Json): TranscriptLine | null {
  const known = typeof line.type === 'string' && codexKinds.has(line.type)
  const item = known && isObject(line.payload) ? line.payload : line
  if (line.type === 'session_meta') return { message: null, session: textOr(item.id) }
  const older = line.type === 'message' || line.record_type !== undefined || 'instructions' in line
  if (!known && !older) return null
  // Events repeat the contents of items.
  if (item.type !== 'message' || line.type === 'event_msg') return { message: null, session: null }
  if (item.role !== 'user' && item.role !== 'assistant') return { message: null, session: null }
  const facts = { id: textOr(item.id), session: null, at: textOr(line.timestamp) }
  return { message: messageOf(item.role, item.content, facts), session: null }
}

const textKinds = new Set(['text', 'input_text', 'output_text'])
const mostText = 200_000

function messageOf(
  role: 'user' | 'assistant',
  content: unknown,
  facts: Pick<TranscriptMessage, 'id' | 'session' | 'at'>,
): TranscriptMessage | null {
  const parts = Array.isArray(content) ? content.slice(0, 1_000) : [{ type: 'text', text: content }]
  const texts = parts.flatMap((part) =>
    isObject(part) && textKinds.has(String(part.type)) && typeof part.text === 'string' ? [part.text] : [],
  )
  const text = withoutInserts(texts.join('\n\n').slice(0, mostText)).trim()
  return text === '' ? null : { role, text, ...facts }
}

/** Text that the client inserted into a message. */
const inserts = [
  'system-reminder',
  'environment_context',
  'user_instructions',
  'INSTRUCTIONS',
  'command-name',
  'command-message',
  'command-args',
  'local-command-stdout',
  'local-command-stderr',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'ide_selection',
  'ide_opened_file',
]

function withoutInserts(text: string): string {
  let clean = text
  for (const name of inserts) {
    if (!clean.includes(`<${name}>`)) continue
    const [first = '', ...rest] = clean.split(`<${name}>`)
    const parts = rest.map((part) => {
      const end = part.indexOf(`</${name}>`)
      return end < 0 ? '' : part.slice(end + name.length + 3)
    })
    clean = [first, ...parts].join('\n')
  }
  return clean
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}
