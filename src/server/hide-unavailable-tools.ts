// Hints name tools. Those that this client is not offered are not named to it: a sentence that names one is left out.
import type { Failure } from './failure.js'

export type HiddenTools = readonly { name: string }[]

/** The sentences that name none of these tools. */
export function hideToolNames(text: string, withheld: HiddenTools): string {
  if (!withheld.some(({ name }) => text.includes(name))) return text
  const sentences = text.match(/\S.*?(?:[.!?](?=\s)|$)/gs) ?? []
  return sentences.filter((one) => !withheld.some(({ name }) => isNamed(one, name))).join(' ')
}

/** A failure as it is told. */
export function hideUnavailableToolsInFailure(
  { hint, details, ...failure }: Failure,
  withheld: HiddenTools,
): Failure {
  const left = hint && hideToolNames(hint, withheld)
  return {
    ...failure,
    ...(left && { hint: left }),
    ...(details && { details: withFallback(details, withheld) }),
  }
}

/** One of the facts is a sentence of ours: what else to call. */
function withFallback({ fallback, ...facts }: NonNullable<Failure['details']>, withheld: HiddenTools) {
  const left = typeof fallback === 'string' && hideToolNames(fallback, withheld)
  return left ? { ...facts, fallback } : facts
}

/** A sentence in place of a result, and the note of one. Nothing else is ours to change. */
export function hideUnavailableTools(value: unknown, withheld: HiddenTools): unknown {
  if (typeof value === 'string') return hideToolNames(value, withheld) || value
  if (!isNoted(value)) return value
  const { note, ...rest } = value
  const left = hideToolNames(note, withheld)
  return left === note ? value : { ...rest, ...(left && { note: left }) }
}

function isNoted(value: unknown): value is { note: string } {
  return typeof value === 'object' && value !== null && 'note' in value && typeof value.note === 'string'
}

// A name that is a word of the language, too, is meant as one of a tool where a sentence begins with it. What stands in quotes
// or in a path is something else that goes by that name.
function isNamed(sentence: string, name: string): boolean {
  if (/^[a-z]+$/.test(name)) return sentence.startsWith(`${name} `)
  return new RegExp(`(?<![\\w"'/.-])${name}(?![\\w"'/-]|\\.\\w)`).test(sentence)
}
