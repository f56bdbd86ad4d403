// Hints name tools. A sentence that names a tool that this client cannot use is removed.
import type { Failure } from './failure.js'

export type HiddenTools = readonly { name: string }[]

/** Removes the sentences that name one of these tools. */
export function hideToolNames(text: string, withheld: HiddenTools): string {
  if (!withheld.some(({ name }) => text.includes(name))) return text
  const sentences = text.match(/\S.*?(?:[.!?](?=\s)|$)/gs) ?? []
  return sentences.filter((one) => !withheld.some(({ name }) => isNamed(one, name))).join(' ')
}

/** Removes such sentences from the hint of a failure. */
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

/** `fallback` is a sentence too: it names another tool to call. */
function withFallback({ fallback, ...facts }: NonNullable<Failure['details']>, withheld: HiddenTools) {
  const left = typeof fallback === 'string' && hideToolNames(fallback, withheld)
  return left ? { ...facts, fallback } : facts
}

/** Removes such sentences from a result that is a sentence, and from the note of a result. */
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

// A name that is also an English word counts as a tool only at the start of a sentence. A name in quotes or in a path is
// something else.
function isNamed(sentence: string, name: string): boolean {
  if (/^[a-z]+$/.test(name)) return sentence.startsWith(`${name} `)
  return new RegExp(`(?<![\\w"'/.-])${name}(?![\\w"'/-]|\\.\\w)`).test(sentence)
}
