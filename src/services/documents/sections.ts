// Sections by their headings. Exact names win over parts of names; the first in the document wins among equals.
import type { Section } from '../../model/document.js'
import { didYouMean } from '../../text/nearest.js'
import { headingPaths } from '../../text/outline.js'
import { type Miss, missing, short } from './names.js'

export interface Chosen {
  /** Its place among the document's sections. */
  place: number
  /** Heading paths of the others that fit just as well. */
  others: string[]
}

/** `Install`, `## Install`, `Guide / Install` and, where nothing is called so, any heading that has it in it. */
export function chooseSection(sections: readonly Section[], written: string): Chosen | null {
  const [exact, wanted] = [spaced(written), plain(written)]
  if (exact === '') return null
  const shown = headingPaths(sections)
  const paths = shown.map((path) => path.map(plain).join(' / '))
  const titles = sections.map(({ text }) => plain(text))
  const asPath = wanted.replace(/\s*(?:>|›|\/)\s*/g, ' / ')
  const asEnd = ` / ${asPath}`
  const fits = [
    (i: number) => spaced(sections[i]!.text) === exact,
    (i: number) => wanted !== '' && titles[i] === wanted,
    (i: number) => paths[i] === asPath || paths[i]!.endsWith(asEnd),
    (i: number) => wanted !== '' && titles[i]!.includes(wanted),
  ]
  for (const fit of fits) {
    const [place, ...more] = sections.flatMap((_, i) => (fit(i) ? [i] : []))
    if (place !== undefined) return { place, others: more.map((i) => shown[i]!.join(' / ')) }
  }
  return null
}

export interface Stretch {
  start: number
  end: number
  line: number
  endLine: number
}

/** From the heading to the end of what it covers, or only to the next heading of any level. Lines are whole. */
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
  const names = sections.map(({ text }) => text)
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
  return heading.trim().replace(/\s+/g, ' ').toLowerCase()
}

// Where no heading is written just so, spelling is compared without case, runs of spaces, Markdown's hashes and its marks for code and stress.
function plain(heading: string): string {
  return heading
    .trim()
    .replace(/^#{1,6}\s+/, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The break after the last line belongs to no line. */
function withoutBreak(text: string, start: number, end: number): number {
  if (end > start && text[end - 1] === '\n')
    return end - 1 > start && text[end - 2] === '\r' ? end - 2 : end - 1
  return end > start && text[end - 1] === '\r' ? end - 1 : end
}
