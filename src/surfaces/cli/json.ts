import type { Context } from './context.js'

/** The one JSON value of a run. */
export function writeJson({ out }: Pick<Context, 'out'>, value: unknown) {
  out.write(jsonText(value))
}

/** Control characters that JSON would let through are escaped: a terminal obeys them. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[\x7f-\x9f]/g, escaped)}\n`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
