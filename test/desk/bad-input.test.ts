// Input that a look-up cannot use, or that is too much for it: a clear sentence, a bounded answer, and nothing hangs.
import assert from 'node:assert/strict'
import { truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deskWorld } from './desk-world.js'

const verbs: [tool: string, argument: string][] = [
  ['find', 'question'],
  ['uses', 'name'],
  ['grep', 'pattern'],
  ['outline', 'path'],
]

describe('a file of 300 MB', () => {
  test('is named by each verb that leaves it out, and refused by read and outline', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(join(root, 'big.log'), 'resolvesTo\n')
    truncateSync(join(root, 'big.log'), 300_000_000)
    assert.match(await say('grep', { pattern: 'resolvesTo' }), /^Not searched, too large: big\.log$/m)
    assert.match(await say('uses', { name: 'resolvesTo' }), /^Not searched, too large: big\.log$/m)
    for (const [tool, args] of [
      ['read', { at: ['big.log:1'] }],
      ['outline', { path: 'big.log' }],
    ] as const)
      assert.match(await say(tool, args), /too large/i)
    assert.match(await say('outline', { path: '.' }), /^big\.log$/m)
  })
})

describe('a line of 5 MB', () => {
  test('is shown around the match, and what is missing is counted', async (t) => {
    const { root, say } = await deskWorld(t)
    const half = 'lorem '.repeat(420_000)
    writeFileSync(join(root, 'src/long.ts'), `export const long = "${half}needleHere ${half}"\n`)
    for (const text of [
      await say('grep', { pattern: 'needleHere' }),
      await say('uses', { name: 'needleHere' }),
    ]) {
      assert.match(text, /needleHere/)
      assert.match(text, /\d+ characters\+… /)
      assert.ok(text.length < 1_000, String(text.length))
    }
    for (const at of ['src/long.ts', 'src/long.ts:1', 'src/long.ts#long']) {
      const text = await say('read', { at: [at], budget: 2_000 })
      assert.ok(text.length <= 2_100 && /…/.test(text), `${at}: ${text.length}`)
    }
    assert.match(await say('outline', { path: 'src/long.ts' }), /1 name\)\n1 export const long/)
  })
})

describe('what is no text', () => {
  test('is told apart by read and outline, and left out by the others', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(join(root, 'a.dat'), Buffer.from('resolvesTo\0\x01\x02\0needle\0'))
    assert.match(await say('read', { at: ['a.dat:1'] }), /binary file/)
    assert.match(await say('outline', { path: 'a.dat' }), /This is a binary file/)
    assert.equal(await say('grep', { pattern: 'needle' }), 'No line matches "needle" (9 files).')
  })
})

describe('broken syntax', () => {
  test('leaves the names that can be told, and every line', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(
      join(root, 'src/broken.ts'),
      'export function whole() { return resolvesTo(1) }\nfunction half( {{{ resolvesTo(\n<<<<<<< HEAD\nclass {\n',
    )
    writeFileSync(join(root, 'src/brackets.ts'), `${'{[('.repeat(20_000)}\nresolvesTo\n`)
    writeFileSync(join(root, 'config/broken.json'), '{ "open": { "a": \n "b: [\n')
    assert.match(await say('outline', { path: 'src/broken.ts' }), /^1 export function whole\(\)/m)
    assert.match(await say('read', { at: ['src/broken.ts#whole'] }), /^src\/broken\.ts:1 whole\n/)
    assert.match(
      await say('outline', { path: 'config/broken.json' }),
      /\n1-\d "?open|\n1(?:-\d)? \{ "open"|No names/,
    )
    const text = await say('uses', { name: 'resolvesTo' })
    for (const place of [/^src\/broken\.ts$/m, /^ {2}1 .*return resolvesTo\(1\)/m, /^ {2}2 .*resolvesTo\($/m])
      assert.match(text, place)
    assert.match(text, /^src\/brackets\.ts\n {2}2 resolvesTo$/m)
  })
})

