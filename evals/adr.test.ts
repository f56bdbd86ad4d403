import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAdr } from '../src/parse/adr/parse-adr.js'
import { literalRule } from '../src/retrieve/alignment/literal.js'
import { repositoryOf } from './adr-library.js'
import { adrFields, scoreRecords } from './adr-scores.js'
import { archivedFiles } from './alignment-data.js'
import { labelledProposals, labels } from './sets/adr/proposals.js'
import { expectedRecords, noAdrs, ownLibraries, textOfRecord } from './sets/adr/records.js'

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

test('by words alone, most of what is called a contradiction is one, and none is called support', {
  skip: noAdrs,
}, () => {
  const records = expectedRecords()
    .flatMap(({ path, record }) => (record ? [parseAdr(path, textOfRecord(path))] : []))
    .filter(({ status }) => status !== 'superseded' && status !== 'deprecated')
  let [called, right] = [0, 0]
  for (const { proposal, adr, label, also } of labelledProposals()) {
    const literalEvidence = literalRule(proposal)
    for (const record of records.filter(({ path }) => repositoryOf(path) === repositoryOf(adr))) {
      const found = literalEvidence(record)
      const isMeant = record.path === adr
      assert.ok(!(isMeant && label === 'conflicts' && found?.verdict === 'supports'), proposal)
      if (found?.verdict !== 'conflicts' || also?.includes(record.path)) continue
      called++
      if (isMeant && label === 'conflicts') right++
    }
  }
  assert.ok(called >= 35, `${called} called`)
  assert.ok(right / called >= 0.8, `precision ${right / called}`)
})
