// Fits what the signals of check-adr-alignment count for (src/retrieve/alignment/weights.ts), and tells how well they do on
// repositories that they were not fitted on.
//   npm run evals -- alignment-fit [--write read|words] [--without SPLIT] [--keep PATH] [--from PATH]
// Without --write nothing is changed; with it, the weights for proposals that are read, or for those of which only words are known. --without leaves a part of the set out of the fit and shows how it comes out. --keep
// writes the signals of all pairs to a file, and --from reads them there instead of working them out, which takes minutes.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { follows } from '../src/retrieve/alignment/judge.js'
import { type Models, weighed } from '../src/retrieve/alignment/weigh.js'
import { fitted } from '../src/retrieve/alignment/weights.js'
import { type Compared, compare } from '../src/toolsets/architecture/alignment.js'
import { labelledPath, repositoryOf, withRecordsOf } from './adr-library.js'
import { fitLine } from './logistic.js'
import { type LabelledProposal, labelledProposals, labels } from './sets/adr/proposals.js'
import { noAdrs } from './sets/adr/records.js'
import {
  aboutSignals,
  readAboutSignals,
  readConflictSignals,
  readSideSignals,
  sideSignals,
} from './signal-names.js'

if (noAdrs) {
  console.error(noAdrs)
  process.exit(1)
}
const argument = (name: string) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? null : process.argv[at + 1]!
}

/** A proposal beside one of the records it may be about. */
interface Pair {
  asked: LabelledProposal
  repository: string
  isMeant: boolean
  /** May be said to be contradicted too: counts neither for nor against. */
  isMoot: boolean
  signals: Record<string, number>
}

interface Modes {
  read: Pair[]
  words: Pair[]
}

/** The model was trained on the other parts, and knows their answers. */
const unread: ReadonlySet<LabelledProposal['split']> = new Set([
  'held-out',
  'final',
  'unseen-6',
  'unseen-7',
  'unseen-8',
  'unseen-9',
  'unseen-10',
  'unseen-11',
  'unseen-12',
  'plain-1',
])

/** For the figures alone. */
const blind: ReadonlySet<LabelledProposal['split']> = new Set([
  'unseen-13',
  'unseen-14',
  'unseen-15',
  'unseen-16',
  'unseen-17',
  'unseen-18',
  'plain-2',
  'plain-3',
  'plain-4',
])

const kept = argument('--from')
const pairs: Modes = kept ? readPairs(kept) : { read: await pairsOf(false), words: await pairsOf(true) }
const keep = argument('--keep')
if (keep) writeFileSync(keep, JSON.stringify(pairs))
const without = argument('--without')
for (const mode of ['read', 'words'] as const) tell(mode, pairs[mode])
const written = argument('--write')
if (written === 'read' || written === 'words') write(written, pairs[written])

/** Pairs of one proposal share it again. */
function readPairs(path: string): Modes {
  const { read, words } = JSON.parse(readFileSync(path, 'utf8')) as Modes
  const known = new Map<string, LabelledProposal>()
  const shared = (pair: Pair): Pair => {
    const key = `${pair.asked.adr}\n${pair.asked.proposal}`
    if (!known.has(key)) known.set(key, pair.asked)
    return { ...pair, asked: known.get(key)! }
  }
  return { read: read.map(shared), words: words.map(shared) }
}

async function pairsOf(byWords: boolean): Promise<Pair[]> {
  const found: Pair[] = []
  const all = labelledProposals().filter(({ split }) => !blind.has(split) && (byWords || unread.has(split)))
  for (const repository of new Set(all.map(({ adr }) => repositoryOf(adr))))
    await withRecordsOf(repository, { byWords }, async (library) => {
      for (const asked of all.filter(({ adr }) => repositoryOf(adr) === repository)) {
        const compared = await compare(library, { description: asked.proposal })
        if (compared) found.push(...pairsIn(compared, asked, repository))
      }
    })
  return found
}

function pairsIn({ judged }: Compared, asked: LabelledProposal, repository: string): Pair[] {
  return judged.flatMap(({ record: { adr }, signals }) => {
    const binds = adr.status === 'superseded' ? adr.partly : adr.status !== 'deprecated'
    if (!binds) return []
    const path = labelledPath(adr.path)
    return [{ asked, repository, isMeant: path === asked.adr, isMoot: !!asked.also?.includes(path), signals }]
  })
}

