import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.js'
import { countTerms } from './count.js'
import { holdsPhrase, holdsRun, isStopWord, phraseTerms, terms, termsNeeded, writtenWords } from './terms.js'

// Wholes are shown in brackets, before their parts.
function check(title: string, text: string, expected: string) {
  test(title, () => {
    const found = terms(text).map((t) => (t.whole ? `[${t.term}]` : t.term))
    assert.equal(found.join(' '), expected)
  })
}

describe('terms', () => {
  check('stems English words', 'Retries were failing quickly', 'retri were fail quickli')
  check('splits camel case and keeps it whole', 'parseHTTPHeader', '[parsehttpheader] pars http header')
  check('splits snake case and keeps it whole', 'retry_budget', '[retrybudget] retri budget')
  check('gives both spellings of an identifier one whole', 'retryBudget', '[retrybudget] retri budget')
  check('reads constants', 'MAX_RETRY_COUNT', '[maxretrycount] max retri count')
  check('keeps dotted names whole', 'client.retry.max', '[client.retry.max] client retri max')
  check('keeps versions whole, with or without v', 'v2.14.0 2.14.0', '[2.14.0] 2 14 0 [2.14.0] 2 14 0')
  check('keeps dates whole', '2026-01-15', '[2026-01-15] 2026 01 15')
  check('keeps error codes whole', 'LNT-4031', '[lnt4031] lnt 4031')
  check(
    'keeps paths, their file names and their parts',
    'src/text/terms.ts',
    '[src/text/terms.ts] [terms.ts] src text term ts',
  )
  check('reads Windows paths as paths', 'src\\text.ts', '[src/text.ts] [text.ts] src text ts')
  check('keeps e-mail addresses whole', 'ada@example.org', '[ada@example.org] ada exampl org')
  check('joins hyphenated words', 'on-call e-mail', '[oncall] on call [email] e mail')
  check('reads flags', '--no-cache', '[nocache] no cach')
  check('folds accents, ligatures and case', 'Größe naïve ﬁne Łódź', 'gross naiv fine lodz')
  check('reads contractions as one word and drops the possessive', "don't team's", 'dont team')
  check('keeps C++ and C#', 'C++ and C#, not C', 'c++ and c# not c')
  check('reads plural acronyms', 'APIs and IDs', 'api and id')
  check('pairs the characters of scripts without spaces', '東京都 本', '東京 京都 本')
  check('pairs characters beyond the basic plane', '𠮷野家', '𠮷野 野家')
  check('reads Cyrillic', 'Иван', 'иван')
  for (const word of ['École', 'ÜBUNGEN', 'GrößeÄndern', 'Ấn', 'İstanbul', 'Ёлка', 'データベース', '부산'])
    test(`reads ${word} as one whichever way its accents are written`, () => {
      const [composed, apart] = ['NFC', 'NFD'].map((form) => terms(word.normalize(form)))
      assert.deepEqual(
        apart!.map(({ term, whole }) => ({ term, whole })),
        composed!.map(({ term, whole }) => ({ term, whole })),
      )
    })
  check('keeps a capital and a mark together that have no character of their own', 'M\u0304ana', 'mana')
  check('reads both small sigmas as one', 'Σ.Οδός ΟΔΟΣ.md', '[σ.οδοσ] σ οδοσ [οδοσ.md] οδοσ md')
  check('keeps vowels that are marks, unlike accents', 'पिता पता தமிழ் বাংলা', 'पिता पता தமிழ் বাংলা')
  check(
    'drops the dot of borrowed sounds and the points of Hebrew and Arabic',
    'ज़रूरत שָׁלוֹם مُحَمَّد',
    'जरूरत שלום محمد',
  )
  check('pairs narrow kana as wide ones', 'ﾃﾞｰﾀﾍﾞｰｽ', 'デー ータ タベ ベー ース')
  check('finds nothing in signs, emoji and emptiness', ' \t\n!?… 🚀 ', '')
  check(
    'reads past soft hyphens and zero-width spaces',
    'Confi\u00adgu\u00adrations zanzi\u200bbar',
    'configur zanzibar',
  )
  check('reads identifiers past them', 'retry\u200b_\u2060budget', '[retrybudget] retri budget')
  check('reads compounds past them', 'on-\u00adcall, at end.\u200b Next', '[oncall] on call at end next')
  check('reads a word between them', '\ufeff\u200bplain\u200b \u200b .\u200b.', 'plain')
  check('parts what they stand between as it would be parted', 'yes.\u200b.no', 'yes no')
  check('pairs characters past them', '東\u200b京都\u200b', '東京 京都')
  check('parts words at joiners that shape letters', 'می\u200cخواهم', 'می خواهم')
  check('drops endless runs', 'x'.repeat(300), '')

  test('offsets cover the word as it stands in the text', () => {
    const text = 'see parseHTTPHeader, now'
    const [, whole] = terms(text)
    assert.equal(text.slice(whole!.start, whole!.end), 'parseHTTPHeader')
  })

  test('is total, and finds nothing that is empty or has a space', () => {
    const law = fc.property(anyText({ maxLength: 300 }), (text) => {
      for (const { term, start, end } of terms(text)) {
        assert.ok(term.length > 0 && !/\s/.test(term), JSON.stringify(term))
        assert.ok(start >= 0 && start < end && end <= text.length)
      }
    })
    fc.assert(law, { seed: 7, numRuns: 500 })
  })

  test('does not depend on what was read before', () => {
    const law = fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 5 }),
      (texts) => {
        const alone = texts.map((text) => terms(text))
        const again = texts
          .toReversed()
          .map((text) => terms(text))
          .toReversed()
        assert.deepEqual(alone, again)
      },
    )
    fc.assert(law, { seed: 7, numRuns: 200 })
  })

  test('knows words that say nothing', () => {
    assert.deepEqual(['the', 'how', 'lantern'].map(isStopWord), [true, true, false])
  })
})

