// Messages nobody should send, from a seed, so that a failure can be had again.

export type Random = () => number

/** A small generator of numbers in 0..1 that always gives the same ones for a seed. */
export function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <T>(next: Random, from: readonly T[]): T => from[Math.floor(next() * from.length)]!

const methods = [
  ...[
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'prompts/list',
  ],
  ...[
    'prompts/get',
    'completion/complete',
    'resources/subscribe',
    'resources/unsubscribe',
    'ping',
    'initialize',
  ],
  ...[
    'server/discover',
    'logging/setLevel',
    'tasks/get',
    'sampling/createMessage',
    'roots/list',
    'elicitation/create',
  ],
  ...[
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'subscriptions/listen',
  ],
  ...[
    '',
    'tools',
    'tools/call ',
    '__proto__',
    'constructor',
    'rpc.discover',
    'x'.repeat(5_000),
    'настройки/вызов',
    '\u0000',
  ],
]
const tools = [
  'read_note',
  'list_notes',
  'write_note',
  'wait',
  'fetch_note',
  'toString',
  '__proto__',
  'read_note\n',
  '',
]
const keys = [
  'name',
  'arguments',
  'uri',
  'cursor',
  'ref',
  'argument',
  '_meta',
  'progressToken',
  'requestId',
  'level',
  '__proto__',
  'constructor',
  'limit',
  'text',
  'ms',
]
const strings = [
  '',
  'a',
  'welcome',
  '../../etc/passwd',
  'shelf://note/welcome',
  'shelf://note/%',
  'file:///etc/passwd',
  '\ud800',
  '💥'.repeat(50),
  '\u0000\u0001',
  "'; drop table notes; --",
  '{{x}}',
  'x'.repeat(100_000),
]

export function hostileValue(next: Random, depth = 0): unknown {
  const kind = Math.floor(next() * (depth > 4 ? 6 : 9))
  if (kind <= 1) return pick(next, strings)
  if (kind === 2) return pick(next, [0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, -0, 2 ** 60])
  if (kind === 3) return next() < 0.5
  if (kind === 4) return null
  if (kind === 5) return pick(next, tools)
  if (kind === 6) return Array.from({ length: Math.floor(next() * 6) }, () => hostileValue(next, depth + 1))
  if (kind === 7 && next() < 0.1) return `@nested ${Math.floor(next() * 60_000)}`
  return Object.fromEntries(
    Array.from({ length: Math.floor(next() * 5) }, () => [pick(next, keys), hostileValue(next, depth + 1)]),
  )
}

/** The text of a message. Deep nesting is put in afterwards: turning it into text would break the one who writes it. */
export function textOf(message: unknown): string {
  const text = JSON.stringify(message) ?? 'undefined'
  return text.replace(/"@nested (\d+)"/g, (_, depth) => '['.repeat(Number(depth)) + ']'.repeat(Number(depth)))
}

/** A message: sometimes nearly right, sometimes not at all. */
export function hostileMessage(next: Random, id: unknown): unknown {
  if (next() < 0.05) return hostileValue(next)
  const method = next() < 0.4 ? 'tools/call' : pick(next, methods)
  const params =
    next() < 0.5 ? { name: pick(next, tools), arguments: hostileValue(next) } : hostileValue(next)
  const message: Record<string, unknown> = { jsonrpc: '2.0', id, method, params }
  if (next() < 0.1) delete message[pick(next, ['jsonrpc', 'id', 'method', 'params'])]
  if (next() < 0.1)
    message[pick(next, ['jsonrpc', 'id', 'method', 'params', 'result', 'error'])] = hostileValue(next)
  if (next() < 0.1 && typeof message.params === 'object' && message.params) {
    const meta = {
      progressToken: hostileValue(next),
      'io.modelcontextprotocol/protocolVersion': pick(next, ['2026-07-28', '1999-01-01', 7]),
    }
    message.params = { ...message.params, _meta: next() < 0.5 ? meta : hostileValue(next) }
  }
  return message
}

/** The text of a message, sometimes damaged on the way. */
export function hostileBytes(next: Random, id: unknown): Buffer {
  const bytes = Buffer.from(textOf(hostileMessage(next, id)))
  const damage = next()
  if (damage < 0.04) return bytes.subarray(0, Math.floor(next() * bytes.length))
  if (damage < 0.08) return Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0xc3, 0x28])])
  if (damage < 0.12 && bytes.length > 0) {
    const changed = Buffer.from(bytes)
    for (let i = 0; i < 5; i++) changed[Math.floor(next() * changed.length)] = Math.floor(next() * 256)
    return changed
  }
  if (damage < 0.14) return Buffer.from(Array.from({ length: 200 }, () => Math.floor(next() * 256)))
  return bytes
}

/** What an answer must never show: where in our code something happened. */
export const stackTrace = /\n\s+at |\bat [^\n"]{0,200}\.(?:[cm]?js|ts):\d+|node:internal|node_modules/
