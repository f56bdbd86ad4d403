// A reader of its own, small and plain: the sets are checked without the parsers that they will judge.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export interface Section {
  heading: string
  text: string
}

export interface Page {
  title: string
  /** The text with accents, case and runs of white space evened out. */
  folded: string
  /** Letters and digits only, so that `retryBudget`, `retry_budget` and "retry budget" are the same. */
  squeezed: string
  text: string
  sections: Section[]
}

export type Pages = Map<string, Page>

export function pagesOf(folder: string): Pages {
  const paths = filesBelow(folder).map((file) => relative(folder, file).split(sep).join('/'))
  return new Map(paths.sort().map((path) => [path, pageOf(path, readFileSync(join(folder, path)))]))
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}

export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').replace(/\s+/g, ' ').toLowerCase()
}

export function squeezed(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '')
}

function pageOf(path: string, bytes: Buffer): Page {
  const text = path.endsWith('.pdf') ? pdfText(bytes) : bytes.toString('utf8')
  const sections = sectionsOf(path, text)
  const title = text.match(/^---\n[\s\S]*?^title: *(.*)$[\s\S]*?^---$/m)?.[1] ?? sections[1]?.heading ?? ''
  return { title, folded: folded(text), squeezed: squeezed(text), text, sections }
}

/** Markdown and HTML by their headings, the paper by its numbered lines, anything else as one piece. */
function sectionsOf(path: string, text: string): Section[] {
  if (/\.mdx?$/.test(path)) return markdownSections(text)
  const boundary = path.endsWith('.html') ? /(?=<h\d[^>]*>)/ : /\n(?=\d {2}[A-Z]|Abstract|Acknowledgements)/
  if (!/\.(html|pdf)$/.test(path)) return [{ heading: '', text }]
  const parts = text.split(boundary).map((part) => ({ heading: plain(firstLine(part)), text: part }))
  return path.endsWith('.pdf') ? [{ heading: '', text: '' }, ...parts] : parts
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}

function markdownSections(text: string): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }]
  const lines = text.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n')
  let fenced = false
  for (const [i, line] of lines.entries()) {
    if (/^\s*```/.test(line)) fenced = !fenced
    const heading = fenced ? undefined : (line.match(/^#{1,6} (.*)$/)?.[1] ?? setext(line, lines[i + 1]))
    if (heading !== undefined) sections.push({ heading: plain(heading), text: '' })
    sections.at(-1)!.text += `${line}\n`
  }
  // Decisions carry their number in the title; the words alone are what people ask for.
  const title = sections[1]
  if (title) title.heading = title.heading.replace(/^(ADR \d+: |\d+\. )/, '')
  return sections
}

function setext(line: string, next: string | undefined): string | undefined {
  return /^\p{L}/u.test(line) && next !== undefined && /^(={3,}|-{3,})$/.test(next) ? line : undefined
}

function plain(heading: string): string {
  return heading
    .replace(/<[^>]*>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
}

// Enough for the paper that scripts/sample-pdf.mjs writes: every line is one string, shown as it stands.
function pdfText(bytes: Buffer): string {
  const shown = bytes.toString('latin1').matchAll(/\((.*)\) Tj/g)
  return [...shown].map((match) => match[1]!.replace(/\\([\\()])/g, '$1')).join('\n')
}
