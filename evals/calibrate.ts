// Fits the map from a candidate's figures to its relevance, and shows how reliable it is on sets it has not seen.
//   npm run evals -- calibrate [--json]
//   npm run evals -- calibrate samples.json      keeps the samples, to fit again without asking again
// The printed weights go into src/retrieve/relevance.ts; evals/runs/calibration.md keeps the figures of that run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relevance } from '../src/retrieve/relevance.js'
import { embedder, type JudgedName, openJudged } from './judged.js'

interface Sample {
  cosine: number
  share: number
  exact: number
  /** How many terms the question has. */
  asked: number
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

const kept = process.argv.find((word) => word.endsWith('.json'))
const sets = new Map<string, { both: Sample[]; words: Sample[] }>(
  kept && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : [],
)
const model = embedder()
for (const name of sets.size > 0 ? [] : [...fitted, ...heldOut]) {
  const judged = await openJudged(name, model)
  if (!judged) continue
  const [both, words]: [Sample[], Sample[]] = [[], []]
  for (const { text, relevant } of judged.questions) {
    for (const [mode, rows] of [
      ['hybrid', both],
      ['text', words],
    ] as const) {
      const { hits } = await judged.ask(text, { mode, explain: true })
      for (const { ref, explain } of hits)
        rows.push({
          cosine: explain!.meaning?.cosine ?? 0,
          share: explain!.words?.share ?? 0,
          exact: explain!.exact,
          asked: Object.keys(explain!.terms).length,
          relevant: relevant.has(ref.path),
        })
    }
  }
  await judged.close()
  sets.set(name, { both, words })
}
await model.close()
if (kept) writeFileSync(kept, JSON.stringify([...sets]))

const pick = (names: JudgedName[], which: 'both' | 'words') =>
  names.flatMap((name) => balanced(sets.get(name)?.[which] ?? []))
const both = fit(pick(fitted, 'both'), true)
const words = fit(pick(fitted, 'words'), false)
console.log('fitted:', JSON.stringify({ both: rounded(both), wordsOnly: rounded(words) }))

const current = (sample: Sample, which: 'both' | 'words') =>
  relevance({ ...sample, cosine: which === 'both' ? sample.cosine : null })
const refit = (sample: Sample, which: 'both' | 'words') => predict(which === 'both' ? both : words, sample)
for (const which of ['both', 'words'] as const)
  console.log(`by length, ${which}:`, JSON.stringify(fitLength(pick(fitted, which), which)))
for (const [label, score] of [
  ['in use', current],
  ['refitted', refit],
] as const)
  for (const which of ['both', 'words'] as const) {
    for (const name of [...fitted, ...heldOut]) {
      const rows = sets.get(name)?.[which] ?? []
      if (rows.length > 0)
        console.log(
          `${label} ${which} ${name}: ECE ${calibrationError(rows.map((r) => [score(r, which), r.relevant])).toFixed(3)}`,
        )
    }
    const all = heldOut
      .flatMap((name) => sets.get(name)?.[which] ?? [])
      .map((r) => [score(r, which), r.relevant] as [number, boolean])
    if (all.length > 0) {
      console.log(`${label} ${which}, all held out: ECE ${calibrationError(all).toFixed(3)}`)
      for (const { from, mean, share, count } of curve(all))
        console.log(`   ${from.toFixed(1)}  said ${mean.toFixed(2)}  was ${share.toFixed(2)}  (${count})`)
    }
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

/** What of the score and the length of the question makes the relevance: a logistic function of its log-odds. */
function fitLength(rows: (Sample & { weight: number })[], which: 'both' | 'words') {
  const w = { bias: 0, slope: 1, length: 0 }
  const known = rows.map(({ relevant, weight, asked, ...row }) => {
    const score = current({ ...row, asked, relevant }, which)
    const odds = Math.log(Math.max(1e-6, score) / Math.max(1e-6, 1 - score))
    return { odds, length: Math.log(Math.max(1, asked)), relevant, weight }
  })
  const total = known.reduce((sum, { weight }) => sum + weight, 0)
  for (let step = 0; step < 20_000; step++) {
    const g = { bias: 0, slope: 0, length: 0 }
    for (const { odds, length, relevant, weight } of known) {
      const said = 1 / (1 + Math.exp(-(w.bias + w.slope * odds + w.length * length)))
      const error = (said - (relevant ? 1 : 0)) * weight
      g.bias += error
      g.slope += error * odds
      g.length += error * length
    }
    for (const key of ['bias', 'slope', 'length'] as const) w[key] -= (0.3 * g[key]) / total
  }
  return Object.fromEntries(Object.entries(w).map(([key, value]) => [key, Math.round(value * 100) / 100]))
}

function curve(pairs: [number, boolean][]) {
  return Array.from({ length: 10 }, (_, i) => {
    const rows = pairs.filter(([score]) => Math.min(9, Math.floor(score * 10)) === i)
    const mean = rows.reduce((sum, [score]) => sum + score, 0) / rows.length
    const share = rows.filter(([, relevant]) => relevant).length / rows.length
    return { from: i / 10, mean, share, count: rows.length }
  }).filter(({ count }) => count > 0)
}

/** The mean distance between what was said and what was, over tenths of the scale. */
function calibrationError(pairs: [number, boolean][]): number {
  return curve(pairs).reduce(
    (sum, { mean, share, count }) => sum + (Math.abs(mean - share) * count) / pairs.length,
    0,
  )
}

function rounded(w: Weights) {
  return Object.fromEntries(Object.entries(w).map(([key, value]) => [key, Math.round(value * 100) / 100]))
}
