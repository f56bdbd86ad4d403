import type { Context } from './context.js'

/** The one JSON value of a run. Control characters that JSON would let through are escaped: a terminal obeys them. */
export function writeJson(context: Context, value: unknown) {
  const text = JSON.stringify(value, null, 2)
  context.out.write(`${text.replace(/[\x7f-\x9f]/g, escaped)}\n`)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
