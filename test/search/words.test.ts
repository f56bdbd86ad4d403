import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type SearchRequest, search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import type { Settings } from '../../src/model/settings.js'
import { estimateTokens } from '../../src/text/tokens.js'
import { type Files, temporaryFolder, world, write } from '../support/world.js'

async function indexed(t: TestContext, files: Files, change: Partial<Settings> = {}) {
  const w = await world(t, files, change)
  await indexAll(w.library, {})
  const ask = (query: string, more: Partial<SearchRequest> = {}) =>
    search(w.library, { query, mode: 'text', ...more })
  const documents = async (query: string, more: Partial<SearchRequest> = {}) =>
    (await ask(query, more)).hits.map((hit) => hit.document)
  return { ...w, ask, documents }
}

const filler = (n: number) => `${'Plain sentences about nothing in particular. '.repeat(n)}\n\n`

describe('search by words', () => {
  test('finds identifiers by their whole, their parts and other spellings', async (t) => {
    const { documents } = await indexed(t, {
      'a.ts': 'export function parseHTTPHeader(line: string) {\n  return line\n}\n',
      'b.md': 'headers of letters',
    })
    for (const query of ['parseHTTPHeader', 'parse_http_header', 'parse http header', 'HTTP header parsing'])
      assert.equal((await documents(query))[0], 'a.ts', query)
  })

  test('a language that the question names is that of the code, and no word in it', async (t) => {
    const { ask } = await indexed(t, {
      'chunks.py':
        'def split_list(items, size):\n    return [items[i:i + size] for i in range(0, len(items), size)]\n',
      'split.go': 'package lists\n\nfunc SplitList(items []int, size int) [][]int {\n\treturn nil\n}\n',
      'python.go':
        'package lists\n\n// FromPython splits a list as python does, in a list.\nfunc FromPython(list []int) {}\n',
      'notes.md': '# Python\n\nHow python came here.\n',
    })
    for (const query of ['python split list by size', 'split list by size in python']) {
      const { hits } = await ask(query, { explain: true })
      assert.equal(hits[0]!.document, 'chunks.py', query)
      const other = hits.find(({ document }) => document === 'split.go')
      assert.equal(other!.explain!.role, 'other language', query)
    }
    assert.equal((await ask('golang split list by size')).hits[0]!.document, 'split.go')
    const named = await ask('python', { explain: true })
    assert.ok(named.hits.length > 1 && named.hits.every(({ explain }) => !explain!.role))
  })

  test('prefers a heading that is the question to a mention in passing', async (t) => {
    const { ask } = await indexed(t, {
      'a.md': `# Mail\n\nSee quiet hours, quiet hours and quiet hours again.\n\n${filler(5)}`,
      'b.md': `# Settings\n\n${filler(3)}## Quiet hours\n\nThey are set per recipient, in the settings of the channel, and hold for every message that is not urgent. An urgent one rings.\n`,
    })
    const [first] = (await ask('Quiet hours')).hits
    assert.deepEqual([first!.document, first!.heading], ['b.md', 'Quiet hours'])
  })

  test('a name with its signs comes before its words alone', async (t) => {
    const { ask, documents } = await indexed(t, {
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [
          `line${i}.ts`,
          `export function line() {\n  return scope(${i})\n}\nexport function maxCount(define: number) { return define }\nexport class Override { count() {} }\n`,
        ]),
      ),
      'assert.c': `void fail(void) {\n  report(__FILE__, __LINE__, "x");\n}\n${'/* other words */\n'.repeat(8)}`,
      'args.ts': "export const args = ['--json', '--max-count', String(limit)]\n",
      'other.ts': "export const others = ['--max-count-of-all', '---max-count']\n",
      'watch.js': 'angular.run(function ($scope, $http) { $http.get($scope.url) })\n',
      'A.java': 'class A { @Override public String toString() { return ""; } }\n',
      'a.h': '#define LIMIT 3\n',
    })
    const first: [query: string, document: string][] = [
      ['__LINE__', 'assert.c'],
      ['--max-count', 'args.ts'],
      ['"--max-count"', 'args.ts'],
      ['$scope', 'watch.js'],
      ['@Override', 'A.java'],
      ['#define', 'a.h'],
    ]
    for (const [query, document] of first) assert.equal((await documents(query))[0], document, query)
    const { hits } = await ask('__LINE__')
    assert.ok(hits.length > 3)
    assert.deepEqual(
      hits.map(({ score }) => score),
      hits.map(({ score }) => score).sort((a, b) => b - a),
    )
    assert.match((await documents('line'))[0]!, /^line/)
  })

  test('requires a quoted phrase, and says so if it is nowhere', async (t) => {
    const { ask, documents } = await indexed(t, {
      'a.md': 'retry the delivery',
      'b.md': 'Every failed\ndelivery retries once.',
    })
    assert.deepEqual(await documents('"failed delivery"'), ['b.md'])
    const loose = await ask('"delivery failed"')
    assert.ok(loose.hits.length > 0)
    assert.deepEqual(
      loose.notes.map(({ code }) => code),
      ['phrase_missed'],
    )
  })

  test('matches a quoted phrase literally, not other forms of its words', async (t) => {
    const { ask, documents } = await indexed(t, {
      'a.md': 'He runs quickly past the news desk. GitHub Actions are on.',
      'b.md': 'She is RUNNING\n*quickly*, in all.',
    })
    assert.deepEqual(await documents('"running quickly"'), ['b.md'])
    for (const query of ['"github actions"', '"GitHub Actions"', '"GITHUB actions"'])
      assert.deepEqual(await documents(query), ['a.md'], query)
    const { hits, notes } = await ask('"new desk"')
    assert.equal(hits.length, 1)
    assert.match(notes[0]!.message, /stands nowhere/)
    const apart = await ask('"runs quickly" "running quickly"')
    assert.match(apart.notes[0]!.message, /^The quoted phrases stand nowhere together/)
  })

  test('knows the quotation marks of other languages', async (t) => {
    const { documents } = await indexed(t, {
      'a.md': 'alte Stadt',
      'b.md': 'Stadt, alte',
      'c.md': '東京都 古い',
      'd.md': '京都 東京',
    })
    for (const query of [
      '„alte Stadt“',
      '„alte Stadt”',
      '«alte Stadt»',
      '»alte Stadt«',
      '”alte Stadt”',
      '‹alte Stadt›',
    ])
      assert.deepEqual(await documents(query), ['a.md'], query)
    assert.deepEqual(await documents('「東京都」'), ['c.md'])
  })

  test('finds a quoted phrase that begins or ends within a word of a script without spaces', async (t) => {
    const { ask, documents } = await indexed(t, {
      'a.md':
        '海豚计划37号已经完成。第12段说明使用HTTP接口。\n\n会議は3月5日の午後2時から。APIキーを。제3회의실에서\n',
      'b.md': '37 of 12, HTTP, 3 to 5 at 2, API keys\n',
    })
    for (const phrase of ['37号', '第12段', 'HTTP接', '3月5日', '午後2時', 'APIキ', '제3회', '号已经']) {
      const { hits, notes } = await ask(`"${phrase}"`)
      assert.deepEqual([hits.map(({ document }) => document), notes], [['a.md'], []], phrase)
    }
    assert.match((await ask('"37段"')).notes[0]!.message, /stands nowhere/)
    assert.match(
      (await ask('"号"')).notes[0]!.message,
      /^A single character of this script cannot be looked for/,
    )
    assert.deepEqual(await documents('"号" "12段"'), ['a.md'])
  })

  test('joins neighbouring passages of one section and keeps their lines', async (t) => {
    const parts = Array.from(
      { length: 4 },
      (_, i) => `Lantern wick part ${i}. ${'More about the lantern wick here. '.repeat(28)}`,
    )
    const { ask, library } = await indexed(t, { 'a.md': `# Wicks\n\n${parts.join('\n\n')}\n` })
    const { hits } = await ask('lantern wick')
    assert.ok(hits.length < (await library.store.counts()).chunks, 'fewer hits than chunks')
    const [first] = hits
    const { text } = (await library.store.document({ source: library.sources[0]!.id, path: 'a.md' }))!
    const lines = text
      .split('\n')
      .slice(first!.lines[0] - 1, first!.lines[1])
      .join('\n')
    const tidy = (shown: string) => shown.replace(/ +$/gm, '')
    assert.equal(tidy(first!.text), tidy(lines))
  })

  for (const [what, text, query] of [
    [
      'what is said between two blocks of code',
      `# Deploy\n\nThese are for staging:\n\n\`\`\`sh\nresetOrders --store orders\nresetOrders --store baskets\nresetOrders --force\n\`\`\`\n\n${'Never run any of the above in production. '.repeat(12)}Use these:\n\n~~~sh\nresetOrders --dry-run --store orders\nresetOrders --archive --store baskets\nresetOrders --report\n~~~\n\n${'The report is kept in the cellar. '.repeat(30)}\n`,
      'resetOrders store orders',
    ],
    [
      'the dashes under its fields',
      '---\nlantern: wick\nkind: brass\n---\n\nA lantern wick.\n',
      'lantern wick',
    ],
    [
      'lines that end as on Windows',
      `# Wicks\r\n\r\n${'About the lantern wick. '.repeat(60)}\r\n\r\n${'More on the lantern wick. '.repeat(50)}\r\n`,
      'lantern wick',
    ],
  ] as const)
    test(`a joined passage has ${what}`, async (t) => {
      const { ask, library } = await indexed(t, { 'a.md': text })
      const { hits } = await ask(query)
      assert.ok(hits.length < (await library.store.counts()).chunks, 'fewer hits than chunks')
      for (const hit of hits) {
        const lines = text
          .split('\n')
          .slice(hit.lines[0] - 1, hit.lines[1])
          .join('\n')
        assert.equal(hit.text.trimEnd(), lines.trimEnd())
      }
      assert.ok(hits.some((hit) => hit.lines[1] - hit.lines[0] > 1))
    })

  test('shows a fenced block once, though it is indexed twice', async (t) => {
    const { ask } = await indexed(t, {
      'a.md':
        '# Setup\n\nRun this:\n\n```sh\nlanternctl trim --all\nlanternctl drain\nlanternctl status\n```\n\nDone.\n',
    })
    assert.equal((await ask('lanternctl drain')).hits.length, 1)
  })

  test('lets no document crowd out others, but fills the list', async (t) => {
    const long = Array.from(
      { length: 12 },
      (_, i) => `## Part ${i}\n\nlantern lantern lantern ${filler(8)}`,
    ).join('\n')
    const { documents } = await indexed(t, {
      'long.md': `# Long\n\n${long}`,
      'b.md': `lantern ${filler(9)}`,
      'c.md': `lantern ${filler(12)}`,
    })
    const found = await documents('lantern', { limit: 6 })
    assert.equal(found.length, 6)
    assert.ok(found.includes('b.md') && found.includes('c.md'), String(found))
    assert.equal((await documents('lantern', { limit: 6, under: ['long.md'] })).length, 6)
  })

  test('shows the good passages of one document before far worse ones of others', async (t) => {
    const parts = 'inlet outlet bypass relief throttle check needle gate globe ball'.split(' ')
    const others = 'bread cheese chess comets ferns knots moss opera sailing skating tax violin'.split(' ')
    const { documents } = await indexed(t, {
      'manual.md': `# Manual\n\n${parts
        .map((part) => `## Valve calibration of the ${part}\n\nPressure gauge ${part}. ${filler(8)}`)
        .join('\n')}`,
      ...Object.fromEntries(
        others.map((word) => [`${word}.md`, `A ${word} has no valve. ${word} ${filler(9)}`]),
      ),
    })
    const query = 'valve calibration pressure gauge'
    assert.deepEqual(await documents(query, { limit: 10 }), Array(10).fill('manual.md'))
    const more = await documents(query, { limit: 15 })
    assert.deepEqual(
      more.map((document) => document === 'manual.md'),
      [...Array(10).fill(true), ...Array(5).fill(false)],
    )
  })

  test('stays within a token budget, cuts at characters and never gives nothing', async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`p${i}.md`, `# P${i}\n\nlantern 🏮 ${filler(20)}`]),
    )
    const { ask } = await indexed(t, files)
    for (const maxTokens of [1, 40, 300, 2000]) {
      const { hits } = await ask('lantern', { maxTokens })
      assert.ok(hits.length > 0)
      const tokens = hits.reduce((sum, hit) => sum + estimateTokens(hit.text), 0)
      assert.ok(tokens <= maxTokens + 1, `${tokens} of ${maxTokens}`)
      for (const { text } of hits) assert.ok(!/\p{Surrogate}/u.test(text))
    }
  })

  test('says how many passages a token budget left out', async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`p${i}.md`, `# P${i}\n\nlantern ${i} ${filler(20)}`]),
    )
    const { ask } = await indexed(t, files)
    const notesFor = async (more: Partial<SearchRequest>) => {
      const { hits, notes } = await ask('lantern', more)
      return [hits.length, hits.at(-1)?.cut, notes.map(({ code, message }) => `${code}: ${message}`)]
    }
    assert.deepEqual(await notesFor({}), [9, undefined, []])
    assert.deepEqual(await notesFor({ maxTokens: 100 }), [
      1,
      true,
      ['cut: 8 more passages did not fit max_tokens.'],
    ])
    assert.deepEqual(await notesFor({ maxTokens: 100, limit: 2 }), [
      1,
      true,
      ['cut: 1 more passage did not fit max_tokens.'],
    ])
  })

  test('looks past any number of copies to fill the limit', async (t) => {
    const files: Files = {}
    for (let i = 0; i < 450; i++) files[`p${i}/LICENSE.md`] = '# License\n\nThe license of this part.'
    for (let i = 0; i < 12; i++)
      files[`docs/d${i}.md`] = `# D${i}\n\n${filler(9 + i)}About the license, once.`
    const { ask, documents } = await indexed(t, files)
    for (const limit of [1, 2, 10, 13, 15])
      assert.equal((await documents('license', { limit })).length, Math.min(limit, 13), String(limit))
    assert.equal(new Set(await documents('license', { limit: 13 })).size, 13)
    const { hits, stages } = await ask('license', { limit: 13, explain: true })
    assert.deepEqual(
      stages.map(({ name, state }) => `${name} ${state}`),
      ['words ran', 'assemble ran'],
    )
    assert.deepEqual(
      hits.map(({ explain }) => explain!.words!.rank!).slice(1),
      hits
        .map(({ explain }) => explain!.words!.rank!)
        .slice(1)
        .toSorted((a, b) => a - b),
    )
    assert.ok(hits.slice(1).every(({ explain }) => explain!.words!.rank! > 450))
  })

  test('reports a folder, tag or language without documents, and suggests the closest name', async (t) => {
    const { ask, documents } = await indexed(t, {
      'en/guides/a.md': '---\ntags: [ops]\n---\nlantern wick\n\n```python\nlantern = 1\n```\n',
      'b.py': 'lantern = 2\n',
      [`${'Über'.normalize('NFD')}/c.md`]: 'lantern oil',
    })
    for (const language of ['python', 'Python', 'PY'])
      assert.ok((await documents('lantern', { languages: [language] })).includes('b.py'), language)
    const notesFor = async (more: Partial<SearchRequest>) => {
      const { hits, notes } = await ask('lantern', more)
      return [hits.length, ...notes.map(({ code, message }) => `${code}: ${message}`)]
    }
    assert.deepEqual(await notesFor({ under: ['EN/guides'] }), [
      0,
      'empty_scope: There is no folder "EN/guides" with documents. Did you mean "en/guides"?',
    ])
    assert.deepEqual(await notesFor({ under: ['en', 'nowhere-at-all'] }), [
      1,
      'empty_scope: There is no folder "nowhere-at-all" with documents.',
    ])
    assert.deepEqual(await notesFor({ tags: ['osp'] }), [
      0,
      'empty_scope: No document has the tag "osp". Did you mean "ops"?',
    ])
    assert.deepEqual(await notesFor({ languages: ['pyhton'] }), [
      0,
      'empty_scope: There is no code in "pyhton". Did you mean "python"?',
    ])
    assert.deepEqual(await notesFor({ languages: ['go'] }), [0, 'empty_scope: There is no code in "go".'])
    const [composed, decomposed] = [['Über'.normalize('NFC')], ['Über'.normalize('NFD')]]
    for (const under of [composed, decomposed]) assert.deepEqual(await notesFor({ under }), [1])
    assert.deepEqual(await notesFor({ under: ['.'], tags: ['ops'] }), [1])
    assert.deepEqual(await notesFor({ under: ['en'], languages: ['py'] }), [
      0,
      'empty_scope: Nothing is in all of these scopes.',
    ])
  })

  test('names the other places of a text that is shown once', async (t) => {
    const { root, ask } = await indexed(t, {
      'a.md': '# Same\n\nThe harbour is closed.',
      'b.md': '# Same\n\nThe harbour is closed.',
      'c.md': '# Same\n\nThe harbour is closed.',
      'd.md': '# Other\n\nAnother harbour.',
    })
    const notesFor = async () =>
      (await ask('harbour')).notes.map(({ code, message }) => `${code}: ${message}`)
    const prefix = 'copies: A text is shown once: what a.md says also stands in'
    assert.deepEqual(await notesFor(), [`${prefix} 2 other documents (b.md, c.md).`])
    rmSync(join(root, 'b.md'))
    assert.deepEqual(await notesFor(), [`${prefix} 1 other document (c.md).`])
  })

  test('puts passages with a quoted phrase in the text before those with it in the path alone', async (t) => {
    const files: Files = {
      'x/said.md': `${filler(12)}\n\nThere the rate limit was named once.\n\n${filler(12)}`,
      'x/apart.md': 'The limit of a rate.',
    }
    for (let i = 0; i < 700; i++) files[`rate-limit/n${i}.txt`] = `rate and limit, ${i}`
    const { ask, documents } = await indexed(t, files)
    for (const limit of [1, 5]) {
      const found = await documents('"rate limit"', { limit })
      assert.deepEqual([found[0], found.length], ['x/said.md', limit])
    }
    const { hits } = await ask('"rate limit"', { limit: 1000 })
    assert.equal(hits.length, 701)
    assert.ok(hits.every(({ score }, i) => score <= (hits[i - 1]?.score ?? 1)))
    assert.ok(hits.every(({ document }) => document !== 'x/apart.md'))
    const named = await ask('"rate limit"', { under: ['rate-limit'], limit: 3 })
    assert.deepEqual([named.hits.length, named.notes], [3, []])
  })

  test('finds a quoted phrase below any number of passages that only have its words', async (t) => {
    const files: Files = {}
    for (let i = 0; i < 2100; i++) files[`n/${i}.txt`] = `server error ${i}`
    files['z.txt'] = `${filler(20)}the error server is down`
    const { ask } = await indexed(t, files)
    const { hits, notes } = await ask('"error server"')
    assert.deepEqual(
      hits.map(({ document }) => document),
      ['z.txt'],
    )
    assert.deepEqual(notes, [])
    const nowhere = await ask('"error server error"', { limit: 3 })
    assert.equal(nowhere.hits.length, 3)
    assert.match(nowhere.notes[0]!.message, /stands nowhere/)
    const other = await ask('"nonexistent phrase"')
    assert.equal(other.hits.length, 0)
    assert.doesNotMatch(other.notes[0]!.message, /these/)
    const late = await ask('"error server"', { deadlineMs: 1, explain: true })
    assert.match(late.notes[0]!.message, /not among the best \d+ passages/)
    assert.ok(late.stages.some(({ name, state }) => name === 'words' && state === 'cut'))
  })

  test('narrows before ranking: a scope never starves', async (t) => {
    const files: Files = {
      'deep/only.md': '---\ntags: [ops/night]\n---\nlantern once, at the very end of everything',
    }
    for (let i = 0; i < 150; i++) files[`many/p${i}.md`] = `# Lantern ${i}\n\nlantern lantern lantern`
    const { documents } = await indexed(t, files)
    assert.deepEqual(await documents('lantern', { under: ['deep'] }), ['deep/only.md'])
    assert.deepEqual(await documents('lantern', { tags: ['ops'] }), ['deep/only.md'])
    assert.equal((await documents('lantern', { under: ['many'], limit: 100 })).length, 100)
  })

  test('names the nearest collection when one is unknown', async (t) => {
    const { ask } = await indexed(t, { 'a.md': 'alpha' })
    await assert.rejects(ask('alpha', { collections: ['projekt'] }), {
      code: 'unknown_collection',
      hint: 'Did you mean "project"?',
    })
  })

  test('explains itself: ranks, scores, what each word added, and the stages', async (t) => {
    const { ask } = await indexed(t, { 'a.md': 'lantern wick', 'b.md': 'lantern' })
    const { hits, stages } = await ask('lantern wick', { explain: true })
    const { words, terms, score } = hits[0]!.explain!
    assert.equal(words!.rank, 1)
    assert.ok(terms.lantern! > 0 && terms.wick! > terms.lantern!)
    assert.ok(Math.abs(terms.lantern! + terms.wick! - words!.score) < 1e-9)
    assert.ok(score > hits[1]!.explain!.score)
    assert.deepEqual(
      stages.map(({ name, state }) => `${name} ${state}`),
      ['words ran', 'assemble ran'],
    )
  })

  test('gives scores from 0 to 1 that do not rise down the list', async (t) => {
    const { ask } = await indexed(
      t,
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`p${i}.md`, `lantern ${'wick '.repeat(i)} ${filler(i % 5)}`]),
      ),
    )
    const scores = (await ask('lantern wick', { limit: 20 })).hits.map((hit) => hit.score)
    assert.ok(scores.every((score, i) => score >= 0 && score <= 1 && (i === 0 || score <= scores[i - 1]!)))
  })

  test('answers the same bytes again, and after the index was made anew from another history', async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`p${i % 7}/q${i}.md`, `# Same\n\nlantern wick ${i % 3}`]),
    )
    const one = await indexed(t, files)
    const two = await indexed(
      t,
      Object.fromEntries(
        Object.entries(files)
          .reverse()
          .map(([path]) => [path, 'something else first']),
      ),
    )
    write(two.root, files)
    await indexAll(two.library, {})
    const bytes = async (w: typeof one) => JSON.stringify((await w.ask('lantern wick', { limit: 25 })).hits)
    assert.equal(await bytes(one), await bytes(one))
    assert.equal(await bytes(one), await bytes(two))
  })
})

