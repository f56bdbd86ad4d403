import { exactness } from './exact.js'

/** What is known of a candidate, whatever the query and the collection. */
export interface Features {
  /** Null: the chunk has no vector (yet), or the search is by words alone. */
  cosine: number | null
  /** BM25 over the most that a chunk could have for this query, 0..1. */
  share: number
  /** How literally the passage has the question, 0..1 (exact.ts). */
  exact: number
  /** It is of a test, generated or another such file, and nobody asked for those (names.ts). */
  isAside?: boolean
}

// Fitted by evals/calibrate.ts; the fit and its reliability are in evals/runs/calibration.md.
const both = { bias: -5.01, cosine: 5.55, share: 3.33, exact: 3 }
const wordsOnly = { bias: -3.29, share: 5.44, exact: 3 }

/** Relevance in 0..1, comparable across queries and toolsets: rises with closeness in meaning and in words. */
export function relevance({ cosine, share, exact, isAside = false }: Features): number {
  const found =
    cosine === null
      ? wordsOnly.bias + wordsOnly.share * share + wordsOnly.exact * exact
      : both.bias + both.cosine * cosine + both.share * share + both.exact * exact
  const known = logistic(isAside ? found - aside : found)
  const least = isAside ? 0 : literal * exact
  const score = least + (1 - least) * known
  return exact < exactness.complete || score >= weak ? score : (weak + score) / 2
}

/**
 * Beside the fit, what is written is worth something however far the vector is: of questions around one rare word, five in a
 * hundred more have its passage among ten (evals/rare-words.ts), for two of 152 paraphrases that lose theirs.
 */
const literal = 0.1

/** In log-odds. A test has the words of what it tests, often more of them, and repeats its name. */
const aside = 1.2

/** What has all that was asked for is never as good as nothing, however long it is and whatever else it is about. */
const weak = 0.1

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}

/** A passage below this is hardly ever the answer. */
export const leastRelevance = 0.05

/**
 * Whether nothing speaks for a passage: its vector is far from the question's, it has little of what words could match, and
 * few of the words. Where all are so, the index has no answer. By words alone nobody can tell: a paraphrase shares as few
 * words with its answer as nonsense with anything. Chosen with evals/silence.ts.
 */
export function isWeak({
  cosine,
  share,
  said,
}: {
  cosine: number | null
  share: number
  said: number
}): boolean {
  return cosine !== null && cosine < weakest.cosine && share < weakest.share && said < weakest.said
}

const weakest = { cosine: 0.25, share: 0.24, said: 0.6 }
