// Amounts with their units, brought to one measure: a full day is not 300 seconds.

export interface Quantity {
  kind: 'seconds' | 'bytes' | 'percent' | 'plain'
  amount: number
}

export function quantitiesIn(text: string): Quantity[] {
  return [...text.toLowerCase().matchAll(form)].flatMap(([, number, word, unit]): Quantity[] => {
    const amount = number ? Number(number.replace(/,(?=\d{3})/g, '')) : (words[word!] ?? Number.NaN)
    if (!Number.isFinite(amount)) return []
    const known = units.find(([names]) => names.test(unit ?? ''))
    if (!known) return number ? [{ kind: 'plain', amount }] : []
    return [{ kind: known[1], amount: amount * known[2] }]
  })
}

/** Both speak of an amount of the same kind, and none of the one is any of the other's. */
export function amountsDiffer(one: readonly Quantity[], other: readonly Quantity[]): boolean {
  const bare = (all: readonly Quantity[]) => all.every(({ kind }) => kind === 'plain')
  return (['seconds', 'bytes', 'percent'] as const).some((kind) => {
    const of = (all: readonly Quantity[], against: readonly Quantity[]) =>
      all.filter(
        (q) => q.kind === kind || (q.kind === 'plain' && bare(all) && against.some((r) => r.kind === kind)),
      )
    const [mine, theirs] = [of(one, other), of(other, one)]
    return (
      mine.length > 0 && theirs.length > 0 && !mine.some((a) => theirs.some((b) => a.amount === b.amount))
    )
  })
}

const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
  half: 0.5,
}

const units: readonly (readonly [names: RegExp, kind: Quantity['kind'], factor: number])[] = [
  [/^(?:ms|milliseconds?)$/, 'seconds', 0.001],
  [/^(?:s|secs?|seconds?)$/, 'seconds', 1],
  [/^(?:mins?|minutes?)$/, 'seconds', 60],
  [/^(?:h|hrs?|hours?)$/, 'seconds', 3600],
  [/^(?:d|days?)$/, 'seconds', 86_400],
  [/^weeks?$/, 'seconds', 604_800],
  [/^months?$/, 'seconds', 2_592_000],
  [/^years?$/, 'seconds', 31_536_000],
  [/^(?:kb|kib|kilobytes?)$/, 'bytes', 1e3],
  [/^(?:mb|mib|megabytes?)$/, 'bytes', 1e6],
  [/^(?:gb|gib|gigabytes?)$/, 'bytes', 1e9],
  [/^(?:%|percent|per cent)$/, 'percent', 1],
]

const form = new RegExp(
  `(?<![\\w.])(?:(\\d+(?:[.,]\\d+)*)|(${Object.keys(words).join('|')}))[\\s-]*(?:full |whole |entire |solid )?(%|[a-z]+)?(?![a-z])`,
  'g',
)
