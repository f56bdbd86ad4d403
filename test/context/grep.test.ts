import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { Problem } from '../../src/model/problem.js'
import { ripgrep } from '../../src/sources/ripgrep.js'
import { type GrepRequest, grepCodebase } from '../../src/toolsets/context/grep.js'
import { readFile } from '../../src/toolsets/context/read-file.js'
import { track } from '../support/git-index.js'
import { type Files, temporaryFolder, world } from '../support/world.js'

async function greps(t: TestContext, files: Files) {
  const { library, root } = await world(t, files)
  const ask = (request: Partial<GrepRequest> & { pattern: string }, signal?: AbortSignal) =>
    grepCodebase(library, { caseSensitive: false, limit: 50, ...request }, {}, signal)
  return { ask, root, library }
}

const files: Files = {
  'src/auth/token.ts':
    'import jwt\n\n// Signs a token.\nexport function sign(payload) {\n  const token = jwt.sign(payload)\n  return token\n}\n',
  'src/auth/check.ts': 'export const check = (t) => JWT.sign(t)\n',
  'docs/auth.md': 'We call jwt.sign once; jwt.sign is slow.\n',
}

test('a match has its line, its column and two lines on each side', async (t) => {
  const { ask } = await greps(t, files)
  const { matches, totalMatches, filesSearched } = await ask({
    pattern: 'jwt\\.sign',
    filePattern: 'src/**/*.ts',
    caseSensitive: true,
  })
  assert.deepEqual(matches, [
    {
      file: 'src/auth/token.ts',
      line: 5,
      column: 17,
      text: '  const token = jwt.sign(payload)',
      context: {
        before: ['// Signs a token.', 'export function sign(payload) {'],
        after: ['  return token', '}'],
      },
      enclosing: 'sign',
    },
  ])
  assert.deepEqual({ totalMatches, filesSearched }, { totalMatches: 1, filesSearched: 2 })
})

test('totals are true and the order is by path, whatever the limit', async (t) => {
  const many: Files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`f/${String(i).padStart(3, '0')}.txt`, 'ab ab\nab\n']),
  )
  const { ask } = await greps(t, many)
  const all = await ask({ pattern: 'ab', limit: 100 })
  assert.deepEqual([all.matches.length, all.totalMatches, all.filesSearched], [100, 900, 300])
  const few = await ask({ pattern: 'ab', limit: 7 })
  assert.deepEqual(few.matches, all.matches.slice(0, 7))
  assert.deepEqual(few.matches.map(({ file, line, column }) => `${file}:${line}:${column}`).slice(0, 4), [
    'f/000.txt:1:1',
    'f/000.txt:2:1',
    'f/001.txt:1:1',
    'f/001.txt:2:1',
  ])
})

test('an answer without matches says what was searched', async (t) => {
  const { ask } = await greps(t, files)
  const { matches, totalMatches, filesSearched } = await ask({ pattern: 'nonexistent' })
  assert.deepEqual([matches, totalMatches, filesSearched], [[], 0, 3])
})

test('reports a glob that no file matches', async (t) => {
  const { ask } = await greps(t, files)
  const { filesSearched, notes } = await ask({ pattern: 'x', filePattern: '**/*.nope' })
  assert.equal(filesSearched, 0)
  assert.match(notes.join(), /^No file fits "\*\*\/\*\.nope": globs go from the project root/)
  for (const filePattern of ['', '**', undefined])
    assert.deepEqual((await ask({ pattern: 'nonexistent', filePattern })).notes, [])
})

const excluded: Files = {
  'seen.txt': 'needle\n',
  '.github/ci.yml': 'needle\n',
  'node_modules/a/index.js': 'needle\n',
  'packages/p/node_modules/b.js': 'needle\n',
  '.git/config': 'needle\n',
  'dist/x.js': 'needle\n',
  'build/x.js': 'needle\n',
  '.next/x.js': 'needle\n',
  '.context/x.md': 'needle\n',
  '.carrel/notes.txt': 'needle\n',
  '.env': 'needle\n',
  '.ENV': 'needle\n',
  '.env.local': 'needle\n',
  'home/.Kube/config': 'needle\n',
  'Prod.ENV': 'needle\n',
  'src/.env.production': 'needle\n',
  'server.key': 'needle\n',
  'server.key.bak': 'needle\n',
  '.env~': 'needle\n',
  'ops/kubeconfig': 'needle\n',
  'ignored/a.txt': 'needle\n',
  'a.gen.ts': 'needle\n',
  '.gitignore': 'ignored/\n*.gen.ts\n',
}

