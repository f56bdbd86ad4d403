// Compares what the parser reads of every record with what a person read there.
import type { Adr, AdrReading } from '../src/parse/adr/adr.js'
import { readAdr } from '../src/parse/adr/parse-adr.js'
import { finderOf } from '../src/parse/adr/supersession.js'
import { type ExpectedRecord, expectedRecords, textOfRecord } from './sets/adr/records.js'

export const adrFields = ['record', 'id', 'title', 'status', 'supersedes', 'superseded_by'] as const
export type AdrField = (typeof adrFields)[number]

export interface Miss {
  path: string
  field: AdrField
  expected: string
  found: string
}

export interface RecordScores {
  /** How many were right and how many there are, by repository and field. */
  counts: Map<string, Record<AdrField, { right: number; all: number }>>
  misses: Miss[]
}

export function scoreRecords(): RecordScores {
  const expected = expectedRecords()
  const readings = new Map(expected.map(({ path }) => [path, readAdr(path, textOfRecord(path))]))
  const adrs = [...readings.values()].flatMap((reading) => (reading.kind === 'adr' ? [reading.adr] : []))
  const find = finderOf(adrs)
  const scores: RecordScores = { counts: new Map(), misses: [] }
  for (const one of expected) {
    const found = valuesOf(readings.get(one.path)!, find)
    for (const [field, value] of Object.entries(expectedValues(one)) as [AdrField, string][])
      count(scores, one.path, field, value, found[field] ?? '(no record)')
  }
  return scores
}

type Values = Partial<Record<AdrField, string>>

function expectedValues(one: ExpectedRecord): Values {
  if (!one.record) return { record: 'no' }
  const { id, title, status, supersedes, superseded_by } = one
  return {
    record: 'yes',
    id,
    title,
    status,
    supersedes: listed(supersedes),
    superseded_by: listed(superseded_by),
  }
}

function valuesOf(reading: AdrReading, find: ReturnType<typeof finderOf<Adr>>): Values {
  if (reading.kind !== 'adr') return { record: 'no' }
  const { adr } = reading
  const ids = (references: Adr['supersedes']) =>
    listed(references.map((reference) => find(adr, reference)?.id ?? reference.text))
  return {
    record: 'yes',
    id: adr.id,
    title: adr.title,
    status: adr.status,
    supersedes: ids(adr.supersedes),
    superseded_by: ids(adr.supersededBy),
  }
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? '(none)' : [...ids].sort().join(', ')
}

function count(scores: RecordScores, path: string, field: AdrField, expected: string, found: string) {
  for (const group of [path.split('/')[0]!, 'all']) {
    const row = scores.counts.get(group) ?? emptyRow()
    scores.counts.set(group, row)
    row[field].all++
    if (expected === found) row[field].right++
  }
  if (expected !== found) scores.misses.push({ path, field, expected, found })
}

function emptyRow(): Record<AdrField, { right: number; all: number }> {
  return Object.fromEntries(adrFields.map((field) => [field, { right: 0, all: 0 }])) as Record<
    AdrField,
    { right: number; all: number }
  >
}
