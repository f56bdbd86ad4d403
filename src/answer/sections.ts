// Sections by their headings. Exact names win over parts of names; the first in the document wins among equals.
import type { Section } from '../model/document.js'
import { didYouMean } from '../text/nearest.js'
import { sameName } from '../text/normal-forms.js'
import { headingPaths } from '../text/outline.js'
import { missing, short } from './collections.js'
import type { Miss } from './find-passages.js'

export interface Chosen {
  /** Its place among the document's sections. */
  place: number
  /** How many fit just as well. */
  more: number
  /** Names by which a request can mean one of those. */
  others: string[]
}

const mostOthers = 5

/**
 * `Install`, `## Install`, `Guide / Install` and, where nothing is called so, any heading that has it in it. `Install (2)`
 * is the second of those that `Install` fits; where a heading is called that, it comes first and the other is `Install (2)
 * (2)`.
 */
export function chooseSection(sections: readonly Section[], written: string): Chosen | null {
  const spelled = spellingsOf(sections)
  const [place, ...more] = fitting(spelled, written)
  if (place === undefined) return null
  const others = more.slice(0, mostOthers).map((other) => nameFor(spelled, other))
  return { place, more: more.length, others }
}

/** Says that there are more, and how to get at them. */
export function firstOf({ more, others }: Pick<Chosen, 'more' | 'others'>): string {
  const names = others.map((name) => `"${name}"`).join(', ')
  return `The first of ${more + 1} that fit; also ${names}${more > others.length ? ' …' : ''}.`
}

interface Spellings {
  exact: string[]
  titles: string[]
  paths: string[]
  /** As they are shown. */
  shown: string[][]
}

function spellingsOf(sections: readonly Section[]): Spellings {
  const shown = headingPaths(sections)
  return {
    exact: sections.map(({ text }) => spaced(text)),
    titles: sections.map(({ text }) => plain(text)),
    paths: shown.map((path) => parted(path.map(plain).join(' / '))),
    shown,
  }
}

/** The places that a name fits, by the strictest way of reading it that fits any. */
function fitting(spelled: Spellings, written: string): number[] {
  const strict = numbered(named, spelled, written)
  return strict.length > 0 ? strict : numbered(holding, spelled, written)
}

/** More numbers after a name than anybody needs are part of the name. */
const mostNumbers = 8

function numbered(reading: typeof named, spelled: Spellings, written: string, depth = 0): number[] {
  const places = reading(spelled, written)
  const last = depth < mostNumbers ? numberedName(written) : null
  const nth = last && numbered(reading, spelled, last.name, depth + 1)[last.number - 1]
  return typeof nth !== 'number' || places.includes(nth) ? places : [...places, nth]
}

function named({ exact, titles, paths }: Spellings, written: string): number[] {
  const [spelling, wanted] = [spaced(written), plain(written)]
  if (spelling === '') return []
  const asPath = parted(wanted)
  const asEnd = ` / ${asPath}`
  return (
    [
      (i: number) => exact[i] === spelling,
      (i: number) => wanted !== '' && titles[i] === wanted,
      (i: number) => paths[i] === asPath,
      (i: number) => paths[i]!.endsWith(asEnd),
    ]
      .map((fits) => placesThat(titles, fits))
      .find((places) => places.length > 0) ?? []
  )
}

function parted(path: string): string {
  return path.replace(/\s*(?:>|›|\/)\s*/g, ' / ')
}

function holding({ titles }: Spellings, written: string): number[] {
  const wanted = plain(written)
  return wanted === '' ? [] : placesThat(titles, (i) => titles[i]!.includes(wanted))
}

function placesThat(all: readonly string[], fits: (place: number) => boolean): number[] {
  return all.flatMap((_, i) => (fits(i) ? [i] : []))
}

function numberedName(written: string): { name: string; number: number } | null {
  const open = written.lastIndexOf('(')
  const [, number] = open < 1 ? [] : (/^\((\d{1,6})\)\s*$/.exec(written.slice(open)) ?? [])
  return number === undefined ? null : { name: written.slice(0, open).trimEnd(), number: Number(number) }
}

/** A name that leads to this place and to no other: its path, with its numbers among equals where it needs them. */
function nameFor(spelled: Spellings, place: number): string {
  const shown = spelled.shown[place]!
  const [path, title] = [shown.join(' / '), shown.at(-1)!]
  const names = [path, title].flatMap((name) => leadingTo(spelled, place, { name, numbers: 0 }))
  return names.sort((a, b) => a.numbers - b.numbers)[0]?.name ?? path
}

interface Numbered {
  name: string
  numbers: number
}

function leadingTo(spelled: Spellings, place: number, { name, numbers }: Numbered): Numbered[] {
  const at = fitting(spelled, name).indexOf(place)
  if (at < 0 || numbers > mostNumbers) return []
  if (at > 0) return leadingTo(spelled, place, { name: `${name} (${at + 1})`, numbers: numbers + 1 })
  return [{ name, numbers: Math.max(1, numbers) }]
}

export interface Stretch {
  start: number
  end: number
  line: number
  endLine: number
}

/** From the heading to the end of its section, or only to the next heading of any level. Lines are whole. */
export function stretchOf(
  { sections, text }: { sections: readonly Section[]; text: string },
  place: number,
  includeSubsections: boolean,
): Stretch {
  const { start, end, line, endLine } = sections[place]!
  const next = sections[place + 1]
  const whole = includeSubsections || !next || next.line > endLine
  const stretch = whole
    ? { start, end, line, endLine }
    : { start, end: next.start, line, endLine: next.line - 1 }
  return { ...stretch, end: withoutBreak(text, stretch.start, stretch.end) }
}

export function sectionMiss(sections: readonly Section[], section: string, document: string): Miss {
  const names = sections.map(({ text }) => text).filter((text) => text !== '')
  const hint =
    didYouMean(section, names) ??
    (names.length === 0
      ? 'It has no headings: documents_get_document returns its text.'
      : `Its sections: ${names
          .slice(0, 12)
          .map((name) => `"${short(name)}"`)
          .join(', ')}${names.length > 12 ? ' …' : ''}.`)
  return missing(`Section "${short(section)}" not found in document "${short(document)}".`, hint)
}

function spaced(heading: string): string {
  return sameName(heading).trim().replace(/\s+/g, ' ')
}

// Where no heading is written just so, spelling is compared without case, runs of spaces, Markdown's hashes and its marks
// for code and stress.
function plain(heading: string): string {
  return sameName(heading)
    .trim()
    .replace(/^#{1,6}\s+/, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The break after the last line belongs to no line. */
function withoutBreak(text: string, start: number, end: number): number {
  if (end > start && text[end - 1] === '\n')
    return end - 1 > start && text[end - 2] === '\r' ? end - 2 : end - 1
  return end > start && text[end - 1] === '\r' ? end - 1 : end
}