const globs = [
  undefined,
  '**',
  '**/*',
  '*',
  '!nothing',
  '.*',
  'node_modules/**',
  '!!node_modules',
  '{node_modules,.git,.env*,seen.txt}/**',
  '.env*',
  '*.bak',
  'ops/**',
  'ignored/a.txt',
  'ignored/**',
  '*.gen.ts',
  '*.ts',
  'dist/',
  './.git/config',
  '../**',
  '/etc/**',
]
for (const filePattern of globs)
  test(`no glob includes excluded files: ${filePattern}`, async (t) => {
    const { ask } = await greps(t, excluded)
    const { matches } = await ask({ pattern: 'needle', filePattern })
    const beyond = matches.filter(({ file }) => !['seen.txt', '.github/ci.yml'].includes(file))
    assert.deepEqual(beyond, [])
    if (['**', '**/*', '*', undefined].includes(filePattern)) assert.equal(matches.length, 2)
  })

test('a folder with a name of build output is searched if git tracks it, as in the index', async (t) => {
  const { ask, root } = await greps(t, {
    'src/build/a.ts': 'needle\n',
    'src/build/new.txt': 'needle\n',
    'build/out.js': 'needle\n',
    'target/x.rs': 'needle\n',
    'coverage/x.html': 'needle\n',
    'src/BUILD': 'needle\n',
    'src/Dist/a.ts': 'needle\n',
    'lib/build': 'needle\n',
    'Node_Modules/a.js': 'needle\n',
  })
  const found = async (filePattern?: string) => {
    const { matches, filesSearched } = await ask({ pattern: 'needle', filePattern })
    assert.equal(filesSearched, matches.length)
    return matches.map(({ file }) => file)
  }
  const named = ['lib/build', 'src/BUILD', 'src/Dist/a.ts']
  assert.deepEqual(await found(), named)
  track(root, ['src/build/a.ts'])
  assert.deepEqual(await found(), [...named, 'src/build/a.ts', 'src/build/new.txt'])
  assert.deepEqual(await found('*.ts'), ['src/Dist/a.ts', 'src/build/a.ts'])
  assert.deepEqual(await found('src/build/'), ['src/build/a.ts', 'src/build/new.txt'])
})

test('files that are too large to be searched are named', async (t) => {
  const { ask, root, library } = await greps(t, { '.gitignore': 'ignored\n', 'small.sql': 'needle\n' })
  for (const folder of ['big', 'ignored', 'dist']) mkdirSync(join(root, folder))
  for (const path of ['big/dump.sql', 'big/b.txt', 'ignored/c.txt', 'dist/d.txt', '.env']) {
    writeFileSync(join(root, path), 'needle\n')
    truncateSync(join(root, path), 20_000_001)
  }
  const answerFor = async (filePattern?: string) => {
    const { totalMatches, filesSearched, notes } = await ask({ pattern: 'needle', filePattern })
    return [totalMatches, filesSearched, ...notes]
  }
  const large = 'larger than 20 MB: big/'
  assert.deepEqual(await answerFor('big/dump.sql'), [0, 0, `Not searched, as it is ${large}dump.sql.`])
  assert.deepEqual(await answerFor('*.sql'), [1, 1, `Not searched, as it is ${large}dump.sql.`])
  assert.deepEqual(await answerFor('small.sql'), [1, 1])
  assert.deepEqual((await answerFor())[2], `Not searched, as they are ${large}b.txt, big/dump.sql.`)
  await assert.rejects(
    readFile(library, { path: 'big/dump.sql', includeDeps: false, maxDepth: 0 }),
    (error) => {
      assert.match((error as Problem).hint ?? '', /grep_codebase does not look into it/)
      return true
    },
  )
})

