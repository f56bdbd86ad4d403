import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAlignment } from '../src/toolsets/architecture/alignment.js'
import { labelledPath, repositoryOf, withRecordsOf } from './adr-library.js'
import { adrFields, scoreRecords } from './adr-scores.js'
import { archivedFiles } from './alignment-data.js'
import { labelledProposals, labels } from './sets/adr/proposals.js'
import { expectedRecords, noAdrs, ownLibraries } from './sets/adr/records.js'

test('at least 98 % of the fields of every record are read right', { skip: noAdrs }, () => {
  const { counts, misses } = scoreRecords()
  const all = adrFields.map((field) => counts.get('all')![field])
  const right = all.reduce((sum, one) => sum + one.right, 0) / all.reduce((sum, one) => sum + one.all, 0)
  assert.ok(right >= 0.98, JSON.stringify(misses, null, 1))
})

test('every proposal has a label, a kind and a record that exists', () => {
  const known = new Set(expectedRecords().flatMap((one) => (one.record ? [one.path] : [])))
  for (const path of archivedFiles(ownLibraries).keys()) known.add(path.slice(ownLibraries.length))
  const proposals = labelledProposals()
  assert.ok(proposals.length >= 120)
  for (const { proposal, adr, label, also = [] } of proposals) {
    assert.ok(labels.includes(label), proposal)
    for (const path of [adr, ...also]) assert.ok(known.has(path), path)
  }
  // The parts that are plain on purpose aside.
  const mixed = proposals.filter(({ split }) => !split.startsWith('plain-'))
  const misleading = mixed.filter(({ kind }) => kind !== 'plain').length
  assert.ok(misleading * 2 >= mixed.length, `${misleading} of ${mixed.length} mislead`)
})

test('by words alone, contradictions are found and never called support', { skip: noAdrs }, async () => {
  let [found, right, there] = [0, 0, 0]
  for (const repository of ['madr', 'arachne'])
    await withRecordsOf(repository, { byWords: true }, async (library) => {
      for (const one of everyOther(repository)) {
        const { decisions } = await checkAlignment(library, { description: one.proposal, limit: 20 })
        const of = (alignment: string) =>
          decisions
            .filter((aligned) => aligned.alignment === alignment)
            .map(({ decision }) => labelledPath(decision.path))
        assert.ok(!(one.label === 'conflicts' && of('supports').includes(one.adr)), one.proposal)
        const called = of('conflicts').filter((path) => !one.also?.includes(path))
        found += called.length
        if (one.label !== 'conflicts') continue
        there++
        if (called.includes(one.adr)) right++
      }
    })
  assert.ok(right / found >= 0.85, `precision ${right / found}`)
  assert.ok(right / there >= 0.42, `recall ${right / there}`)
})

/**
 * Half of a repository's proposals, without those that are known to be beyond it: what changes one verdict in a hundred is for
 * the evaluation to see.
 */
function everyOther(repository: string) {
  return labelledProposals()
    .filter(({ split }) => !/^unseen-(?:[678]|1[78])$/.test(split))
    .filter(({ adr }, i) => i % 2 === 0 && repositoryOf(adr) === repository)
}
