// From ranked chunks to passages worth reading: neighbours joined, repetitions dropped, no document crowding out the
// others, all within a budget; then their texts, and the headings above them.

import type { DocumentSummary, Section, StoredChunk, StoredDocument } from '../model/document.js'
import type { Copies } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import { type Ref, refKey } from '../model/source.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import { saturate, saturation } from '../text/bm25.js'
import { type Excerpt, excerpt } from '../text/excerpt.js'
import { headingPaths } from '../text/outline.js'
import { holdsRun, terms, writtenWords } from '../text/terms.js'
import { estimateTokens, tokens } from '../text/tokens.js'
import { fieldWeights, type WordsAsked } from './query.js'
import type { Candidate } from './relevance.js'

export interface Scored {
  chunk: StoredChunk
  score: number
}

/** Chunks in a row that are shown as one. The best of them speaks for it. */
export interface Passage {
  chunks: StoredChunk[]
  best: Earned
}

interface Earned extends Scored {
  /** Whose score it is: a block may have earned it for the section around it. */
  by: StoredChunk
}

export const longestPassage = 2800
/** A neighbour joins when it is at least this good, compared with the better one. */
const joins = 0.5

export interface Room {
  limit: number
  /**
   * How many passages one document may have while others have something about as good. With 1 it is documents that are
   * looked for: another passage of the same one comes only where no other document is left.
   */
  perDocument: number
  /** Whether each copy of a text has a place of its own. Otherwise one speaks for all. */
  copies?: boolean | undefined
  /** What is at least this relevant comes before all that is less, whatever documents they are of. */
  threshold?: number | undefined
}

export function passages(scored: readonly Scored[], room: Room): Passage[] {
  const joined = joinNeighbours(dropRepetitions(scored, textKey(room)))
  const claims = joined.map(claimOf(room))
  return joined
    .map((passage, i) => ({ passage, claim: claims[i]! }))
    .sort((a, b) => b.claim - a.claim)
    .slice(0, room.limit)
    .map(({ passage }) => passage)
    .sort((a, b) => b.best.score - a.best.score)
}

/** What a passage beyond its document's share counts for: one of another document goes first unless it is far worse. */
const beyondShare = 1 / 3

// The cap makes room for other documents; where they have nothing as good, it gives way. Equal claims keep their order.
function claimOf({ perDocument, threshold = 0 }: Room): (passage: Passage) => number {
  const taken = new Map<string, number>()
  return ({ best: { chunk, score } }) => {
    const key = refKey(chunk.ref)
    const before = taken.get(key) ?? 0
    taken.set(key, before + 1)
    const share = before < perDocument ? 1 : perDocument === 1 ? 0 : beyondShare
    return (score >= threshold ? 1 : 0) + share * score
  }
}

/** What of two chunks is equal when one of them is enough. */
export function textKey({ copies = false }: Room): (chunk: StoredChunk) => string {
  return copies ? (chunk) => `${refKey(chunk.ref)}\0${chunk.hash}` : ({ hash }) => hash
}

// A fenced block stands in its section's chunk and in one of its own, and files have copies: each is shown once. Of a block
// and the section around it the section is shown, with the better of their scores: it says what the block is for.
function dropRepetitions(scored: readonly Scored[], keyOf: (chunk: StoredChunk) => string): Earned[] {
  const kept: Earned[] = []
  const texts = new Set<string>()
  const byDocument = new Map<string, Earned[]>()
  for (const { chunk, score } of scored) {
    if (texts.has(keyOf(chunk))) continue
    const here = byDocument.get(refKey(chunk.ref)) ?? []
    const over = here.filter((other) => chunk.start < other.chunk.end && other.chunk.start < chunk.end)
    texts.add(keyOf(chunk))
    if (over.length > 0) {
      if (over.length === 1 && surrounds(chunk, over[0]!.chunk)) over[0]!.chunk = chunk
      continue
    }
    const one = { chunk, score, by: chunk }
    here.push(one)
    byDocument.set(refKey(chunk.ref), here)
    kept.push(one)
  }
  return kept
}

function surrounds(outer: StoredChunk, inner: StoredChunk): boolean {
  return outer.start <= inner.start && inner.end <= outer.end && outer.end - outer.start <= longestPassage
}

