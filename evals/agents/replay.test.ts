import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEvidence, type Seen, seen } from './evidence.js'
import { kinds, readRecordings, readSets } from './sets.js'

const found = `src/guard.ts:40-42 UrlGuard.check .82
40 async check() {
42 }
uses: MAX_HOPS = 5 (src/limits.ts:12) · calls: resolve (src/dns.ts:88-120)

docs/security.md:31-60 Outgoing requests .61
31 ## Outgoing requests
33 See src/other.ts:5-9.
…+27 lines

Also: src/redirects.ts:10-32 follow .44; Makefile.am:3 all .40
Tests and generated: test/guard.test.ts:14-20 refuses (+6)`

const used = `Defined: src/a.ts:29-69 function copy: function copy() {
Used: 1 line in 1 file
src/b.ts
  64 [main] copy()`

const hits = '[{"documentId":"docs/a.md","content":"text","lines":[10,14]},{"documentId":"docs/b.md"}]'

describe('seen', () => {
  const check = (title: string, output: string, evidence: string[], expected: Seen) =>
    test(title, () => assert.equal(seen(output, evidence), expected))

  check('a numbered line under its header is shown', found, ['src/guard.ts:42-50'], 'shown')
  check('a line that the text leaves out is only pointed at', found, ['docs/security.md:50-55'], 'pointed')
  check('the same number under another file is not shown', found, ['src/redirects.ts:31'], 'pointed')
  check('what the shown code rests on is pointed at', found, ['src/limits.ts:12'], 'pointed')
  check('an address inside shown text is no pointer', found, ['src/other.ts:5-9'], 'missing')
  check('the second pointer of a line counts', found, ['Makefile.am:1-5'], 'pointed')
  check('a test counts as pointed at', found, ['test/guard.test.ts:15'], 'pointed')
  check('another range of a shown file is missing', found, ['src/guard.ts:43-50'], 'missing')
  check('one of several pieces of evidence is enough', found, ['x.ts:1', 'src/guard.ts:40'], 'shown')
  check('a line below a bare path is shown', used, ['src/b.ts:64'], 'shown')
  check('a definition is pointed at', used, ['src/a.ts:30'], 'pointed')
  check('a hit with lines is shown', hits, ['docs/a.md:14-20'], 'shown')
  check('a hit without lines is missing', hits, ['docs/b.md:1'], 'missing')
  check('an empty answer shows nothing', '', ['a.ts:1'], 'missing')
})

for (const set of readSets())
  test(`${set.name} has the form of a set`, () => {
    assert.match(set.repository, /^[\w.-]+\/[\w.-]+$/)
    assert.match(set.commit, /^[0-9a-f]{40}$/)
    const count = (kind: string) => set.questions.filter((question) => question.kind === kind).length
    assert.deepEqual(Object.fromEntries(Object.keys(kinds).map((kind) => [kind, count(kind)])), kinds)
    assert.equal(new Set(set.questions.map(({ id }) => id)).size, set.questions.length)
    for (const { id, question, facts, evidence } of set.questions) {
      assert.ok(id.startsWith(`${set.name}-`), id)
      assert.match(question, /[?.]$/, id)
      assert.ok(facts.length >= 2 && facts.length <= 8, `${id}: ${facts.length} facts`)
      assert.ok(evidence.length > 0, id)
      for (const lines of evidence.map(parseEvidence))
        assert.ok(lines.first >= 1 && lines.first <= lines.last, id)
    }
  })

test('recordings name questions of the sets', () => {
  const ids = new Set(readSets().flatMap(({ questions }) => questions.map(({ id }) => id)))
  assert.deepEqual(
    readRecordings().filter(({ question }) => !ids.has(question)),
    [],
  )
})