describe('an address', () => {
  const refused: [address: string, sentence: RegExp][] = [
    ['../../etc/passwd', /Permission denied\. A path must not lead upwards/],
    ['/etc/passwd:1-3', /Permission denied\. Paths are relative/],
    ['src/../../x', /Permission denied/],
    ['src/../.git/config', /Permission denied/],
    ['.git/config', /Permission denied/],
    ['src/fetch/dns.ts:900', /has 9 lines\. Ask for lines up to 9\./],
    ['src/fetch/dns.ts:99999999999999999999', /has 9 lines\./],
    ['src/fetch/dns.ts#', /has 9 lines|declares|No ""/],
    ['a\0b', /Permission denied|no file/],
    ['src/\x01\x1b[31m.ts', /no file "src\/��\[31m\.ts"/],
    ['x'.repeat(2_000), /no file|No file/],
    ['\u202e', /no file|No file/],
  ]
  test('by the anchor that a document sets is read as its section', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(
      join(root, 'anchors.md'),
      '# Keys\n\nSee [why](#no-raw).\n\n## Appendix: why not { #no-raw }\n\nIt echoes.\n\n<a id="last"></a>\n\n## The end\n\nDone.\n',
    )
    assert.match(await say('read', { at: ['anchors.md#no-raw'] }), /^anchors\.md:5-\d+ .*\n5 ## Appendix/)
    assert.match(await say('read', { at: ['anchors.md#last'] }), /^anchors\.md:11-13 .*\n11 ## The end/)
    assert.match(await say('read', { at: ['anchors.md#nowhere'] }), /No .*nowhere|declares|no section/i)
  })

  test('by module and name is read where the module declares it', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(await say('read', { at: ['dns.resolvesTo'] }), /^src\/fetch\/dns\.ts:1-5 resolvesTo\n/)
  })

  test('that leads up and down again inside the project is read', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(await say('read', { at: ['config/../src/fetch/dns.ts:1-2'] }), /^src\/fetch\/dns\.ts:1-2/)
  })

  for (const [address, sentence] of refused)
    test(`${JSON.stringify(address).slice(0, 60)} is refused with a sentence`, async (t) => {
      const { say } = await deskWorld(t)
      const text = await say('read', { at: [address] })
      assert.match(text, sentence)
      assert.ok(text.length < 2_600, String(text.length))
      assert.doesNotMatch(text, /[\0\x01\x1b]/)
    })

  test('of which 200 come at once: 20 are answered within the budget', async (t) => {
    const { say } = await deskWorld(t)
    const text = await say('read', { at: Array.from({ length: 200 }, (_, i) => `src/fetch/dns.ts:${i + 1}`) })
    assert.match(text, /…\+180 addresses: at most 20 at once\.$/)
    assert.ok(text.length < 10_000, String(text.length))
  })
})

describe('an empty project', () => {
  for (const [tool, argument] of verbs)
    test(`${tool} says that there is nothing`, async (t) => {
      const { root, say } = await deskWorld(t, { files: { 'a.ts': '' } })
      unlinkSync(join(root, 'a.ts'))
      const text = await say(tool, { [argument]: tool === 'outline' ? '.' : 'anything' })
      assert.match(
        text,
        /^(?:Nothing found for "anything"|No line (?:has|matches) "anything"|\.\/ \(0 files\))/,
      )
      assert.ok(text.length < 600, text)
    })
})

describe('a folder without an index', () => {
  test('answers from the files, and find says what to do', async (t) => {
    const { say } = await deskWorld(t, { files: { 'a.ts': 'export const one = 1\n' }, indexed: false })
    assert.match(
      await say('grep', { pattern: 'one' }),
      /^1 line in 1 file\na\.ts\n {2}1 export const one = 1$/,
    )
    assert.match(await say('uses', { name: 'one' }), /^Defined: a\.ts:1 export const one = 1/)
    assert.equal(await say('read', { at: ['one'] }), 'a.ts:1 one\n1 export const one = 1')
    assert.match(await say('outline', { path: 'a.ts' }), /^a\.ts \(1 line, 1 name\)/)
    assert.match(await say('find', { question: 'one' }), /^Nothing found.*\nNote: .*index/is)
  })
})

describe('a place that is not there', () => {
  test('is said, so that nobody takes it for an answer', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('grep', { pattern: 'resolvesTo', in: 'source,!src' }),
      /^No line matches "resolvesTo" in source, !src\. There are no files in source\.$/,
    )
    assert.match(await say('uses', { name: 'resolvesTo', in: 'source' }), / There are no files in source\./)
    assert.equal(await say('grep', { pattern: 'zzz', in: 'src' }), 'No line matches "zzz" in src (4 files).')
    assert.match(await say('outline', { path: 'fetch\x1b[1m' }), /^There is no "fetch.\[1m"\. /)
  })
})

describe('a pattern that is none', () => {
  const broken: [pattern: string, sentence: RegExp][] = [
    ['resolvesTo(', /^Invalid regex pattern: unclosed group\. .* As it stands: resolvesTo\\\($/],
    ['a)', /unopened group\. .* As it stands: a\\\)$/],
    ['[a', /unclosed character class\. .* As it stands: \\\[a$/],
    ['*a', /repetition operator missing expression\. .* As it stands: \\\*a$/],
    ['(?=a)', /look-around, .* is not supported\. Patterns are regular expressions without look-around/],
    ['(a)\\1', /backreferences are not supported/],
    ['a{1,1000}{1,1000}{1,1000}', /^Invalid regex pattern: .*size limit/],
    ['a\nb', /Matches lie within one line/],
  ]
  for (const [pattern, sentence] of broken)
    test(`${JSON.stringify(pattern)} is refused with the reason`, async (t) => {
      const { say } = await deskWorld(t)
      const text = await say('grep', { pattern })
      assert.match(text, sentence)
      assert.ok(text.length < 400, text)
    })
})

describe('a name or pattern of signs', () => {
  test('is answered with a sentence', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(await say('uses', { name: '()' }), /uses takes one name, or several/)
    assert.match(await say('uses', { name: 'a\0b' }), /Leave it out/)
    assert.match(await say('uses', { name: '.*' }), /No line has|uses takes one name, or several/)
    assert.match(await say('uses', { name: '-e' }), /No line has "-e"/)
    assert.match(await say('grep', { pattern: 'a\0' }), /Leave it out/)
    assert.match(await say('find', { question: '\0\x01 ()[]{}' }), /^Nothing/)
    assert.match(await say('find', { question: 'the of and' }), /^\S/)
  })
})