describe('counting', () => {
  const passage = { title: '', headings: '', names: '', body: '' }

  test('counts each field by itself', () => {
    const fields = { title: 'Retry', headings: '', names: 'retry.ts', body: 'retry the retry' }
    const { words, chunks } = countTerms([fields])
    const at = chunks[0]!.places.indexOf(words.indexOf('retri'))
    assert.deepEqual([...chunks[0]!.counts.slice(at * 4, at * 4 + 4)], [1, 0, 1, 2])
    assert.deepEqual(chunks[0]!.lengths, [1, 0, 2, 3])
  })

  test('does not count wholes as length', () => {
    const { chunks } = countTerms([{ ...passage, body: 'parseHTTPHeader' }])
    assert.deepEqual(chunks[0]!.lengths, [0, 0, 0, 3])
  })

  test('holds a word once, whichever chunks have it', () => {
    const { words, chunks } = countTerms([
      { ...passage, title: 'Lantern', body: 'oil' },
      { ...passage, title: 'Lantern', body: 'wick oil lantern' },
    ])
    assert.deepEqual(
      chunks.map(({ places }) => Array.from(places, (place) => words[place])),
      [
        ['lantern', 'oil'],
        ['lantern', 'wick', 'oil'],
      ],
    )
    assert.equal(words.indexOf('oil'), words.lastIndexOf('oil'))
    assert.deepEqual([...chunks[1]!.counts.slice(0, 4)], [1, 0, 0, 1])
  })
})

describe('phrases', () => {
  test('are found as a run of terms, whatever the inflection and the line breaks', () => {
    assert.ok(holdsPhrase('It retries\nfailed deliveries twice.', phraseTerms('retry failed delivery')))
  })

  test('are not found when a word stands between', () => {
    assert.ok(!holdsPhrase('retry the delivery', phraseTerms('retry delivery')))
  })

  const written: [phrase: string, text: string, stands: boolean][] = [
    ['new desk', 'the news desk', false],
    ['new desk', 'A NEW,\n  desk.', true],
    ['general universe', 'general universities', false],
    ['grosse fine', 'Die Größe ﬁne', true],
    ['github actions', 'GitHub Actions', true],
    ['retry budget', 'the retry_budget', true],
    ['on call', 'the on-call rota', true],
    ["don't panic", 'Don’t panic', true],
    ['2.14.0', 'since v2.14.0', true],
    ['c tips', 'C++ tips', false],
    ['c++ tips', 'C++ tips', true],
    ['京都', '東京都', true],
    ['各', '東京都', false],
    ['37号', '海豚计划37号已经完成', true],
    ['第12段', '见第12段说明', true],
    ['3月5日', '会議は3月5日の午後', true],
    ['次 始まる', '終わり次始まる', true],
    ['각', '가', false],
    ['data protection', 'the da\u00adta pro\u00adtection law', true],
    ['da\u00adta pro\u200btection', 'the data protection law', true],
    ['Git\u200bHub', 'on github', true],
    ['ete', 'l’e\u0301te\u0301', true],
    ['पता', 'यह मेरे पिता हैं', false],
    ['पिता', 'यह मेरे पिता हैं', true],
  ]
  for (const [phrase, text, stands] of written)
    test(`as written, "${phrase}" ${stands ? 'stands' : 'does not stand'} in ${JSON.stringify(text)}`, () => {
      assert.equal(holdsRun(writtenWords(text), writtenWords(phrase)), stands)
      const there = new Set(terms(text).map(({ term }) => term))
      if (stands) assert.ok(termsNeeded(phrase).every((term) => there.has(term)))
    })
})
