// Fits the weights of check-adr-alignment (src/retrieve/alignment/weights.ts), and tells how they do on repositories that
// they were not fitted on.
//   npm run evals -- alignment-fit [--write] [--keep PATH] [--from PATH]
// --keep writes the signals of all pairs to a file; --from reads them there instead of computing them, which takes minutes.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFollowed } from '../src/retrieve/alignment/judge.js'
import { probability, type Signals, signalsOf } from '../src/retrieve/alignment/signals.js'
import { compare } from '../src/toolsets/architecture/alignment.js'
import { labelledPath, repositoryOf, withRecordsOf } from './adr-library.js'
import { fitLine, type Line } from './logistic.js'
import { type LabelledProposal, labelledProposals, labels } from './sets/adr/proposals.js'
import { noAdrs } from './sets/adr/records.js'

if (noAdrs) {
  console.error(noAdrs)
  process.exit(1)
}

/** A proposal beside one of the records that it may be about. */
interface Pair {
  asked: LabelledProposal
  repository: string
  isMeant: boolean
  /** May also be called contradicted: counts neither for nor against. */
  isMoot: boolean
  signals: Signals
}

type Split = LabelledProposal['split']

/** What the model was not trained on. The first are fitted on, the second only measured. */
const fittedOn: ReadonlySet<Split> = new Set<Split>([
  ...(['held-out', 'final', 'plain-1'] as const),
  ...([6, 7, 8, 9, 10, 11, 12] as const).map((n): Split => `unseen-${n}`),
])
const measured: ReadonlySet<Split> = new Set<Split>([
  ...(['plain-2', 'plain-3', 'plain-4'] as const),
  ...([13, 14, 15, 16, 17, 18] as const).map((n): Split => `unseen-${n}`),
])

const conflictSignals = [
  ...['against', 'gap', 'near', 'at once: against', 'at once: gap', 'at once: near'],
  ...[
    'against: rank',
    'against: margin',
    'near: rank',
    'near: margin',
    'score',
    'score: rank',
    'score: margin',
  ],
  ...['clearly against', 'clearly along', 'apart', 'against and apart'],
]
const supportSignals = [
  ...[
    'against',
    'along',
    'gap',
    'near',
    'at once: against',
    'at once: along',
    'at once: gap',
    'at once: near',
  ],
  ...['near: rank', 'score', 'score: rank'],
]

const remembered = new Map<string, Models>()

const argument = (name: string) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? null : process.argv[at + 1]!
}
const savedPairs = argument('--from')
const pairs = savedPairs ? readPairs(savedPairs) : await pairsOf()
const keep = argument('--keep')
if (keep) writeFileSync(keep, JSON.stringify(pairs))
const own = pairs.filter(({ asked }) => fittedOn.has(asked.split))
report('Repositories left out of the fit', own, (pair) =>
  fit(own.filter(({ repository }) => repository !== pair.repository)),
)
const all = fit(own)
report(
  'Never fitted on',
  pairs.filter(({ asked }) => measured.has(asked.split)),
  () => all,
)
if (process.argv.includes('--write')) write(all)

function readPairs(path: string): Pair[] {
  const known = new Map<string, LabelledProposal>()
  return (JSON.parse(readFileSync(path, 'utf8')) as Pair[]).map((pair) => {
    const key = `${pair.asked.adr}\n${pair.asked.proposal}`
    if (!known.has(key)) known.set(key, pair.asked)
    return { ...pair, asked: known.get(key)! }
  })
}

async function pairsOf(): Promise<Pair[]> {
  const found: Pair[] = []
  const all = labelledProposals().filter(({ split }) => fittedOn.has(split) || measured.has(split))
  for (const repository of new Set(all.map(({ adr }) => repositoryOf(adr))))
    await withRecordsOf(repository, { byWords: false }, async (library) => {
      for (const asked of all.filter(({ adr }) => repositoryOf(adr) === repository)) {
        const end = performance.now() + 600_000
        const compared = await compare(library, { description: asked.proposal }, end)
        if (!compared?.read) continue
        const { candidates, near, read } = compared
        const signals = signalsOf(
          candidates.map((one) => ({ score: near.get(one)?.relevance ?? 0, read: read.get(one)! })),
        )
        for (const [i, { path }] of candidates.entries()) {
          const record = labelledPath(path)
          const isMoot = asked.also?.includes(record) ?? false
          found.push({ asked, repository, isMeant: record === asked.adr, isMoot, signals: signals[i]! })
        }
      }
    })
  return found
}

interface Models {
  conflict: Line
  support: Line
}

function fit(some: readonly Pair[]): Models {
  const key = [...new Set(some.map(({ repository }) => repository))].join()
  const known = remembered.get(key) ?? fitted(some)
  remembered.set(key, known)
  return known
}

function fitted(some: readonly Pair[]): Models {
  const clear = some.filter(({ isMoot }) => !isMoot)
  const samples = (label: LabelledProposal['label'], ofOther: number) =>
    clear.map(({ signals, isMeant, asked }) => ({
      signals,
      isPositive: isMeant && asked.label === label,
      weight: isMeant && asked.label !== label ? ofOther : 1,
    }))
  return {
    conflict: fitLine(samples('conflicts', 1), conflictSignals, 10),
    // A contradiction called support is the worst mistake.
    support: fitLine(samples('supports', 3), supportSignals, 30),
  }
}

function report(title: string, some: readonly Pair[], modelsFor: (pair: Pair) => Models) {
  const odds = new Map(
    some.map((pair) => {
      const { conflict, support } = modelsFor(pair)
      return [
        pair,
        { conflict: probability(pair.signals, conflict), support: probability(pair.signals, support) },
      ]
    }),
  )
  const byProposal = new Map<LabelledProposal, Pair[]>()
  for (const pair of some) byProposal.set(pair.asked, [...(byProposal.get(pair.asked) ?? []), pair])
  console.log(title)
  console.table(
    [...new Set(some.map(({ asked }) => asked.split)), 'all'].flatMap((split) =>
      [0.5, 0.55, 0.6, 0.65, 0.7].map((least) => {
        const own = [...byProposal].filter(([asked]) => split === 'all' || asked.split === split)
        const there = own.filter(([asked]) => asked.label === 'conflicts').length
        const called = own.flatMap(([, group]) => {
          const best = Math.max(...group.map((pair) => odds.get(pair)!.conflict))
          const enough = Math.max(least, best - 0.08)
          return group.filter((pair) => !pair.isMoot && odds.get(pair)!.conflict >= enough)
        })
        const right = called.filter(({ isMeant, asked }) => isMeant && asked.label === 'conflicts').length
        return { split, least, there, precision: share(right, called.length), recall: share(right, there) }
      }),
    ),
  )
  console.table(
    labels.map((label) => {
      const meant = some.filter(({ isMeant, asked }) => isMeant && asked.label === label)
      const followed = meant.filter((pair) => isFollowed(pair.asked.proposal, pair.signals, odds.get(pair)!))
      return { label, records: meant.length, 'called support': followed.length }
    }),
  )
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000
}

function write(models: Models) {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value
  const text = `// Written by evals/alignment-fit.ts: what each signal counts for. Do not edit by hand.
import type { Model } from './signals.js'

export const fitted: { conflict: Model; support: Model } = ${JSON.stringify(models, rounded, 2)}
`
  writeFileSync(fileURLToPath(new URL('../../src/retrieve/alignment/weights.ts', import.meta.url)), text)
}