test('lines are counted as read_file counts them, whatever they end with', async (t) => {
  const { ask, library } = await greps(t, {
    'log.txt': 'progress 1%\rprogress 2%\rdone\nerror needle\n',
    'twice.txt': 'one\r\r\ntwo\r\r\nneedle three\r\r\n',
    'old.txt': 'one\rneedle two\rthree\rfour needle',
    'windows.txt': 'one\r\nneedle\r\n',
    'notes.md': '# One\rstill one\n\n# Two needle\n',
  })
  const { matches } = await ask({ pattern: 'needle' })
  const lines = matches.map(({ file, line, column }) => `${file}:${line}:${column}`)
  assert.deepEqual(lines, [
    'log.txt:2:7',
    'notes.md:3:7',
    'old.txt:2:1',
    'old.txt:4:6',
    'twice.txt:3:1',
    'windows.txt:2:1',
  ])
  assert.deepEqual(matches[2]!.context, { before: ['one'], after: ['three', 'four needle'] })
  for (const { file, line } of matches) {
    const read = await readFile(library, {
      path: file,
      includeDeps: false,
      maxDepth: 0,
      startLine: line,
      endLine: line,
    })
    assert.match(read.file.content, /needle/)
  }
  await indexAll(library, {})
  const { hits } = await search(library, { query: 'needle', mode: 'text' })
  const found = Object.fromEntries(hits.map(({ document, lines }) => [document, lines]))
  assert.deepEqual(
    [found['log.txt'], found['notes.md'], found['old.txt']],
    [
      [1, 2],
      [1, 3],
      [1, 4],
    ],
  )
})

test('links are not followed, neither files nor folders', async (t) => {
  const outside = temporaryFolder(t)
  writeFileSync(join(outside, 'secret.txt'), 'needle\n')
  const { ask, root } = await greps(t, { 'a.txt': 'nothing\n' })
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(outside, join(root, 'folder'))
  for (const filePattern of [undefined, '**', 'link.txt', 'folder/**']) {
    const { totalMatches } = await ask({ pattern: 'needle', filePattern })
    assert.equal(totalMatches, 0)
  }
})

const syntax = /without look-around and back-references; escape signs with/
const invalid: [pattern: string, reason: RegExp, hint: RegExp][] = [
  ['[invalid(', /unclosed character class/, syntax],
  ['(?=ahead)', /look-around/, syntax],
  ['(a)\\1', /backreferences/, syntax],
  ['a\\nb', /not allowed/, /within one line: /],
  ['a\nb', /not allowed/, /within one line: /],
  ['(((a{1000}){1000}){1000})', /size limit|too big|exceeds/, /shorter pattern/],
  ['nul\0', /NUL/, /Leave it out/],
  ['*', /repetition/, syntax],
]
for (const [pattern, reason, hint] of invalid)
  test(`an invalid pattern is refused with ripgrep's own reason: ${JSON.stringify(pattern)}`, async (t) => {
    const { ask } = await greps(t, files)
    await assert.rejects(ask({ pattern }), (error: Problem & { details?: Record<string, string> }) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.message, 'Invalid regex pattern')
      assert.equal(error.details?.pattern, pattern)
      assert.match(error.details?.reason ?? '', reason)
      assert.match(error.hint ?? '', hint)
      return true
    })
  })

test('a broken glob of files is refused, and does not read as "no matches"', async (t) => {
  const { ask } = await greps(t, files)
  for (const filePattern of ['[bad', '{a,b'])
    await assert.rejects(ask({ pattern: 'jwt', filePattern }), { code: 'invalid_glob' })
})

const hostile = ['(a+)+$', '(a|a)*b', '(x+x+)+y', '.*.*.*.*=.*', '\\p{L}{40}', '(\\w{10}){8}', 'e*', '^', '']
for (const pattern of hostile)
  test(`a hostile pattern ends: ${JSON.stringify(pattern)}`, async (t) => {
    const { ask } = await greps(t, {
      'a.txt': `${'a'.repeat(60_000)}!\n`.repeat(3),
      'b.txt': 'x'.repeat(100_000),
    })
    const start = performance.now()
    const { matches } = await ask({ pattern })
    assert.ok(matches.length <= 50 && performance.now() - start < 20_000)
  })