// Ridges and the weight of a contradiction in the question of support were chosen by leaving repositories out.
function fit(all: readonly Pair[], isByWords: boolean): Models {
  const [aboutNames, sideNames] = isByWords
    ? [aboutSignals, sideSignals]
    : [readAboutSignals, readSideSignals]
  const clear = all.filter(({ isMoot }) => !isMoot)
  const meant = clear.filter(({ isMeant }) => isMeant)
  const about = clear.map(({ signals, isMeant, asked }) => ({
    signals,
    isPositive: isMeant && asked.label !== 'unrelated',
    weight: 1,
  }))
  const conflicts = clear.map(({ signals, isMeant, asked }) => ({
    signals,
    isPositive: isMeant && asked.label === 'conflicts',
    weight: 1,
  }))
  const side = (label: LabelledProposal['label'], ofContradiction: number) =>
    meant.map(({ signals, asked }) => ({
      signals,
      isPositive: asked.label === label,
      weight: asked.label === 'conflicts' ? ofContradiction : 1,
    }))
  return {
    about: fitLine(about, aboutNames, isByWords ? 10 : 20),
    against: fitLine(side('conflicts', 1), sideNames, isByWords ? 30 : 60),
    along: fitLine(side('supports', 3), sideNames, isByWords ? 30 : 60),
    ...(!isByWords && { conflict: fitLine(conflicts, readConflictSignals, 10) }),
  }
}

/** On every repository by weights that were fitted on the others. */
function tell(mode: keyof Modes, all: readonly Pair[]) {
  const used = all.filter(({ asked }) => asked.split !== without)
  const odds = new Map<Pair, number>()
  const along = new Set<Pair>()
  for (const repository of new Set(all.map((pair) => pair.repository))) {
    const models = fit(
      used.filter((pair) => pair.repository !== repository),
      mode === 'words',
    )
    for (const pair of all.filter((pair) => pair.repository === repository)) {
      const found = weighed(pair.signals, models)
      odds.set(pair, found.conflict)
      if (mode === 'read' && follows(pair.asked.proposal, pair.signals, found)) along.add(pair)
    }
  }
  console.log(`${mode}: repositories left out of the fit`)
  console.table(rows(all, odds))
  if (mode === 'read') console.table(followedIn(all, along))
  if (!without) return
  const models = fit(used, mode === 'words')
  const left = all.filter(({ asked }) => asked.split === without)
  console.log(`${mode}: ${without}, left out of the fit`)
  console.table(rows(left, new Map(left.map((pair) => [pair, weighed(pair.signals, models).conflict]))))
}

function rows(all: readonly Pair[], odds: ReadonlyMap<Pair, number>) {
  const asked = new Set(all.map((pair) => pair.asked))
  return [...new Set([...asked].map(({ split }) => split)), 'all'].flatMap((split) =>
    [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7].map((least) => {
      const some = [...asked].filter((one) => split === 'all' || one.split === split)
      const there = some.filter(({ label }) => label === 'conflicts').length
      const called = some.flatMap((one) =>
        calledIn(
          all.filter((pair) => pair.asked === one),
          odds,
          least,
        ),
      )
      const right = called.filter(({ isMeant, asked: { label } }) => isMeant && label === 'conflicts').length
      return {
        split,
        least,
        conflicts: there,
        precision: share(right, called.length),
        recall: share(right, there),
      }
    }),
  )
}

/** What would be called support by reading, of the records that were meant and of others. */
function followedIn(all: readonly Pair[], along: ReadonlySet<Pair>) {
  return labels.map((label) => {
    const meant = all.filter(({ isMeant, asked }) => isMeant && asked.label === label)
    const others = all.filter(({ isMeant, asked }) => !isMeant && asked.label === label)
    const called = (some: readonly Pair[]) => some.filter((pair) => along.has(pair)).length
    return { label, records: meant.length, 'called support': called(meant), others: called(others) }
  })
}

/** What would be called a conflict, as src/retrieve/alignment/judge.ts does it. */
function calledIn(pairs: readonly Pair[], odds: ReadonlyMap<Pair, number>, least: number): Pair[] {
  const best = Math.max(0, ...pairs.map((pair) => odds.get(pair)!))
  return pairs.filter((pair) => !pair.isMoot && odds.get(pair)! >= Math.max(least, best - 0.08))
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000
}

function write(mode: keyof Modes, all: readonly Pair[]) {
  const used = all.filter(({ asked }) => asked.split !== without)
  const text = `// Written by evals/alignment-fit.ts: what each signal counts for. Do not edit by hand.
import type { Models } from './weigh.js'

export const fitted: { read: Models; words: Models } = ${printed({ ...fitted, [mode]: fit(used, mode === 'words') })}
`
  writeFileSync(fileURLToPath(new URL('../../src/retrieve/alignment/weights.ts', import.meta.url)), text)
}

function printed(models: { read: Models; words: Models }): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value
  return JSON.stringify(models, rounded, 2)
}
