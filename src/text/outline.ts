import type { Section } from '../model/document.js'

/** Headings in order, each with what it covers: up to the next heading of the same or a higher level. */
export function outline(
  text: string,
  starts: Uint32Array,
  headings: readonly { level: number; text: string; line: number }[],
): Section[] {
  const lastLine = starts[starts.length - 1] === text.length ? starts.length - 1 : starts.length
  const open: Section[] = []
  const sections = headings.map(({ level, text: title, line }) => {
    const start = starts[line - 1]!
    while (open.length > 0 && open[open.length - 1]!.level >= level)
      Object.assign(open.pop()!, { endLine: line - 1, end: start })
    const section = { level, text: title, line, endLine: Math.max(line, lastLine), start, end: text.length }
    open.push(section)
    return section
  })
  return sections
}

/** For each section the headings above it and its own, outermost first. */
export function headingPaths(sections: readonly Section[]): string[][] {
  const open: Section[] = []
  return sections.map((section) => {
    while (open.length > 0 && open[open.length - 1]!.level >= section.level) open.pop()
    open.push(section)
    return open.map(({ text }) => text)
  })
}
