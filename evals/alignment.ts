// Whether proposals that contradict a decision are told from those that agree with it: labelled proposals over the
// records of ../shared/data/adr, asked the way the tool asks, one library for each repository.
//   npm run evals -- alignment [--split develop|held-out|…|unseen-5|all] [--file PATH] [--words] [--json]
// A file has the form of sets/adr/alignment.jsonl, and may have some of its parts.
// Precision counts every conflict reported, also with records that the proposal was not written about. The held-out part
// was fixed by a hash before anything was tuned and is for the final figure only.
import { resolve } from 'node:path'
import type { Library } from '../src/answer/library.js'
import { checkAlignment } from '../src/toolsets/architecture/alignment.js'
import { labelledPath, repositoryOf, withRecordsOf } from './adr-library.js'
import {
  type Label,
  type LabelledProposal,
  labelledProposals,
  labels,
  proposalsIn,
} from './sets/adr/proposals.js'
import { noAdrs } from './sets/adr/records.js'

if (noAdrs) {
  console.error(noAdrs)
  process.exit(1)
}
const argument = (name: string, other: string) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? other : process.argv[at + 1]!
}
const file = argument('--file', '')
const split = file || argument('--split', 'develop')
const byWords = process.argv.includes('--words')

interface Outcome {
  asked: LabelledProposal
  got: Label
  rule: string
  score: number
  /** Conflicts reported with other records that nobody said it contradicts. */
  others: string[]
}

const outcomes: Outcome[] = []
const proposals = file
  ? proposalsIn(resolve(file))
  : labelledProposals().filter((one) => split === 'all' || one.split === split)
for (const repository of new Set(proposals.map(({ adr }) => repositoryOf(adr))))
  outcomes.push(
    ...(await runAll(
      proposals.filter(({ adr }) => repositoryOf(adr) === repository),
      repository,
    )),
  )
report(outcomes)

async function runAll(proposals: LabelledProposal[], repository: string): Promise<Outcome[]> {
  return withRecordsOf(repository, { byWords }, (library) => outcomesOf(proposals, library))
}

async function outcomesOf(proposals: LabelledProposal[], library: Library): Promise<Outcome[]> {
  const found: Outcome[] = []
  for (const one of proposals) {
    const { decisions } = await checkAlignment(library, { description: one.proposal, limit: 20 })
    const target = decisions.find(({ decision }) => labelledPath(decision.path) === one.adr)
    const others = decisions
      .filter(
        ({ alignment, decision }) => alignment === 'conflicts' && labelledPath(decision.path) !== one.adr,
      )
      .map(({ decision }) => labelledPath(decision.path))
      .filter((path) => !one.also?.includes(path))
    found.push({
      asked: one,
      got: target?.alignment ?? 'unrelated',
      rule: target?.evidence?.rule ?? '',
      score: target?.score ?? 0,
      others,
    })
  }
  return found
}

function report(all: Outcome[]) {
  const count = (test: (one: Outcome) => boolean) => all.filter(test).length
  const others = all.reduce((sum, one) => sum + one.others.length, 0)
  const rows = labels.map((label) => {
    const right = count(({ asked, got }) => asked.label === label && got === label)
    const found = count(({ got }) => got === label) + (label === 'conflicts' ? others : 0)
    const there = count(({ asked }) => asked.label === label)
    return { label, proposals: there, right, precision: share(right, found), recall: share(right, there) }
  })
  const asSupport = count(({ asked, got }) => asked.label === 'conflicts' && got === 'supports')
  if (process.argv.includes('--json')) return console.log(JSON.stringify({ split, rows, asSupport, others }))
  for (const { asked, got, rule, score, others: also } of all) {
    if (asked.label !== got)
      console.log(
        `${asked.label} → ${got} ${rule && `(${rule})`} ${score.toFixed(2)} "${asked.proposal}" ${asked.adr}`,
      )
    for (const path of also) console.log(`also conflicts: "${asked.proposal}" ${path}`)
  }
  console.table(rows)
  const parts = new Set(all.map(({ asked }) => asked.split))
  if (parts.size > 1) console.table([...parts].map((one) => summary(one, all)))
  for (const kind of ['plain', 'same-words', 'other-words'] as const) {
    const some = all.filter(({ asked }) => asked.kind === kind && asked.label === 'conflicts')
    console.log(
      `${kind}: ${some.filter(({ got }) => got === 'conflicts').length} of ${some.length} conflicts found`,
    )
  }
  console.log(
    `Conflicts reported with other records: ${others}. Contradictions called support: ${asSupport}.`,
  )
}

/** One part of the set in a line. */
function summary(part: string, all: Outcome[]) {
  const some = all.filter(({ asked }) => asked.split === part)
  const count = (label: Label, as: Label) =>
    some.filter(({ asked, got }) => asked.label === label && got === as).length
  const there = (label: Label) => some.filter(({ asked }) => asked.label === label).length
  const right = count('conflicts', 'conflicts')
  const called =
    some.filter(({ got }) => got === 'conflicts').length +
    some.reduce((sum, one) => sum + one.others.length, 0)
  return {
    part,
    proposals: some.length,
    precision: share(right, called),
    recall: share(right, there('conflicts')),
    conflicts: `${right} of ${there('conflicts')}`,
    'called support': count('conflicts', 'supports'),
    supports: `${count('supports', 'supports')} of ${there('supports')}`,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000
}