test('a file in Windows-1252 is found by its accents and shown decoded', async (t) => {
  const text = '// Le café est fermé “l’été”.\nconst café = "thé"\r\nnaïve needle\n'
  const quotes: Record<string, number> = { '“': 0x93, '”': 0x94, '’': 0x92 }
  const latin = Buffer.from([...text].map((sign) => quotes[sign] ?? sign.charCodeAt(0)))
  const { ask, root } = await greps(t, { 'a.ts': text, 'z.ts': '// of the té頁 and nothing else\n' })
  writeFileSync(join(root, 'b.ts'), latin)
  writeFileSync(
    join(root, 'broken.ts'),
    Buffer.concat([Buffer.from(text.repeat(3)), Buffer.from([0xe9, 10])]),
  )
  writeFileSync(join(root, 'data.bin'), Buffer.concat([latin, Buffer.from('\0été\n', 'latin1')]))
  const patterns = [
    'été',
    'ÉTÉ',
    'caf\\x{e9}',
    'café|needle',
    'caf',
    'needle',
    '\\p{L}+',
    '“l’.t.”',
    '^const é?',
    'caf. est',
    'caf\\S+ est',
    'caf\\w est',
    'Le [^,]*ferm',
    '//.*$',
  ]
  for (const pattern of patterns) {
    const { matches } = await ask({ pattern, filePattern: '*.ts' })
    const own = (name: string) => matches.flatMap(({ file, ...rest }) => (file === name ? [rest] : []))
    assert.ok(own('a.ts').length > 0, pattern)
    assert.deepEqual(own('b.ts'), own('a.ts'), pattern)
  }
  const plain = await ask({ pattern: 'needle' })
  const accents = await ask({ pattern: 'été', limit: 2 })
  assert.deepEqual(
    [accents.matches.map(({ file }) => file), accents.totalMatches, accents.filesSearched],
    [['a.ts', 'b.ts'], 5, plain.filesSearched],
  )
})

test('columns count characters, and long lines are shown around their match', async (t) => {
  const { ask } = await greps(t, {
    'wide.txt': 'äö𝄞 needle\n',
    'mark.txt': '\ufeffneedle\n',
    'crlf.txt': 'before\r\nneedle\r\nafter\r\n',
    'long.js': `${'é'.repeat(50_000)}needle${'z'.repeat(50_000)}`,
    'bad.txt': Buffer.concat([
      Buffer.from([0xfe, 0x80, 0x20, 0xc3]),
      Buffer.from(' needle '),
      Buffer.from([0x80, 10]),
    ]),
    'sixteen.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('one\nthe needle\n', 'utf16le')]),
  })
  const { matches } = await ask({ pattern: 'needle' })
  const seen = Object.fromEntries(matches.map((match) => [match.file, match]))
  assert.equal(seen['wide.txt']!.column, 5)
  assert.equal(seen['crlf.txt']!.text, 'needle')
  assert.deepEqual(seen['crlf.txt']!.context, { before: ['before'], after: ['after'] })
  assert.equal(seen['long.js']!.column, 50_001)
  assert.match(seen['long.js']!.text, /^…é+needlez+…$/)
  assert.ok(seen['long.js']!.text.length <= 402)
  assert.deepEqual([seen['bad.txt']!.line, seen['bad.txt']!.column], [1, 6])
  assert.match(seen['bad.txt']!.text, /needle/)
  assert.deepEqual(
    [seen['sixteen.txt']!.line, seen['sixteen.txt']!.column, seen['sixteen.txt']!.text],
    [2, 5, 'the needle'],
  )
  assert.deepEqual([seen['mark.txt']!.column, seen['mark.txt']!.text], [1, 'needle'])
})

test('a mark of UTF-8 in front of a file moves no match', async (t) => {
  const text = 'using System;\r\nnamespace Shop;\r\npublic class Cart {\r\n  void Pay() {}\r\n}\r\n'
  const { ask } = await greps(t, {
    'Cart.cs': `\ufeff${text}`,
    'Plain.cs': text,
    'Twice.cs': `\ufeff\ufeff${text}`,
  })
  for (const pattern of ['public class', '^using', '}$']) {
    const { matches } = await ask({ pattern })
    const own = (name: string) => matches.flatMap(({ file, ...rest }) => (file === name ? [rest] : []))
    assert.ok(own('Plain.cs').length > 0)
    assert.deepEqual(own('Cart.cs'), own('Plain.cs'), pattern)
  }
  const twice = (await ask({ pattern: 'public class' })).matches.find(({ file }) => file === 'Twice.cs')!
  assert.deepEqual([twice.line, twice.column, twice.text], [3, 1, 'public class Cart {'])
})

