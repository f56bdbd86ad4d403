/** The result as text: a sentence as it is, anything else as compact JSON, complete. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}

/** The result as an object: lists, sentences, numbers and null sit under `result`, with their note beside them. */
export function structuredOf(value: unknown, note?: string): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Record<string, unknown>
  return { result: value ?? null, ...(note !== undefined && { note }) }
}
