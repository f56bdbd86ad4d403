// Rare words of a question beat any similarity: the places that have them are named, whatever the ranking says.
import type { Library } from '../../answer/library.js'
import { fileOf } from '../../answer/library.js'
import { type ProjectListing, roleIn } from '../../answer/project-texts.js'
import type { StoredChunk } from '../../model/document.js'
import type { Scope } from '../../model/scope.js'
import { isSideRole } from '../../text/file-role.js'
import { isStopWord, terms } from '../../text/terms.js'
import { cutLine } from './lines.js'

const even = { title: 1, headings: 1, names: 1, body: 1 }
/**
 * A word in more chunks than this is not rare. An ordinary word must be rarer, in an index that is not small, and long: a
 * short one ("merely", "borne") that is rare is seldom about the subject.
 */
const mostHolders = 4
const ordinary = { holders: 2, ofChunks: 500, length: 7 }
const isTelling = /[\d_]|[a-z][A-Z]|^[A-Z]{2}/
const mostWords = 3
const mostPlaces = 3
const longestLine = 400

/** A rare word of the question, with the places that have it. */
export interface ExactPlace {
  word: string
  places: { path: string; line: number; text: string }[]
}

export async function exactPlaces(
  library: Library,
  listing: ProjectListing,
  question: string,
  scope: Scope,
): Promise<ExactPlace[]> {
  const words = [...new Set(question.match(/[\p{L}\p{N}_$]+(?:[.:/-][\p{L}\p{N}_$]+)*/gu) ?? [])].slice(0, 40)
  const seen = new Set<string>()
  const known = words.flatMap((word) => {
    const found = terms(word)
    const whole = found.find((one) => one.whole) ?? (found.length === 1 ? found[0] : undefined)
    if (!whole || isStopWord(whole.term) || word.length <= 2 || seen.has(whole.term)) return []
    seen.add(whole.term)
    return [{ word, term: whole.term }]
  })
  if (known.length === 0) return []
  const { chunks: size } = await library.store.counts()
  const { holders } = await library.store.rank({
    terms: known.map(({ term }) => ({ term, weight: 1 })),
    ...{ weights: even, scope, limit: 1 },
  })
  const most = (word: string) =>
    isTelling.test(word)
      ? mostHolders
      : size >= ordinary.ofChunks && word.length >= ordinary.length
        ? ordinary.holders
        : 0
  const rare = known.filter(({ word }, i) => holders[i]! > 0 && holders[i]! <= most(word)).slice(0, mostWords)
  const sources = new Map((await library.store.sources()).map((source) => [source.id, source]))
  return Promise.all(
    rare.map(async ({ word, term }) => {
      const { ranks } = await library.store.rank({
        terms: [{ term, weight: 1, required: true }],
        ...{ weights: even, scope, limit: mostHolders },
      })
      const chunks = await library.store.chunks(ranks.map(({ chunk }) => chunk))
      const places = chunks.flatMap((chunk) => {
        const source = sources.get(chunk.ref.source)
        const path = source ? fileOf(library, source, chunk.ref.path) : chunk.ref.path
        const place = { path, ...lineWith(chunk, word) }
        // A very long line of code is data, such as a list of words: that the word is in it says nothing.
        const isData = chunk.kind === 'code' && place.text.length > longestLine
        return isSideRole(roleIn(listing, path)) || isData ? [] : [place]
      })
      return { word, places }
    }),
  )
}

/** In one line; places that are shown already are left out. */
export function exactLines(
  found: readonly ExactPlace[],
  isShown: (place: { path: string; line: number }) => boolean,
): string[] {
  return found.flatMap(({ word, places }) => {
    const rest = places.filter((place) => !isShown(place)).slice(0, mostPlaces)
    const texts = rest.map(({ path, line, text }) => `${path}:${line}${text && ` ${cutLine(text, 120)}`}`)
    return texts.length === 0 ? [] : [`"${word}": ${texts.join(' | ')}`]
  })
}

/** The first line of a chunk that has the word, in any case; else its first. */
function lineWith({ text, line }: StoredChunk, word: string): { line: number; text: string } {
  const lines = text.split('\n')
  const lower = word.toLowerCase()
  const at = lines.findIndex((one) => one.toLowerCase().includes(lower))
  return at < 0 ? { line, text: '' } : { line: line + at, text: lines[at]!.trim() }
}