test('a megabyte on one line with a match at every other character is no burden', async (t) => {
  const { ask } = await greps(t, { 'min.js': 'ab'.repeat(500_000) })
  const { matches, totalMatches } = await ask({ pattern: 'a', limit: 100 })
  assert.equal(totalMatches, 500_000)
  assert.deepEqual(
    matches.map(({ column }) => column),
    [1],
  )
  assert.ok(JSON.stringify(matches).length < 100_000)
})

test('a line of ten megabytes and names with signs in them are found like any other', async (t) => {
  const { ask } = await greps(t, {
    'min.js': `${'"},"start":5,'.repeat(800_000)}needle needle\n\nneedle`,
    'two\nlines "},".txt': 'a needle\n',
  })
  const { matches, totalMatches, filesSearched } = await ask({ pattern: 'needle' })
  assert.deepEqual([totalMatches, filesSearched], [4, 2])
  assert.deepEqual(
    matches.map(({ file, line, column }) => [file, line, column]),
    [
      ['min.js', 1, 10_400_001],
      ['min.js', 3, 1],
      ['two\nlines "},".txt', 1, 3],
    ],
  )
})

test('an empty match at the end of a file is shown with its line', async (t) => {
  const { ask } = await greps(t, { 'a.txt': 'one\nlast' })
  const { matches, totalMatches } = await ask({ pattern: '$' })
  assert.equal(totalMatches, 2)
  assert.deepEqual(
    matches.map(({ line, text }) => [line, text]),
    [
      [1, 'one'],
      [2, 'last'],
    ],
  )
})

test('a line ends before its carriage return, unless the pattern asks for that', async (t) => {
  const { ask } = await greps(t, {
    'dos.txt': 'let a = 1;\r\nlet b = 2;\r\n\r\nlet c = 3\r\n',
    'unix.txt': 'let d = 4;\n',
  })
  const cases: [pattern: string, places: [file: string, line: number, column: number][]][] = [
    // biome-ignore format: a row each
    [';$', [['dos.txt', 1, 10], ['dos.txt', 2, 10], ['unix.txt', 1, 10]]],
    ['^$', [['dos.txt', 3, 1]]],
    ['c = 3.*$', [['dos.txt', 4, 5]]],
    ['3.', []],
    ['[ \\t]+$', []],
    ['3\\r', [['dos.txt', 4, 9]]],
    ['3\\x0D?$', [['dos.txt', 4, 9]]],
    ['3[\\x{d}]', [['dos.txt', 4, 9]]],
    ['\\\\r', []],
  ]
  for (const [pattern, places] of cases) {
    const { matches, totalMatches } = await ask({ pattern })
    assert.deepEqual(
      matches.map(({ file, line, column }) => [file, line, column]),
      places,
      pattern,
    )
    assert.equal(totalMatches, places.length, pattern)
    assert.ok(
      matches.every(
        ({ text, context }) => ![text, ...context.before, ...context.after].join('').includes('\r'),
      ),
    )
  }
})

test('binary files are skipped, and a file that turns binary shows the matches before that', async (t) => {
  const { ask } = await greps(t, {
    'a.bin': Buffer.from([0, 1, 2, ...Buffer.from('needle')]),
    'b.txt': 'needle\n',
  })
  const { matches } = await ask({ pattern: 'needle' })
  assert.deepEqual(
    matches.map(({ file }) => file),
    ['b.txt'],
  )
})

test('totals are those of ripgrep itself', async (t) => {
  const { ask, root } = await greps(t, { ...files, 'x.bin': Buffer.from([0, 101, 0]), 'empty.txt': '' })
  for (const pattern of ['e', 'a*', '\\w+', 'jwt', '$']) {
    const { stdout } = spawnSync(await ripgrep(), ['--no-config', '--json', '-i', '-e', pattern, './'], {
      cwd: root,
    })
    const lines = String(stdout).trim().split('\n')
    const { data } = JSON.parse(lines.at(-1)!) as { data: { stats: { matches: number; searches: number } } }
    const { totalMatches, filesSearched } = await ask({ pattern })
    assert.deepEqual([totalMatches, filesSearched], [data.stats.matches, data.stats.searches], pattern)
  }
})

