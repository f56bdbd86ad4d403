// The headings that links lead to. A heading that is the note's title stays when the title changes, and a heading keeps its
// meaning when a link in it is rewritten.

import { lastSegment, withoutEnding } from '../../graph/names.js'
import { readingOf } from '../../graph/resolve.js'
import type { Link } from '../../model/document.js'
import { parseMarkdown } from '../../parse/markdown.js'
import { sameName } from '../../text/normal-forms.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import type { Spot } from './vaults.js'

/** In other notes, or in the note's own text. */
export function isHeadingLinked(spot: Spot, text: string): boolean {
  const title = spot.vault.graph.notes.get(spot.path)?.facts.title
  return title !== undefined && placesLinked(spot, text).some((heading) => names(heading, title))
}

/** Of some links, those in a heading that links lead to, as a place in the note or by its name. */
export function inLinkedHeading(spot: Spot, text: string, links: readonly Link[]): Set<Link> {
  // By line: one may have tens of thousands of links.
  const starts = new Map(links.map(({ line, start }) => [line, start]))
  for (const [line, start] of starts)
    if (!headingLine.test(text.slice(text.lastIndexOf('\n', start - 1) + 1))) starts.delete(line)
  if (starts.size === 0) return new Set()
  const linked = new Set([...placesLinked(spot, text), ...namesLinked(spot)].flatMap(formsOf))
  const { sections } = parseMarkdown(text)
  const lines = new Set(
    sections.flatMap(({ text: words, line }) => (words !== '' && linked.has(plain(words)) ? line : [])),
  )
  return new Set(links.filter(({ line }) => starts.has(line) && lines.has(line)))
}

/** A line that may be a heading, with the underline below it. */
const headingLine = /^ {0,3}#{1,6}[ \t]|^[^\r\n]*\r?\n {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/

/** The headings that links name. */
function placesLinked(spot: Spot, text: string): string[] {
  const { graph } = spot.vault
  const others = linksTo(spot).flatMap(({ from, link }) =>
    (link.heading ?? link.block) === null ? [] : (readingOf(graph.candidates, from, link).heading ?? []),
  )
  return [...ownHeadings(text), ...others]
}

/** The names that links call the note by, that of its file apart, which it keeps. */
function namesLinked(spot: Spot): string[] {
  const file = plain(withoutEnding(lastSegment(spot.path)))
  const all = linksTo(spot).map(({ link }) => withoutEnding(lastSegment(link.target)))
  return all.filter((name) => plain(percentDecoded(name)) !== file)
}

function linksTo({ vault: { graph }, path }: Spot): { from: string; link: Link }[] {
  return [...graph.incoming(path)].flatMap((from) => {
    const { facts, resolved } = graph.notes.get(from)!
    return facts.links.flatMap((link, i) => (resolved[i]?.path === path ? { from, link } : []))
  })
}

// `[[#Heading]]` and `[label](#heading)` name no note, so that the index does not have them. One in code keeps a heading
// that might have been changed: that costs nothing.
function ownHeadings(text: string): string[] {
  const found = text.matchAll(/\[\[#([^\]|\r\n]+)|\]\([ \t]*<?#([^)>\r\n]+)/g)
  return [...found].map(([, wiki, markdown]) => (wiki ?? markdown)!)
}

function names(heading: string, title: string): boolean {
  return formsOf(heading).includes(plain(title))
}

/**
 * The ways in which links write a heading: literally, percent-encoded, as a slug, or with the headings below:
 * `Title#Section`.
 */
function formsOf(heading: string): string[] {
  const written = percentDecoded(heading)
  return [written, written.split('#', 1)[0]!].map(plain)
}

/** Programs make slugs in different ways; the letters and digits are the same in all. */
function plain(words: string): string {
  const folded = sameName(words).trim()
  return folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || folded
}
