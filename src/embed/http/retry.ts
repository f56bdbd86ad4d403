// When to try again.

const firstDelay = 500
const longestDelay = 30_000

/** Doubles with every attempt; anywhere in the upper half, so that many clients do not come back at the same moment. */
export function backOff(attempt: number, random: () => number): number {
  const most = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1))
  return most * (0.5 + random() / 2)
}

/** Milliseconds that the service asks to wait: from `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryDelay(
  headers: Record<string, string | string[] | undefined>,
  today = Date.now(),
): number | null {
  const milliseconds = positive(headers['retry-after-ms'])
  if (milliseconds !== null) return milliseconds
  const seconds = positive(headers['retry-after'])
  if (seconds !== null) return seconds * 1000
  const text = String(headers['retry-after'] ?? '')
  // Date.parse takes nearly anything for a year; a date of this header has a month in letters and a time.
  const date = /[a-z]{3}.*\d:\d/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - today)
}

function positive(value: string | string[] | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) && number >= 0 ? number : null
}