test('cancelling kills the search', async (t) => {
  const { ask, root } = await greps(t, {})
  mkdirSync(join(root, 'd'))
  for (let i = 0; i < 40; i++) writeFileSync(join(root, 'd', `${i}.txt`), 'aaaa bbbb cccc\n'.repeat(200_000))
  const start = performance.now()
  // Reading 120 MB takes longer than this, however quick the machine.
  await assert.rejects(ask({ pattern: '(a|b|c| )+d' }, AbortSignal.timeout(5)))
  assert.ok(performance.now() - start < 2_000)
})

test('a search gives the same answer alone and among many at once', async (t) => {
  const many: Files = Object.fromEntries(
    Array.from({ length: 150 }, (_, i) => [`many/${i}.ts`, `export const shared = ${i} // word${i % 7}\n`]),
  )
  const { ask, root } = await greps(t, {
    ...files,
    ...many,
    'crlf.txt': 'one word1\r\nword1 word1\r\n',
    'mark.txt': '\ufeffword1 needle\n',
    'sixteen.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('one\nneedle\n', 'utf16le')]),
    'latin.txt': Buffer.from('caf\xe9 needle\nth\xe9 sign\n', 'latin1'),
    'binary.txt': Buffer.from(`needle\n${'x\n'.repeat(100_000)}\0needle\n`),
    'two\nlines.txt': 'needle needle\n',
    'long.js': `${'y'.repeat(5_000_000)} needle `,
    'src/build/a.ts': 'needle\n',
    'node_modules/a.js': 'needle\n',
    '.env': 'needle\n',
  })
  track(root, ['src/build/a.ts'])
  const words = ['needle', 'NEEDLE', 'jwt\\.sign', 'sign\\b', '\\bword1', 'word1 word1', 'shared', 'export']
  const patterns = [
    ...words,
    'needle|token',
    'const\\s+token',
    'word\\d*',
    'nowhere',
    'aaa|bbb',
    'ned*le',
    'th. sign',
    '[broken',
    'x$|needle',
  ]
  const requests = patterns.flatMap((pattern, i) =>
    [undefined, '*.ts', 'src/**'].map((filePattern) => ({
      ...{ pattern, filePattern },
      caseSensitive: i % 3 === 0,
      limit: i % 2 ? 3 : 50,
    })),
  )
  const answer = (request: GrepRequest) =>
    ask(request).then(
      ({ searchTime, ...rest }) => rest,
      (error: Problem) => error.message,
    )
  const together = await Promise.all(requests.map(answer))
  for (const [i, request] of requests.entries())
    assert.deepEqual(together[i], await answer(request), JSON.stringify(request))
})

test('one of many searches can be cancelled, and the others go on', async (t) => {
  const { ask } = await greps(t, files)
  const stop = new AbortController()
  const all = Array.from({ length: 20 }, (_, i) =>
    ask({ pattern: i % 2 ? 'jwt\\.sign' : 'token' }, i % 3 ? undefined : stop.signal),
  )
  stop.abort(new Error('cancelled'))
  for (const [i, one] of (await Promise.allSettled(all)).entries())
    if (i % 3 === 0) assert.equal(one.status === 'rejected' && one.reason.message, 'cancelled')
    else assert.equal(one.status === 'fulfilled' && one.value.totalMatches, i % 2 ? 4 : 3)
})

test('leaves out tests and excluded files, and shows as many lines around a match as requested', async (t) => {
  const { ask } = await greps(t, {
    'package.json': '{}',
    'src/a.ts': 'export function a() {\n  return needle()\n}\n',
    'src/a.test.ts': 'needle()\n',
    'src/old/b.ts': 'needle()\n',
  })
  const files = async (args: object) =>
    (await ask({ pattern: 'needle', ...args })).matches.map(({ file }) => file)
  assert.deepEqual(await files({}), ['src/a.test.ts', 'src/a.ts', 'src/old/b.ts'])
  assert.deepEqual(await files({ tests: false }), ['src/a.ts', 'src/old/b.ts'])
  assert.deepEqual(await files({ exclude: 'src/old/**' }), ['src/a.test.ts', 'src/a.ts'])
  const { matches } = await ask({ pattern: 'needle', contextLines: 0, filePattern: 'src/a.ts' })
  assert.deepEqual(matches[0]!.context, { before: [], after: [] })
})
