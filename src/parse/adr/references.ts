// How records name each other.
import { percentDecoded } from '../../text/percent-decoded.js'
import type { AdrReference } from './adr.js'
import { codeOf, isDated, stemOf } from './file-names.js'
import { evened, plain } from './plain.js'

/** Every reference in a text, in order: links, file names, numbers and names. */
export function referencesIn(written: string): AdrReference[] {
  const found: { at: number; reference: AdrReference }[] = []
  let rest = evened(written.slice(0, 4000))
  const take = (pattern: RegExp, read: (match: RegExpMatchArray) => AdrReference | null) => {
    for (const match of rest.matchAll(pattern)) {
      const reference = read(match)
      if (!reference) continue
      found.push({ at: match.index, reference })
      rest =
        rest.slice(0, match.index) + ' '.repeat(match[0].length) + rest.slice(match.index + match[0].length)
    }
  }
  take(/\[([^[\]\n]{1,300})\]\(([^()\s]{1,500})(?:\s+"[^"\n]{0,200}")?\)/g, (match) =>
    linked(match[1]!, match[2]!),
  )
  take(/\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g, (match) =>
    linked(match[2] ?? match[1]!, match[1]!),
  )
  take(url, ([address]) => linked(address.split('/').pop()!, address))
  take(fileName, (match) => linked(match[0], match[0]))
  take(/\b(?:M?ADRs?|LADR|decision(?: record)?s?|record)[\s_-]*#?(\d{1,5})(?![\d.-]\d)\b/gi, (match) =>
    numbered(match[0], match[1]!),
  )
  take(datedName, (match) => named(match[1]!))
  take(numberedName, (match) => numbered(match[1]!, match[1]!))
  return unique(found.sort((a, b) => a.at - b.at).map(({ reference }) => reference))
}

const url = /\bhttps?:\/\/[^\s<>()[\]"']{1,500}\.(?:md|mdx|markdown)\b/gi

// Files are named in letters of every script.
const sign = '\\p{L}\\p{M}\\p{N}'
const fileName = new RegExp(
  `(?<![${sign}_./-])(?:\\.{0,2}/)?(?:[${sign}_.-]{1,80}/){0,8}[${sign}_.-]{1,160}\\.(?:md|mdx|markdown|adoc)\\b`,
  'gu',
)
const datedName = new RegExp(
  `(?<![${sign}_./-])((?:\\d{8}|\\d{4}-\\d{2}-\\d{2})-[\\p{L}\\p{N}][${sign}-]{2,120})(?![${sign}_/])`,
  'gu',
)
const numberedName = new RegExp(`(?<![${sign}_./#-])(\\d{3,5}-\\p{L}[${sign}-]{2,120})(?![${sign}_/])`, 'gu')

/** The references in a field that holds nothing else: bare numbers and titles count there too. */
export function referencesOf(written: string): AdrReference[] {
  const found = referencesIn(written)
  if (found.length > 0) return found
  return written
    .split(/[,;]|\band\b/)
    .map((part) => plain(part))
    .filter((part) => !isNothing(part) && !/^[{<[]|^\d{4}-\d{2}-\d{2}$/.test(part))
    .slice(0, 20)
    .map((part) => {
      const number = /^#?(\d{1,5})(?:\b(?!\s*%)|$)/.exec(part)
      return number ? numbered(part, number[1]!) : named(part)
    })
}

/** Whether a field is empty in words: "None yet", "(none)", "n/a (current)", "None. This builds on ADR-4", "…". */
export function isNothing(value: string): boolean {
  return nothing.test(value)
}

const nothing =
  /^[^\p{L}\p{N}]*(?:(?:adr[-\s]*)?(?:none|n[/.]a|not (?:applicable|yet|superseded))\b.*|no|nothing|null|tb[acd]|todo|false|true|keine[rs]?|aucune?|ningun[oa]|nenhuma?|nessun[oa]|geen|brak|нет|无|無|暂无|なし|없음)?[^\p{L}\p{N}]*$/iu

function linked(label: string, target: string): AdrReference | null {
  const path = target.replace(/[?#].*$/, '')
  const text = plain(label)
  if (path === '') return null
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) && !/\.(?:md|mdx|markdown)$/i.test(path)) return externalNumber(text)
  return { text, number: numberIn(stemOf(path)) ?? numberIn(text), path: percentDecoded(path) }
}

// "[ADR-12](https://issues.example.org/…)" still names record 12.
function externalNumber(text: string): AdrReference | null {
  const match = /\bADR[\s_-]*#?(\d{1,5})\b/i.exec(text)
  return match ? numbered(text, match[1]!) : null
}

/** The number that a file name or a title carries; a date is no number. */
function numberIn(name: string): number | null {
  const last = name.split(/[\\/]/).pop() ?? name
  if (isDated(last)) return Number(codeOf(last)?.digits) || null
  const match =
    /^(?:[\p{L}]{0,12}[-_ ]?)?#?(\d{1,5})(?=[-_. :)–—]|$)/u.exec(last) ??
    /\bADR[\s_-]*#?(\d{1,5})\b/i.exec(last)
  return match ? Number(match[1]) : null
}

function numbered(text: string, digits: string): AdrReference {
  return { text: plain(text), number: Number.parseInt(digits, 10), path: null }
}

function named(text: string): AdrReference {
  return { text: plain(text).slice(0, 300), number: null, path: null }
}

/** Each record once: what gives only a number is the same as what links to one of that number. */
export function unique(references: readonly AdrReference[]): AdrReference[] {
  const linked = new Set(references.flatMap(({ number, path }) => (path === null ? [] : (number ?? []))))
  const isLinked = ({ number, path }: AdrReference) => path === null && number !== null && linked.has(number)
  const inPart = new Set(references.flatMap((one) => (one.partly && isLinked(one) ? one.number : [])))
  const seen = new Set<string>()
  return references
    .filter((one) => {
      const key =
        one.path?.replace(/^\.\//, '') ?? (one.number === null ? one.text.toLowerCase() : `#${one.number}`)
      return isLinked(one) || seen.has(key) ? false : seen.add(key)
    })
    .map((one) => (one.path !== null && inPart.has(one.number) ? { ...one, partly: true } : one))
}
