// Small sections share a chunk, which is indexed under the heading of most of it. What was found in it may stand under
// another.

import type { Section, StoredChunk } from '../model/document.js'
import { type Ref, refKey } from '../model/source.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import { saturate, saturation } from '../text/bm25.js'
import { headingPaths } from '../text/outline.js'
import { holdsRun, writtenWords } from '../text/phrase.js'
import { terms } from '../text/terms.js'
import { fieldWeights } from './field-weights.js'
import type { Candidate } from './fuse.js'
import type { WordsAsked } from './query.js'

/** For each chunk the headings above the section in it that has most of what was asked for. */
export async function headingsAbove(
  store: Store,
  found: readonly { chunk: StoredChunk; candidate: Candidate }[],
  asked: WordsAsked,
): Promise<Map<number, string[]>> {
  const above = new Map<number, string[]>()
  const sectionsOf = reading(store)
  const yieldIfDue = createYielder()
  for (const { chunk, candidate } of found) {
    if (!candidate.words || chunk.kind === 'code' || !mayHoldHeadings(chunk.text)) continue
    const sections = await sectionsOf(chunk.ref)
    const best = bestOf(stretches(chunk, sections), asked, candidate.words.parts)
    if (best) above.set(chunk.id, pathOf(sections, best.section))
    await yieldIfDue()
  }
  return above
}

/** Several hits of one document read it once. */
function reading(store: Store): (ref: Ref) => Promise<Section[]> {
  const known = new Map<string, Section[]>()
  return async (ref) => {
    const key = refKey(ref)
    const sections = known.get(key) ?? (await store.document(ref))?.sections ?? []
    known.set(key, sections)
    return sections
  }
}

/** A line below the first that looks like a heading in any markup. The document is read only then. */
function mayHoldHeadings(text: string): boolean {
  return signed.test(text) || underlined.test(text)
}

const signed = /\n {0,3}(?:[#=*]{1,6}[ \t]|<h[1-6]\b)/i
const underlined = /\S[ \t]*\r?\n {0,3}([=\-~^"'+#*.:_])\1+[ \t]*(?:\r|\n|$)/

interface Stretch {
  /** Its place among the sections; -1 above the first heading. */
  section: number
  heading: string
  text: string
}

function stretches({ start, end, text }: StoredChunk, sections: readonly Section[]): Stretch[] {
  const first = sections.findLastIndex((section) => section.start <= start)
  const inside = sections.flatMap((section, i) => (section.start > start && section.start < end ? [i] : []))
  const all = [first, ...inside]
  return all.map((section, i) => ({
    section,
    heading: sections[section]?.text ?? '',
    text: text.slice(
      i === 0 ? 0 : sections[section]!.start - start,
      i + 1 < all.length ? sections[all[i + 1]!]!.start - start : undefined,
    ),
  }))
}

function bestOf(all: readonly Stretch[], asked: WordsAsked, parts: readonly number[]): Stretch | null {
  if (all.length < 2) return null
  const scored = all.map((stretch) => ({ stretch, score: scoreOf(stretch, asked, parts) }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score > 0 ? best.stretch : null
}

/** By what each word is worth in the chunk. A stretch that has the quoted phrase comes before any that has not. */
function scoreOf(
  { heading, text }: Stretch,
  { terms: words, phrases }: WordsAsked,
  parts: readonly number[],
): number {
  const counts = new Map<string, number>()
  const count = (place: string, weight: number) => {
    for (const { term } of terms(place)) counts.set(term, (counts.get(term) ?? 0) + weight)
  }
  count(text, fieldWeights.body)
  count(heading, fieldWeights.headings)
  const score = words.reduce((sum, { term }, i) => sum + saturate(counts.get(term) ?? 0) * parts[i]!, 0)
  const written = phrases.length > 0 ? writtenWords(text) : []
  const held = phrases.filter((phrase) => holdsRun(written, phrase)).length
  return score + held * saturation * parts.reduce((sum, part) => sum + part, 0)
}

function pathOf(sections: readonly Section[], place: number): string[] {
  return (headingPaths(sections)[place] ?? []).filter((heading) => heading !== '')
}
