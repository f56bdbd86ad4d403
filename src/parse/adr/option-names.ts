// Compares names of options, and reads the number or letter before a name. Case and punctuation do not count.
import type { AdrOption } from './adr.js'

/** Reads an option from an item, a row or a heading: its name, its label, and whether it was chosen. */
export function optionNamed(written: string, line: number, bold: string | null = null): AdrOption {
  const text = written.replace(/^\[[ xX]\]\s*/, '')
  const unlabelled = withoutLabel(text)
  const found = verdictIn(unlabelled)
  const verdict = found && found.at > 0 ? found : null
  return {
    name: bold ?? (verdict ? shortened(unlabelled.slice(0, verdict.at)) : nameIn(unlabelled)),
    label: labelOf(text),
    line,
    outcome: verdict?.outcome ?? 'listed',
  }
}

/** "A base class with hooks. They …": in a long text, the name is the first sentence. */
function nameIn(text: string): string {
  const sentence = /^(.{3,160}?)(?:\.\s|\s[–—-]\s|:\s)/.exec(text)
  return text.length > 160 && sentence ? sentence[1]! : shortened(text)
}

/** A longer text is no name, and comparing rows of thousands of signs would be slow. */
export function shortened(name: string): string {
  return name.slice(0, 300).trim()
}

/** Ways in which two names can be equal, the surest first. */
export const likenesses = [sameWords, isHeadBeforeMark, isHeadOfWords]

export function sameWords(a: string, b: string): boolean {
  const [one, other] = [letters(a), letters(b)]
  return one !== '' && (one === other || one.replace(code, '') === other || one === other.replace(code, ''))
}

/** "A1: Redis" in a heading, where the list has "Redis". */
const code = /^[a-z]\d{1,2} (?=\S)/

/** One is the part of the other before a dash, a colon, a bracket or a comma: "Kafka" and "Kafka – a log". */
function isHeadBeforeMark(a: string, b: string): boolean {
  return isHead(a, b, (long) => [...long.matchAll(/\s[–—-]\s|\s?[:(]|[,;.]\s/g)].map(({ index }) => index))
}

/** One is the beginning of the other: "Kafka" and "Kafka for all events". It may wrongly match "Kafka Streams". */
function isHeadOfWords(a: string, b: string): boolean {
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

/** The noun before an option's number or letter: "Option", "Вариант", "选项". */
export const optionNoun =
  '(?:(?:option|alternative|solution|approach|choice|variant|variante|lösung|opción|opção|opzione|opcja|optie|вариант)(?:\\s+|(?=#?\\d))|(?:选项|方案|選択肢|案|옵션|대안)\\s*)'
const called = new RegExp(
  `^[^\\p{L}\\p{N}]*${optionNoun}#?(?:(\\d{1,2})(?!\\d)|([a-z])(?=\\s*(?:[:：.)\\]·–—-]|$)))`,
  'iu',
)
const counted = /^\(?(\d{1,2}|[a-z])[.)]\s+/i

/** Whether the text names itself an option: "Option 2: Redis". */
export function isCalledOption(written: string): boolean {
  return called.test(written)
}

/** "2" of "Option 2: Redis", "b" of "(B) Redis". */
export function labelOf(written: string): string | null {
  const found = called.exec(written) ?? counted.exec(written)
  return found ? (found[1] ?? found[2]!).toLowerCase().replace(/^0(?=\d)/, '') : null
}

export function withoutLabel(written: string): string {
  return written.replace(label, '').replace(/^(?:\(?\d{1,2}[.)]|\(?[A-Z][.)])\s+/, '')
}

const label = new RegExp(`^${optionNoun}#?(?:\\d{1,2}|[a-z])\\s*[:：.)·–—-]\\s*`, 'iu')

// Verdicts within a list of options: chosen or rejected.

interface Verdict {
  outcome: 'chosen' | 'rejected'
  /** The offset of the verdict's words. */
  at: number
}

/** "Hooks. Rejected: they grow", "Types (preferred)", "Redis ✅", "自研（已选）". Null without a verdict. */
function verdictIn(text: string): Verdict | null {
  const found = forms
    .map(({ outcome, pattern }) => ({ outcome, match: pattern.exec(text) }))
    .filter(({ match }) => match)
    .sort((a, b) => a.match!.index - b.match!.index)[0]
  if (!found) return null
  const at = found.match!.index
  return { outcome: found.outcome, at }
}

/** Words alone, as in the cell of a table. */
export function verdictOf(text: string): Verdict['outcome'] | null {
  return verdictIn(`: ${text}`)?.outcome ?? null
}

const refused =
  'rejected|refused|declined|discarded|dismissed|not chosen|ruled out|verworfen|abgelehnt|ausgeschlossen|écartée?s?|rejetée?s?|non retenue?s?|descartad[oa]s?|rechazad[oa]s?|rejeitad[oa]s?|scartat[oaei]|odrzucon\\p{L}+|отклон[её]н\\p{L}*|отвергнут\\p{L}*'
const chosenWords =
  'gewählt|ausgewählt|retenue?s?|choisie?s?|elegid[oa]s?|seleccionad[oa]s?|escolhid[oa]s?|selecionad[oa]s?|scelt[oa]|selezionat[oa]|wybran\\p{L}+|выбран\\p{L}*|принят\\p{L}*'
const refusedSigns = '(?:被|已)?(?:否决|拒绝)|[不未](?:采用|采纳|採用)|却下|기각|否'
const takenSigns = '(?:本次|已)?(?:采纳|采用|选定|选择)|已选|採用(?:済み)?|채택|선택'

// The lookbehind avoids a search from every sign in a row of signs.
const mark = '(?<![\\s.(（:：;,·–—-])[\\s.(（:：;,·–—-]+'
/** In other languages a word may well go on: "elegida por el cliente". */
const ends = '(?=\\s*(?:[).,;:–—-]|$))'
const closed = '(?=\\s*(?:[)）。.;；—–]|$))'

const forms: readonly { outcome: Verdict['outcome']; pattern: RegExp }[] = [
  { outcome: 'rejected', pattern: new RegExp(`${mark}(?:${refused})(?!\\p{L})`, 'iu') },
  { outcome: 'rejected', pattern: new RegExp(`${mark}(?:${refusedSigns})${closed}`, 'u') },
  {
    outcome: 'chosen',
    pattern: new RegExp(`${mark}(?:chosen|selected|preferred|picked|recommended)(?!\\p{L})`, 'iu'),
  },
  { outcome: 'chosen', pattern: new RegExp(`${mark}(?:${chosenWords})${ends}`, 'iu') },
  { outcome: 'chosen', pattern: new RegExp(`${mark}(?:✅\\s*)?(?:${takenSigns})${closed}`, 'u') },
  { outcome: 'chosen', pattern: /(?<!\s)\s*[✅☑✔🏆]\uFE0F?\s*$/u },
]