describe('a bad question', () => {
  const questions: Record<string, string> = {
    'nothing at all': '',
    'white space': ' \t\n ',
    'signs only': '?!… --- ***',
    'ten thousand characters': 'lantern wick '.repeat(800),
    'a hundred thousand characters without a space': 'x'.repeat(100_000),
    'unclosed quotes': '"lantern',
    'empty quotes': '"" lantern',
    SQL: "'; DROP TABLE chunks; --",
    'NUL and half a surrogate': 'lan\0tern \ud83d',
    'words of every script': 'фонарь 提灯 مصباح λύχνος',
    'stop words only': 'how to be or not to be',
  }
  for (const [what, query] of Object.entries(questions))
    test(`of ${what} is answered in time, without an error`, async (t) => {
      const { ask } = await indexed(t, { 'a.md': 'lantern wick to be' })
      const answer = await ask(query)
      assert.ok(Array.isArray(answer.hits))
      if (query.trim() === '' || what === 'signs only')
        assert.deepEqual(
          answer.notes.map(({ code }) => code),
          ['empty_query'],
        )
    })

  test('to an empty index gets the next step', async (t) => {
    const w = await world(t)
    assert.deepEqual(
      (await search(w.library, { query: 'lantern', mode: 'text' })).notes.map(({ code }) => code),
      ['empty_index'],
    )
  })
})

