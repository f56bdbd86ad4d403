import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleHit } from '../../../test/support/sample-hit.js'
import type { SearchAnswer, SearchHit } from '../../answer/search.js'
import { searchText } from './search-answer.js'
import { colours, columnsOf } from './terminal.js'

const plain = colours({ write() {} }, { NO_COLOR: '1' })
const painted = colours({ write() {} }, { FORCE_COLOR: '1' })

const hit = sampleHit

function show(query: string, hits: SearchHit[], { width = 60, paint = plain, explain = false } = {}): string {
  const stages: SearchAnswer['stages'] = [
    { name: 'words', ms: 1.234, state: 'ran' },
    { name: 'meaning', ms: 0, state: 'skipped', reason: 'no vectors yet' },
  ]
  return searchText({ query, hits, notes: [], stages }, { paint, width, explain })
}

const prose = `Retries make a slow service slower.

A retry budget caps how many retries a client may send in a minute, as a share of its first attempts. Ten per cent is a good start for most services.

Measure before you raise it. The budget belongs to the client, not to a single request, and it is shared by all of its threads.

Nothing here matters.

Nor here.`

describe('passages for people', () => {
  test("line numbers of a converted document are not shown as the file's", () => {
    const text = show('retry', [hit({ document: 'page.html', linesOf: 'text', text: 'retry' })])
    assert.match(text, /library:page\.html \(lines 1-9 of its text\) {2}0\.50/)
  })

  test('read like this', () => {
    const text = show('the retry budget of a client', [
      hit({ heading: 'Choosing a budget', text: prose, score: 0.8734, lines: [12, 24] }),
      hit({
        title: 'retry.ts',
        document: 'src/retry.ts',
        text: 'export const retryBudget = 0.1\n',
        score: 0.31,
        kind: 'code',
        lines: [3, 3],
      }),
    ])
    assert.equal(
      text,
      `1.  Retries › Choosing a budget
    library:guides/retries.md:12-24  0.87
    A retry budget caps how many retries a client may send
    in a minute, as a share of its first attempts. Ten per
    cent is a good start for most services.

    Measure before you raise it. The budget belongs to the
    client, not to a single request, and it is shared by …

2.  retry.ts
    library:src/retry.ts:3-3  0.31
    export const retryBudget = 0.1
`,
    )
  })

  test("highlight the query's words on a terminal, in all their forms", () => {
    const text = show('retry budgets', [hit({ text: 'The retryBudget caps retries.' })], { paint: painted })
    assert.match(text, /The \x1b\[1mretryBudget\x1b\[22m caps \x1b\[1mretries\x1b\[22m\./)
  })

  test('show the explanation under --explain', () => {
    const explained = hit({
      text: 'x',
      by: 'both',
      distance: 0.4321,
      explain: {
        words: { rank: 1, score: 8.214, share: 0.9 },
        meaning: { rank: 3, cosine: 0.5679 },
        exact: 0,
        relevance: 0.88,
        length: -0.58,
        reranked: 0.04,
        score: 0.81,
        terms: { retri: 3.1, budget: 5.114 },
      },
    })
    assert.equal(
      show('retry', [explained], { width: 100, explain: true }),
      `1.  Retries
    library:guides/retries.md:1-9  0.50
    found by both · words #1 8.21 (share 0.90) · meaning #3 0.568 · relevance 0.880 · length −0.58 ·
    reranked +0.04 · score 0.810 · distance 0.432
    terms: retri 3.10, budget 5.11
    x

Stages
  words    1.2 ms  ran
  meaning  0.0 ms  skipped: no vectors yet
`,
    )
  })

  test('explain themselves whole, however narrow it is', () => {
    const terms = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`term${i}`, i]))
    const explain = {
      words: { rank: 1, score: 8.2, share: 0.9 },
      meaning: null,
      exact: 0,
      relevance: 0.88,
      length: -0.58,
      score: 0.81,
      terms,
    }
    const text = show('retry', [hit({ text: 'x', explain })], { width: 40, explain: true })
    for (const term of Object.keys(terms)) assert.match(text, new RegExp(`\\b${term}\\b`))
    for (const line of text.split('\n')) assert.ok(columnsOf(line) <= 44 && !line.includes('…'), line)
  })

  test('are shown and not obeyed', () => {
    const evil = '\x1b]0;title\x07\x9b31m\u202egnp.exe\u{e0041}\r\nnext'
    const text = show('next', [
      hit({ title: `a${evil}`, document: evil, heading: evil, collection: evil, text: evil }),
    ])
    assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u{e0000}-\u{e007f}]/u)
  })

  for (const width of [20, 33, 80])
    test(`keep within ${width} columns, whatever they hold`, () => {
      const texts = [
        'word '.repeat(400),
        'x'.repeat(500),
        '資料を検索する'.repeat(60),
        `${' '.repeat(90)}deep`,
        '\t\t\ttabs\n'.repeat(30),
        '',
      ]
      for (const text of texts) {
        const lines = show('word', [hit({ title: text, text })], { width }).split('\n')
        const snippet = lines.slice(2)
        assert.ok(snippet.length <= 7, `${snippet.length} lines`)
        for (const line of [lines[0]!, ...snippet])
          assert.ok(columnsOf(line) <= width, `${columnsOf(line)}: ${line}`)
      }
    })

  test('no passages are no text', () => assert.equal(show('x', []), ''))
})

test('colours follow NO_COLOR, FORCE_COLOR, --no-color and the terminal', () => {
  const is = (isTTY: boolean, env: Record<string, string>, wanted = true) =>
    colours({ write() {}, isTTY }, env, wanted).bold('x') !== 'x'
  assert.deepEqual(
    [
      is(true, {}),
      is(false, {}),
      is(true, { NO_COLOR: '1' }),
      is(false, { FORCE_COLOR: '1' }),
      is(true, { FORCE_COLOR: '0' }),
      is(true, { FORCE_COLOR: '1', NO_COLOR: '1' }),
      is(true, {}, false),
      is(true, { TERM: 'dumb' }),
    ],
    [true, false, false, true, false, false, false, false],
  )
})