function joinNeighbours(scored: Earned[]): Passage[] {
  const list: Passage[] = []
  const byDocument = new Map<string, Passage[]>()
  for (const one of scored) {
    const key = refKey(one.chunk.ref)
    const here = byDocument.get(key) ?? []
    const home = here.find((passage) => fits(passage, one))
    if (home) {
      home.chunks = [...home.chunks, one.chunk].sort((a, b) => a.start - b.start)
      continue
    }
    const passage = { chunks: [one.chunk], best: one }
    list.push(passage)
    byDocument.set(key, [...here, passage])
  }
  return list
}

/** Fields in front of a document, in a chunk of their own below the line of signs that opens them. */
export function isFrontMatter({ index, start, line, headings, kind }: StoredChunk): boolean {
  return index === 0 && line === 2 && start >= 4 && start <= 5 && headings.length === 0 && kind === 'prose'
}

/** Of one document. */
function fits(passage: Passage, { chunk, score }: Scored): boolean {
  const [first, last] = [passage.chunks[0]!, passage.chunks.at(-1)!]
  if (isFrontMatter(chunk) || (isFrontMatter(first) && first === last))
    return beside(first, last, chunk) && lengthWith(first, last, chunk) <= longestPassage
  if (score < passage.best.score * joins) return false
  if (first.kind !== chunk.kind || first.headings.join('\0') !== chunk.headings.join('\0')) return false
  return beside(first, last, chunk) && lengthWith(first, last, chunk) <= longestPassage
}

function beside(first: StoredChunk, last: StoredChunk, chunk: StoredChunk): boolean {
  return chunk.index === last.index + 1 || chunk.index === first.index - 1
}

function lengthWith(first: StoredChunk, last: StoredChunk, chunk: StoredChunk): number {
  return Math.max(last.end, chunk.end) - Math.min(first.start, chunk.start)
}

/**
 * What a budget holds: the last text may be cut to what was asked for, and what comes after it is counted. `ending` closes a
 * cut text.
 */
export function fit<T extends Excerpt>(
  list: readonly T[],
  { asked, maxTokens, ending = () => '' }: Budget<T>,
): { fitting: (T & { cut: boolean })[]; notes: Note[] } {
  if (maxTokens === undefined) return { fitting: list.map((one) => ({ ...one, cut: false })), notes: [] }
  const fitting: (T & { cut: boolean })[] = []
  for (let left = maxTokens; fitting.length < list.length; ) {
    const one = list[fitting.length]!
    const { share, ...shown } = shareOf(one, asked, left, () => ending(one))
    if (fitting.length > 0 && shown.cut && share < smallestShare) break
    fitting.push({ ...one, ...shown })
    left -= estimateTokens(shown.text)
  }
  const more = list.length - fitting.length
  const message = `${more} more ${more === 1 ? 'passage' : 'passages'} did not fit max_tokens.`
  return { fitting, notes: more > 0 ? [{ code: 'cut', message }] : [] }
}

/** In tokens, what clients take of one answer without putting it aside; what a row has beside its text; what all texts may have. */
const roomOfAnswer = 10_000
const besideText = 60
const leastRoom = 5_000
/** What is shown even of the last ones, where that leaves half of the room to the first. */
const leastShown = 60

export interface Answering<T> {
  passage: T
  /** The question. */
  asked: string
}

/**
 * As they are shown where nobody set a budget, the best first: all of them, and once the room of an answer is used up, cut to
 * what was asked for.
 */
export function shortened<T extends Excerpt>(
  list: readonly Answering<T>[],
  ending: (passage: T) => string,
): Map<T, T & { cut: boolean }> {
  const room = Math.max(leastRoom, roomOfAnswer - besideText * list.length)
  const least = Math.max(smallestShare, Math.min(leastShown, Math.floor(room / 2 / list.length)))
  let left = Math.max(0, room - least * list.length)
  return new Map(
    list.map(({ passage, asked }) => {
      const { share: _, ...shown } = shareOf(passage, asked, left + least, () => ending(passage))
      left -= Math.max(0, estimateTokens(shown.text) - least)
      return [passage, { ...passage, ...shown }]
    }),
  )
}

export interface Budget<T> {
  /** The question. */
  asked: string
  maxTokens: number | undefined
  ending?: ((one: T) => string) | undefined
}

/** Less of a passage than this says nothing. */
const smallestShare = 24

// Where an ending would leave no room for the text itself, a mark tells of the cut.
function shareOf({ text, lines }: Excerpt, asked: string, left: number, ending: () => string) {
  if (estimateTokens(text) <= left) return { text, lines, share: left, cut: false }
  const end = ending()
  const share = left - estimateTokens(end)
  const closes = share >= smallestShare / 2
  const part = excerpt({ text, lines }, asked, tokens(closes ? share : left), closes ? '' : ' …')
  return { text: closes ? part.text + end : part.text, lines: part.lines, share, cut: true }
}

