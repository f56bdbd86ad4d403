import type { Context } from './context.js'

/** The one JSON value of a run. */
export function writeJson({ out }: Pick<Context, 'out'>, value: unknown) {
  out.write(jsonText(value))
}

export function jsonText(value: unknown): string {
  return `${safeJson(JSON.stringify(value, null, 2))}\n`
}

/** Escapes what JSON would let through and a terminal obeys: control characters, and marks that turn the writing. */
export function safeJson(json: string): string {
  return json.replace(/[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
