// Fits the map from a candidate's figures to its relevance and from there to the score that is shown, and shows in each mode
// how reliable the score is on sets that the fit has not seen.
//   npm run evals -- calibrate
//   npm run evals -- calibrate samples.json      keeps the samples, to fit again without asking again
// The printed weights go into src/retrieve/relevance.ts and score.ts; evals/runs/calibration.md keeps the figures of that run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { SearchMode } from '../src/model/hit.js'
import { longest } from '../src/retrieve/score.js'
import { embedder, type JudgedName, openJudged } from './judged.js'

interface Sample {
  cosine: number
  share: number
  exact: number
  /** How many terms the question has. */
  asked: number
  relevance: number
  score: number
  relevant: boolean
}

interface Weights {
  bias: number
  cosine: number
  share: number
  exact: number
}

// Chosen, not fitted, since they decide the order: known items come first even where a fit over all questions would care
// little for them, and words weigh against meaning as they do best on judged sets (npm run evals -- fusion).
const literal = 3
const wordsToMeaning = 0.6

const fitted: JudgedName[] = ['cranfield', 'library-known-items', 'library-paraphrase']
const heldOut: JudgedName[] = ['docs-known-items', 'docs-paraphrase', 'limit-small']

const samplesFile = process.argv.find((word) => word.endsWith('.json'))
const modes: SearchMode[] = ['hybrid', 'vector', 'rerank', 'text']
const sets = new Map<string, Record<SearchMode, Sample[]>>(
  samplesFile && existsSync(samplesFile) ? JSON.parse(readFileSync(samplesFile, 'utf8')) : [],
)
const model = embedder()
for (const name of sets.size > 0 ? [] : [...fitted, ...heldOut]) {
  const judged = await openJudged(name, model)
  if (!judged) continue
  const samples: Record<SearchMode, Sample[]> = { hybrid: [], vector: [], rerank: [], text: [] }
  for (const { text, relevant } of judged.questions)
    for (const mode of modes) {
      const { hits } = await judged.ask(text, { mode, explain: true })
      for (const { ref, relevance, score, explain } of hits)
        samples[mode].push({
          cosine: explain!.meaning?.cosine ?? 0,
          share: explain!.words?.share ?? 0,
          exact: explain!.exact,
          asked: Object.keys(explain!.terms).length,
          relevance,
          score,
          relevant: relevant.has(ref.path),
        })
    }
  await judged.close()
  sets.set(name, samples)
}
await model.close()
if (samplesFile) writeFileSync(samplesFile, JSON.stringify([...sets]))

const pick = (names: JudgedName[], mode: SearchMode) =>
  names.flatMap((name) => balanced(sets.get(name)?.[mode] ?? []))
for (const [label, mode] of [
  ['both', 'hybrid'],
  ['words alone', 'text'],
] as const) {
  const rows = pick(fitted, mode)
  console.log(`relevance, ${label}:`, JSON.stringify(rounded(fit(rows, mode === 'hybrid'))))
  console.log(`length, ${label}:`, JSON.stringify(rounded(fitLength(rows))))
}
console.table(
  [...fitted, ...heldOut].map((name) => ({
    set: `${name}${heldOut.includes(name) ? ' (held out)' : ''}`,
    ...Object.fromEntries(modes.map((mode) => [mode, errors(sets.get(name)?.[mode] ?? [])])),
  })),
)
for (const mode of ['hybrid', 'text'] as const) {
  console.log(`All held out, ${mode}`)
  for (const { from, mean, share, count } of curve(pairs(pick(heldOut, mode))))
    console.log(`   ${from.toFixed(1)}  said ${mean.toFixed(2)}  was ${share.toFixed(2)}  (${count})`)
}

/** Of the relevance and of the score. */
function errors(rows: readonly Sample[]): string {
  const before = calibrationError(rows.map(({ relevance, relevant }) => [relevance, relevant]))
  return `${before.toFixed(3)} → ${calibrationError(pairs(rows)).toFixed(3)}`
}

function pairs(rows: readonly Sample[]): [number, boolean][] {
  return rows.map(({ score, relevant }) => [score, relevant])
}

/** Every set counts the same, whatever its size. */
function balanced(rows: Sample[]): (Sample & { weight: number })[] {
  return rows.map((row) => ({ ...row, weight: 1000 / rows.length }))
}

function predict(w: Weights, { cosine, share, exact }: Sample): number {
  return 1 / (1 + Math.exp(-(w.bias + w.cosine * cosine + w.share * share + w.exact * exact)))
}

/** Logistic regression by plain gradient descent, with a little weight decay; no coefficient may be negative. */
function fit(rows: (Sample & { weight: number })[], withCosine: boolean): Weights {
  const w: Weights = { bias: -2, cosine: withCosine ? 4 : 0, share: 4, exact: literal }
  const total = rows.reduce((sum, { weight }) => sum + weight, 0)
  for (let step = 0; step < 6000; step++) {
    const g: Weights = { bias: 0, cosine: 0, share: 0, exact: 0 }
    for (const row of rows) {
      const error = (predict(w, row) - (row.relevant ? 1 : 0)) * row.weight
      g.bias += error
      g.cosine += error * row.cosine
      g.share += error * row.share
      g.exact += error * row.exact
    }
    for (const key of Object.keys(w) as (keyof Weights)[])
      w[key] -= (2 * g[key]) / total + (key === 'bias' ? 0 : 0.00002 * w[key])
    if (!withCosine) w.cosine = 0
    w.exact = literal
    if (withCosine) w.share = w.cosine * wordsToMeaning
    for (const key of ['cosine', 'share', 'exact'] as const) w[key] = Math.max(0, w[key])
  }
  return w
}

/** What the length of a question adds to the log-odds of a relevance. */
function fitLength(rows: (Sample & { weight: number })[]): { bias: number; length: number } {
  const w = { bias: 0, length: 0 }
  const known = rows.map(({ relevant, weight, asked, relevance }) => ({
    odds: Math.log(Math.max(1e-6, relevance) / Math.max(1e-6, 1 - relevance)),
    length: Math.log(Math.max(1, Math.min(longest, asked))),
    ...{ relevant, weight },
  }))
  const total = known.reduce((sum, { weight }) => sum + weight, 0)
  for (let step = 0; step < 20_000; step++) {
    const g = { bias: 0, length: 0 }
    for (const { odds, length, relevant, weight } of known) {
      const estimate = 1 / (1 + Math.exp(-(w.bias + odds + w.length * length)))
      const error = (estimate - (relevant ? 1 : 0)) * weight
      g.bias += error
      g.length += error * length
    }
    for (const key of ['bias', 'length'] as const) w[key] -= (0.3 * g[key]) / total
  }
  return w
}

function curve(pairs: readonly [number, boolean][]) {
  return Array.from({ length: 10 }, (_, i) => {
    const rows = pairs.filter(([score]) => Math.min(9, Math.floor(score * 10)) === i)
    const mean = rows.reduce((sum, [score]) => sum + score, 0) / rows.length
    const share = rows.filter(([, relevant]) => relevant).length / rows.length
    return { from: i / 10, mean, share, count: rows.length }
  }).filter(({ count }) => count > 0)
}

/** The mean distance between what was said and what was, over tenths of the scale. */
function calibrationError(pairs: readonly [number, boolean][]): number {
  return curve(pairs).reduce(
    (sum, { mean, share, count }) => sum + (Math.abs(mean - share) * count) / pairs.length,
    0,
  )
}

function rounded<T extends object>(w: T) {
  return Object.fromEntries(Object.entries(w).map(([key, value]) => [key, Math.round(value * 100) / 100]))
}