export type CopyCount = ReturnType<typeof countCopies>

/** Counts the documents that have the same text. It is shown once. */
export function countCopies() {
  const byText = new Map<string, Map<string, Ref>>()
  return {
    add(chunks: readonly StoredChunk[]) {
      for (const chunk of chunks) {
        const documents = byText.get(chunk.hash) ?? new Map<string, Ref>()
        byText.set(chunk.hash, documents.set(refKey(chunk.ref), chunk.ref))
      }
    },
    /** `areAll`: nothing else could have been found. */
    of(chunk: StoredChunk, areAll: boolean): { copies?: Copies } {
      const documents = new Map(byText.get(chunk.hash))
      documents.delete(refKey(chunk.ref))
      return documents.size > 0 ? { copies: { refs: [...documents.values()], areAll } } : {}
    },
  }
}

export interface ReadPassage {
  passage: Passage
  document: DocumentSummary
  text: string
}

/**
 * The passages with their documents, and with the text of all their lines: there may be more than blank lines between two
 * chunks (the fences of code, the dashes below front matter). A passage whose document was removed meanwhile is left out.
 */
export async function readPassages(store: Store, passages: readonly Passage[]): Promise<ReadPassage[]> {
  const documents = await documentsOf(store, passages)
  const documentAt = documentReader(store)
  const yieldIfDue = createYielder()
  const read: ReadPassage[] = []
  for (const passage of passages) {
    const { chunks } = passage
    const document = documents.get(refKey(chunks[0]!.ref))
    if (!document) continue
    const own = chunks.every(isNext) ? null : between((await documentAt(chunks[0]!.ref))?.text ?? '', chunks)
    read.push({ passage, document, text: own ?? withLineEnds(chunks) })
    await yieldIfDue()
  }
  return read
}

async function documentsOf(
  store: Store,
  passages: readonly Passage[],
): Promise<Map<string, DocumentSummary>> {
  const refs = passages.map(({ chunks }) => chunks[0]!.ref)
  const { documents } = await store.documents({ documents: refs }, { offset: 0, limit: refs.length })
  return new Map(documents.map((document) => [refKey(document.ref), document]))
}

type Chunks = Passage['chunks']

/** Several passages of one document read it once. */
function documentReader(store: Store): (ref: Ref) => Promise<StoredDocument | null> {
  const known = new Map<string, StoredDocument | null>()
  return async (ref) => {
    const key = refKey(ref)
    const document = known.get(key) ?? (await store.document(ref))
    known.set(key, document)
    return document
  }
}

/** As many characters as lines end there: nothing else stands before it, and the document need not be read. */
function isNext(chunk: Chunks[number], i: number, chunks: Chunks): boolean {
  const before = chunks[i - 1]
  return !before || (chunk.line > before.endLine && chunk.start - before.end === chunk.line - before.endLine)
}

/** From the first to the last; null when the document is another one by now. */
function between(text: string, chunks: Chunks): string | null {
  const isThere = chunks.every((chunk) => text.startsWith(chunk.text, chunk.start))
  return isThere ? text.slice(chunks[0]!.start, chunks.at(-1)!.end) : null
}

function withLineEnds(chunks: Chunks): string {
  let text = chunks[0]!.text
  for (let i = 1; i < chunks.length; i++)
    text += '\n'.repeat(Math.max(1, chunks[i]!.line - chunks[i - 1]!.endLine)) + chunks[i]!.text
  return text
}

/**
 * For each chunk the headings above the section in it that has most of what was asked for. Small sections share a chunk,
 * which is indexed under the heading of most of it.
 */
export async function headingsAbove(
  store: Store,
  found: readonly { chunk: StoredChunk; candidate: Candidate }[],
  asked: WordsAsked,
): Promise<Map<number, string[]>> {
  const above = new Map<number, string[]>()
  const documentAt = documentReader(store)
  const yieldIfDue = createYielder()
  for (const { chunk, candidate } of found) {
    if (!candidate.words || chunk.kind === 'code' || !mayHoldHeadings(chunk.text)) continue
    const sections = (await documentAt(chunk.ref))?.sections ?? []
    const best = bestOf(stretches(chunk, sections), asked, candidate.words.parts)
    if (best) above.set(chunk.id, pathOf(sections, best.section))
    await yieldIfDue()
  }
  return above
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
