import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSection, sectionMiss } from './sections.js'

test('a long name is read once, not once for every heading', () => {
  const sections = Array.from({ length: 2_000 }, (_, i) => ({
    ...{ text: `Heading ${i}`, level: 2 },
    ...{ start: i, end: i + 1, line: i + 1, endLine: i + 1 },
  }))
  const written = 'lorem ipsum dolor '.repeat(10_000)
  const start = process.cpuUsage()
  assert.equal(chooseSection(sections, written), null)
  assert.match(sectionMiss(sections, written, 'a.md').miss, /not found in document "a\.md"\. Its sections:/)
  const { user, system } = process.cpuUsage(start)
  // Some 40 ms; for every heading anew it were 8 s.
  assert.ok(user + system < 1_500_000, `${(user + system) / 1000} ms`)
})

test('a heading is found whatever its case, also in Turkish and Greek', () => {
  const headings = ['İzmir', 'Οδός: Αθήνα', 'Größe'.normalize('NFD')]
  const sections = headings.map((text, i) => ({ text, level: 2, start: i, end: i, line: i, endLine: i }))
  for (const [place, written] of ['izmir', 'ΟΔΌΣ: ΑΘΉΝΑ', 'GRÖßE'].entries())
    assert.equal(chooseSection(sections, written)?.place, place, written)
})

test('a miss names no heading that has no words', () => {
  const miss = (...headings: string[]) =>
    sectionMiss(
      headings.map((text, i) => ({ text, level: 2, start: i, end: i, line: i, endLine: i })),
      'Elsewhere',
      'a.md',
    ).miss
  assert.match(miss('Intro', '', 'Use'), /Its sections: "Intro", "Use"\.$/)
  assert.match(miss(''), /It has no headings: documents_get_document returns its text\.$/)
})
