// A part of a document, which may begin or end in the middle of a chunk: small sections share one.
import type { StoredChunk } from '../model/document.js'
import type { WordRank } from '../store/port.js'
import { terms } from '../text/terms.js'
import type { WordsAsked } from './query.js'

/** The chunks of a part, each as far as it belongs to it. */
export type Part = ReadonlyMap<number, { chunk: StoredChunk; isWhole: boolean }>

/** Ranks in the part alone: what the rest of a chunk has does not count. */
export function narrowed(ranks: readonly WordRank[], asked: WordsAsked['terms'], part: Part): WordRank[] {
  return ranks
    .flatMap((rank) => {
      const here = part.get(rank.chunk)
      if (!here) return []
      return here.isWhole ? [rank] : recounted(rank, asked, here.chunk)
    })
    .sort((a, b) => b.score - a.score)
}

function recounted({ chunk, parts }: WordRank, asked: WordsAsked['terms'], here: StoredChunk): WordRank[] {
  const { text, title, headings, symbols, ref } = here
  const said = new Set(
    [text, title, ...headings, ...symbols, ref.path].flatMap(terms).map(({ term }) => term),
  )
  const left = parts.map((part, i) => (said.has(asked[i]!.term) ? part : 0))
  const score = left.reduce((sum, part) => sum + part, 0)
  return score > 0 ? [{ chunk, score, parts: left }] : []
}

export function inPart(chunks: readonly StoredChunk[], part: Part | undefined): readonly StoredChunk[] {
  return part ? chunks.flatMap(({ id }) => part.get(id)?.chunk ?? []) : chunks
}
