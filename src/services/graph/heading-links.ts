// Whether links lead to the heading that is a note's title: then it must stay when the note gets another.

import { readingOf } from '../../graph/resolve.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import { sameName } from '../../text/same-name.js'
import type { Spot } from './vaults.js'

/** In other notes, or in the note's own text. */
export function isHeadingLinked({ vault: { graph }, path }: Spot, text: string): boolean {
  const title = graph.notes.get(path)?.facts.title
  if (title === undefined) return false
  if (ownHeadings(text).some((heading) => names(heading, title))) return true
  return [...graph.incoming(path)].some((from) => {
    const { facts, resolved } = graph.notes.get(from)!
    return facts.links.some((link, i) => {
      if (resolved[i]?.path !== path || (link.heading ?? link.block) === null) return false
      const { heading } = readingOf(graph.candidates, from, link)
      return heading !== null && names(heading, title)
    })
  })
}

// `[[#Heading]]` and `[label](#heading)` name no note, so that the index does not have them. One in code keeps a heading that
// might have been changed: that costs nothing.
function ownHeadings(text: string): string[] {
  const found = text.matchAll(/\[\[#([^\]|\r\n]+)|\]\([ \t]*<?#([^)>\r\n]+)/g)
  return [...found].map(([, wiki, markdown]) => (wiki ?? markdown)!)
}

/** A heading is written as it is, percent-encoded, as a slug, or with those below it: `Title#Section`. */
function names(heading: string, title: string): boolean {
  const written = percentDecoded(heading)
  return [written, written.split('#', 1)[0]!].some((one) => plain(one) === plain(title))
}

/** Programs make slugs in different ways; the letters and digits are the same in all. */
function plain(words: string): string {
  const folded = sameName(words).trim()
  return folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || folded
}
