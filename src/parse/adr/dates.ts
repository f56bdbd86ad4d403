const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
// "Marked", "decided" and "declined" are no months.
const month = '(jan|feb|mar(?!k)|apr|may|jun|jul|aug|sep|oct|nov|dec(?![il]))[a-z]{0,6}\\.?'

/** The first date in a text as `2026-04-12`, or as much of it as is said. Of 05/02/2018 the day comes first. */
export function dateIn(text: string): string | null {
  const short = text.slice(0, 500)
  let best: { at: number; date: string } | null = null
  for (const { pattern, read } of forms) {
    const match = pattern.exec(short)
    const date = match && read(match.slice(1) as string[])
    if (date && (!best || match.index < best.at)) best = { at: match.index, date }
  }
  return best?.date ?? null
}

/** Every date that says a day or a month, written as `2026-04-12`, so that no mark in it parts a sentence. */
export function withPlainDates(text: string): string {
  return text.replace(anyDate, (date) => dateIn(date) ?? date)
}

/** A date and nothing else. */
export function isDate(text: string): boolean {
  return (
    text.length <= 60 && /^[^\p{L}\p{N}]*\d{4}-\d{2}(?:-\d{2})?[^\p{L}\p{N}]*$/u.test(withPlainDates(text))
  )
}

const anyDate = new RegExp(
  `(?<!\\d)(?:\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|\\d{1,2}(?:st|nd|rd|th)?[ -](?:of )?${month}[ ,-]+\\d{4}|${month} (?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{4})(?!\\d)`,
  'gi',
)

/** The date that a name begins with: `20260412-sign-webhooks`, `2026-04-12-sign-webhooks`, `2026-04-sign-webhooks`. */
export function dateOfName(name: string): string | null {
  const match = /^(\d{4})(-?)(\d{2})\2(\d{2})(?=\D|$)/.exec(name)
  if (match) return dated(match[1]!, match[3]!, match[4]!)
  return monthOfName.exec(name)?.[0] ?? null
}

/** Such a name has no number in front. */
export function isDated(name: string): boolean {
  return /^\d{4}-?\d{2}-?\d{2}(?!\d)/.test(name) || monthOfName.test(name)
}

const monthOfName = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])(?=[-_ ]\p{L})/u

interface Form {
  pattern: RegExp
  read(parts: string[]): string | null
}

const forms: readonly Form[] = [
  {
    pattern: /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/,
    read: ([y, m, d]) => dated(y!, m!, d!) ?? dated(y!, d!, m!),
  },
  {
    pattern: /(?<![\d/.-])(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?![\d/.-])/,
    read: ([a, b, y]) => dayOrMonthFirst(a!, b!, y!),
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?[ -](?:of )?${month}[ ,-]+(\\d{4})`, 'i'),
    read: ([d, m, y]) => dated(y!, monthOf(m!), d!),
  },
  {
    pattern: new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`, 'i'),
    read: ([m, d, y]) => dated(y!, monthOf(m!), d!),
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{4}),?[ -]${month}[ -](\\d{1,2})(?!\\d)`, 'i'),
    read: ([y, m, d]) => dated(y!, monthOf(m!), d!),
  },
  { pattern: new RegExp(`\\b${month},? (\\d{4})`, 'i'), read: ([m, y]) => `${y}-${monthOf(m!)}` },
  { pattern: /(?<!\d)(\d{4})-(0[1-9]|1[0-2])(?![\d-])/, read: ([y, m]) => `${y}-${m}` },
  { pattern: /(?<!\d)(\d{4})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/, read: ([y, m, d]) => dated(y!, m!, d!) },
]

function monthOf(name: string): string {
  return String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1).padStart(2, '0')
}

function dayOrMonthFirst(a: string, b: string, year: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  return Number(b) > 12 ? dated(full, a, b) : dated(full, b, a)
}

function dated(year: string, month: string, day: string): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (y < 1970 || y > 2199 || m < 1 || m > 12 || d < 1 || d > 31) return null
  return `${year}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}
