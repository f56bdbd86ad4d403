// The months by the beginnings of their names in the languages that records are written in.
const months = [
  'jan|ene(?=ro)|gen(?=naio)|sty(?=cz)|янв',
  'feb|fev(?=ereiro)|fév(?=rier)|lut(?=ego|y)|фев',
  // "Marked", "decided" and "declined" are no months.
  'mar(?!k)|mär(?=z)|maa(?=rt)|мар',
  'apr|abr(?=il)|avr(?=il)|kwi(?=e)|апр',
  'may|mai(?=o?(?!\\p{L}))|mag(?=gio)|maj(?=a?(?!\\p{L}))|mei(?!\\p{L})|ма[йя]',
  'jun|juin|giu(?=gno)|cze(?=rw)|июн',
  'jul|jui(?=llet)|lug(?=lio)|lip(?=ca|iec)|июл',
  'aug|ago(?=sto)|ao[uû](?=t)|sie(?=rp)|авг',
  'sep|set(?=tembre|embro)|wrz(?=e)|сен',
  'oct|okt|out(?=ubro)|ott(?=obre)|paź|окт',
  'nov|lis(?=top)|ноя',
  'dec(?![il])|dez(?=em)|déc(?=em)|dic(?=iem|em)|gru(?=d)|дек',
]

/** One group: the name of a month. */
const month = `(?<!\\p{L})((?:${months.join('|')})\\p{L}{0,9})\\.?`

/** `07` of "July". */
function monthOf(name: string): string {
  const at = months.findIndex((beginning) => new RegExp(`^(?:${beginning})`, 'iu').test(name))
  return String(at + 1).padStart(2, '0')
}

/** The first date in a text as `2026-04-12`, or as much of it as is given. In 05/02/2018 the day comes first. */
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

/** "3rd of May 2024", "3. März 2024", "3 de maio de 2024". */
const dayFirst = `(\\d{1,2})(?:st|nd|rd|th|\\.)?[ -](?:of |de )?${month}[ ,-]+(?:de )?(\\d{4})`

const anyDate = new RegExp(
  `(?<!\\d)(?:\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|${dayFirst}|${month} (?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{4})(?!\\d)`,
  'giu',
)

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
    pattern: new RegExp(`(?<!\\d)${dayFirst}`, 'iu'),
    read: ([d, m, y]) => dated(y!, monthOf(m!), d!),
  },
  {
    pattern: new RegExp(`${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`, 'iu'),
    read: ([m, d, y]) => dated(y!, monthOf(m!), d!),
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{4}),?[ -]${month}[ -](\\d{1,2})(?!\\d)`, 'iu'),
    read: ([y, m, d]) => dated(y!, monthOf(m!), d!),
  },
  { pattern: new RegExp(`${month},? (?:de )?(\\d{4})`, 'iu'), read: ([m, y]) => `${y}-${monthOf(m!)}` },
  {
    pattern: /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})/u,
    read: ([y, m, d]) => dated(y!, m!, d!),
  },
  { pattern: /(?<!\d)(\d{4})-(0[1-9]|1[0-2])(?![\d-])/, read: ([y, m]) => `${y}-${m}` },
  { pattern: /(?<!\d)(\d{4})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/, read: ([y, m, d]) => dated(y!, m!, d!) },
]

function dayOrMonthFirst(a: string, b: string, year: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  return Number(b) > 12 ? dated(full, a, b) : dated(full, b, a)
}

function dated(year: string, month: string, day: string): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (y < 1970 || y > 2199 || m < 1 || m > 12 || d < 1 || d > 31) return null
  return `${year}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}