describe('a fenced block that is found', () => {
  test('is shown with the section that explains it', async (t) => {
    const { ask } = await indexed(t, {
      'a.md': `# Errors\n\n## LNT-9 is back\n\n\`\`\`text\nLNT-9: recipient rcp_55 cannot be reached until 07:00, message expires at 06:30\n\`\`\`\n\nSend it as urgent, or choose another recipient for it. That helps in most cases.\n`,
    })
    const { hits } = await ask('LNT-9')
    assert.equal(hits.length, 1)
    assert.match(hits[0]!.text, /Send it as urgent/)
  })
})

describe('files that changed since they were indexed', () => {
  test('are shown as they are now, and not at all when they are gone', async (t) => {
    const { root, ask } = await indexed(t, {
      'd1.md': '# One\n\nthe yak is here',
      'd2.md': '# Two\n\na yak again',
      'd3.md': '# Three\n\nyak for the third time',
    })
    write(root, { 'd1.md': '# One\n\nnow it is a gnu' })
    rmSync(join(root, 'd2.md'))
    const { hits, notes, stages } = await ask('yak')
    assert.deepEqual(
      hits.map(({ document }) => document),
      ['d3.md'],
    )
    assert.deepEqual(notes, [])
    assert.deepEqual(
      stages.map(({ name }) => name),
      ['words', 'assemble', 'freshen'],
    )
    assert.equal((await ask('gnu')).hits[0]?.document, 'd1.md')
  })

  test('do not come up from below those that were shown first', async (t) => {
    const files: Files = { 'z.md': `${filler(9)}a yak` }
    for (let i = 0; i < 25; i++) files[`d${i}.md`] = `# Yak\n\nyak number ${i}`
    const { root, documents } = await indexed(t, files)
    for (let i = 0; i < 25; i++) rmSync(join(root, `d${i}.md`))
    assert.deepEqual(await documents('yak', { limit: 5 }), ['z.md'])
  })

  test('and cannot be read are shown as they were, and say so', async (t) => {
    const { root, ask } = await indexed(t, { 'a.md': 'yak' }, { data: temporaryFolder(t) })
    rmSync(root, { recursive: true })
    const { hits, notes } = await ask('yak')
    assert.deepEqual([hits.length, notes.map(({ code }) => code)], [1, ['stale']])
  })
})
