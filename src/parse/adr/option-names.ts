// Names of options compared, and the number or letter that stands before one. Case and marks do not count.

export function sameWords(a: string, b: string): boolean {
  const [one, other] = [letters(a), letters(b)]
  return one !== '' && (one === other || one.replace(code, '') === other || one === other.replace(code, ''))
}

/** "A1: Redis" in a heading, where the list has "Redis". */
const code = /^[a-z]\d{1,2} (?=\S)/

/** One is what the other says before a dash, a colon, a bracket or a comma: "Kafka" and "Kafka – a log". */
export function isHeadBeforeMark(a: string, b: string): boolean {
  return isHead(a, b, (long) => [...long.matchAll(/\s[–—-]\s|\s?[:(]|[,;.]\s/g)].map(({ index }) => index))
}

/** One is how the other begins: "Kafka" and "Kafka for all events", though it may be "Kafka Streams" as well. */
export function isHeadOfWords(a: string, b: string): boolean {
  return isHead(a, b, (long) => [...long.matchAll(/\s/g)].map(({ index }) => index))
}

function isHead(a: string, b: string, endsIn: (long: string) => number[]): boolean {
  const [short, long] = letters(a).length < letters(b).length ? [letters(a), b] : [letters(b), a]
  return short.length >= 3 && endsIn(long).some((end) => letters(long.slice(0, end)) === short)
}

export function letters(name: string): string {
  const spaced = name.includes('+') ? name.replace(/(?<=\p{L})\+(?=\p{L})/gu, ' + ') : name
  return spaced
    .toLowerCase()
    .replace(/["'“”‘’`*_()[\],.:;–—：，。、；（）「」·-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What an option is called where it has a number or a letter: "Option", "Вариант", "选项". */
export const optionNoun =
  '(?:(?:option|alternative|solution|approach|choice|variant|variante|lösung|opción|opção|opzione|opcja|optie|вариант)(?:\\s+|(?=#?\\d))|(?:选项|方案|選択肢|案|옵션|대안)\\s*)'
const called = new RegExp(
  `^[^\\p{L}\\p{N}]*${optionNoun}#?(?:(\\d{1,2})(?!\\d)|([a-z])(?=\\s*(?:[:：.)\\]·–—-]|$)))`,
  'iu',
)
const counted = /^\(?(\d{1,2}|[a-z])[.)]\s+/i

/** "2" of "Option 2: Redis", "b" of "(B) Redis". */
export function labelOf(written: string): string | null {
  const found = called.exec(written) ?? counted.exec(written)
  return found ? (found[1] ?? found[2]!).toLowerCase().replace(/^0(?=\d)/, '') : null
}

export function withoutLabel(written: string): string {
  return written.replace(label, '').replace(/^(?:\(?\d{1,2}[.)]|\(?[A-Z][.)])\s+/, '')
}

const label = new RegExp(`^${optionNoun}#?(?:\\d{1,2}|[a-z])\\s*[:：.)·–—-]\\s*`, 'iu')
