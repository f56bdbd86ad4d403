import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAdr } from '../src/parse/adr/parse-adr.js'
import { align, demoted, prepared, proposalOf, weightsOf } from '../src/retrieve/alignment/align.js'
import { adrFields, scoreRecords } from './adr-scores.js'
import { labelledProposals, labels } from './sets/adr/proposals.js'
import { expectedRecords, noAdrs, textOfRecord } from './sets/adr/records.js'

test('at least 98 % of the fields of every record are read right', { skip: noAdrs }, () => {
  const { counts, misses } = scoreRecords()
  const all = adrFields.map((field) => counts.get('all')![field])
  const right = all.reduce((sum, one) => sum + one.right, 0) / all.reduce((sum, one) => sum + one.all, 0)
  assert.ok(right >= 0.98, JSON.stringify(misses, null, 1))
})

test('every proposal has a label, a kind and a record that exists', () => {
  const known = new Set(expectedRecords().flatMap((one) => (one.record ? [one.path] : [])))
  const proposals = labelledProposals()
  assert.ok(proposals.length >= 120)
  for (const { proposal, adr, label, also = [] } of proposals) {
    assert.ok(labels.includes(label), proposal)
    for (const path of [adr, ...also]) assert.ok(known.has(path), path)
  }
  const misleading = proposals.filter(({ kind }) => kind !== 'plain').length
  assert.ok(misleading * 2 >= proposals.length, `${misleading} of ${proposals.length} mislead`)
})

test('by words alone, contradictions are found and never called support', { skip: noAdrs }, () => {
  const inForce = (status: string) => status !== 'superseded' && status !== 'deprecated'
  const all = expectedRecords().flatMap((one) =>
    one.record ? [prepared(parseAdr(one.path, textOfRecord(one.path)))] : [],
  )
  const repositories = new Map<string, typeof all>()
  for (const record of all) {
    const name = record.adr.path.split('/')[0]!
    repositories.set(name, [...(repositories.get(name) ?? []), record])
  }
  const weights = new Map([...repositories].map(([name, records]) => [name, weightsOf(records)]))
  let [found, right, there] = [0, 0, 0]
  for (const { proposal, adr, label, split, also = [] } of labelledProposals()) {
    const name = adr.split('/')[0]!
    const asked = proposalOf(proposal)
    const verdicts = demoted(
      repositories
        .get(name)!
        .map((record) => ({ record, verdict: align(asked, record, weights.get(name)!) })),
    ).filter(({ record }) => inForce(record.adr.status))
    const target = verdicts.find(({ record }) => record.adr.path === adr)?.verdict.alignment
    assert.ok(!(label === 'conflicts' && target === 'supports'), proposal)
    if (split !== 'develop') continue
    if (label === 'conflicts') there++
    for (const { record, verdict } of verdicts) {
      if (verdict.alignment !== 'conflicts' || also.includes(record.adr.path)) continue
      found++
      if (record.adr.path === adr && label === 'conflicts') right++
    }
  }
  assert.ok(right / found >= 0.9, `precision ${right / found}`)
  assert.ok(right / there >= 0.75, `recall ${right / there}`)
})
