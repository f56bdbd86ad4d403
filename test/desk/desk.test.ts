import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listsOf } from '../../src/surfaces/mcp/server.js'
import { flawsOf } from '../support/tool-flaws.js'
import { tokenCost } from '../tools/token-cost.js'
import { desk, deskWorld } from './desk-world.js'

test('the records are sound, cost at most 1,500 tokens and list no output schema', async (t) => {
  const { registry } = await deskWorld(t)
  assert.deepEqual(flawsOf(desk), [])
  const { model } = tokenCost(registry)
  assert.ok(model <= 1_500, `${model} tokens`)
  assert.deepEqual(
    [...registry.tools.keys()],
    ['find', 'uses', 'read', 'grep', 'outline', 'remember', 'check_decision'],
  )
  assert.ok(listsOf(registry, false).tools.every((tool) => tool.outputSchema === undefined))
})

describe('tests in a module beside the code', () => {
  test('are counted apart, and shown when asked for', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(
      join(root, 'src/pace.rs'),
      'pub fn pace_of(n: u32) -> u32 { n }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn slow() { assert_eq!(super::pace_of(1), 1) }\n}\n',
    )
    assert.match(
      await say('grep', { pattern: 'pace_of' }),
      /rs\n {2}1 pub fn.*\nIn test modules: 1 line: src\/pace\.rs \(1\)$/,
    )
    assert.match(await say('grep', { pattern: 'pace_of', tests: true }), /\n {2}6 fn slow/)
    assert.match(
      await say('uses', { name: 'pace_of' }),
      /^Defined: src\/pace\.rs:1 .*\nUsed: nowhere else\nTests: 1 line: /,
    )
  })
})

describe('a call over several lines', () => {
  test('is shown with its arguments in one line', async (t) => {
    const { root, say } = await deskWorld(t)
    const many = Array.from({ length: 30 }, (_, i) => `    argument${i},`)
    writeFileSync(
      join(root, 'src/calls.ts'),
      [
        'export function sendLetter(to: string, how: object) {}',
        'export function morning() {',
        '  sendLetter(',
        "    'north',",
        '    { fast: true },',
        '  )',
        '  sendLetter({',
        "    to: 'south',",
        '  })',
        '  sendLetter(',
        ...many,
        '  )',
        '}',
        '',
      ].join('\n'),
    )
    // So far to the right that its arguments end outside of what is read.
    const indent = ' '.repeat(150)
    writeFileSync(
      join(root, 'src/deep.ts'),
      `export function page() {\n  layOut(\n${indent}${'a'.repeat(30)}\n${indent}${'b'.repeat(30)}\n${indent.repeat(4)}c\n  )\n}\n`,
    )
    const answer = await say('uses', { name: 'sendLetter' })
    assert.match(answer, /\n {2}3 \[morning\] sendLetter\('north', \{ fast: true \},\)\n/)
    const deep = await say('uses', { name: 'layOut' })
    assert.match(deep, /\n {2}2 \[page\] layOut\(a{30} b{30} …(?:\n|$)/)
    assert.match(answer, /\n {2}7 sendLetter\(\{to: 'south',\}\)\n/)
    assert.match(answer, /\n {2}10 sendLetter\(argument0, argument1,.{60,110} …(?:\n|$)/)
  })
})

test('grep shows the row of a table to its last column, without the blanks that align it', async (t) => {
  const { root, say } = await deskWorld(t)
  const row = `| LETTER_RETRIES |${' '.repeat(200)}| ${'How often a letter is sent. '.repeat(8)}| 5 |`
  writeFileSync(join(root, 'settings.md'), `# Settings\n\n| Key | What | Default |\n|---|---|---|\n${row}\n`)
  assert.match(await say('grep', { pattern: 'LETTER_RETRIES' }), /\| LETTER_RETRIES \| \| How .* \| 5 \|$/m)
})

describe('uses of a method', () => {
  test('show calls on something named like its class before the others', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(
      join(root, 'src/box.ts'),
      'export class LetterBox {\n  take(n: number) {\n    return n\n  }\n}\n',
    )
    writeFileSync(
      join(root, 'src/other.ts'),
      [
        'export function first(queue: Queue, letterBox: LetterBox) {',
        '  queue.take(1)',
        '  return letterBox.take(2) + box().take(3)',
        '}',
        'export class Queue {',
        '  take(n: number) {}',
        '}',
        '',
      ].join('\n'),
    )
    assert.equal(
      await say('uses', { name: 'LetterBox.take' }),
      [
        'Defined: src/box.ts:2-4 LetterBox.take: take(n: number) {',
        'Namesakes: src/other.ts:6 Queue.take; their uses are among those below',
        'Used: 1 line in 1 file',
        'src/other.ts',
        '  3 [first] return letterBox.take(2) + box().take(3)',
        'Others called take, maybe of LetterBox: 1 line in 1 file',
        'src/other.ts',
        '  2 [first] queue.take(1)',
      ].join('\n'),
    )
  })
})

describe('templates of Helm', () => {
  test('are declared by define and used by include and template', async (t) => {
    const { root, say } = await deskWorld(t)
    mkdirSync(join(root, 'chart/templates'), { recursive: true })
    writeFileSync(
      join(root, 'chart/templates/_helpers.tpl'),
      '{{/*\nThe chart.labels of all.\n*/}}\n{{- define "chart.labels" -}}\napp: {{ .Chart.Name }}\n{{- end -}}\n',
    )
    writeFileSync(
      join(root, 'chart/templates/web.yaml'),
      'metadata:\n  labels: {{ include "chart.labels" . }}\n  again: {{ template "chart.labels" . }}\n',
    )
    assert.equal(
      await say('uses', { name: 'chart.labels' }),
      [
        'Defined: chart/templates/_helpers.tpl:4-6 {{- define "chart.labels" -}}',
        'Used: 2 lines in 1 file',
        'chart/templates/web.yaml',
        '  2 [metadata] labels: {{ include "chart.labels" . }}',
        '  3 again: {{ template "chart.labels" . }}',
        'Comments: 1 line: chart/templates/_helpers.tpl:2',
      ].join('\n'),
    )
    assert.match(
      await say('outline', { path: 'chart/templates/_helpers.tpl' }),
      /1 name\)\n1-6 \{\{- define "chart\.labels" -\}\}$/,
    )
    assert.match(await say('read', { at: ['chart/templates/_helpers.tpl#chart.labels'] }), /^5 app:/m)
  })
})

describe('more lines than fit', () => {
  test('keep within the budget, with the line that counts the rest', async (t) => {
    const { root, say } = await deskWorld(t)
    for (let i = 0; i < 60; i++)
      writeFileSync(
        join(root, `src/a-file-with-a-name-of-some-length-${i}.ts`),
        'const far = wide(1)\n'.repeat(5),
      )
    for (const [tool, args] of [
      ['uses', { name: 'wide' }],
      ['grep', { pattern: 'wide' }],
    ] as const) {
      const text = await say(tool, { ...args, budget: 1_000 })
      assert.match(text, /\n…\+\d+ lines: src\/a-file.* more files$/m)
      assert.ok(text.length <= 1_000, `${tool}: ${text.length}`)
    }
  })
})

describe('read', () => {
  test('gives numbered lines of a range, a method, a heading, a key and a bare name', async (t) => {
    const { say } = await deskWorld(t)
    assert.equal(
      await say('read', { at: ['src/fetch/dns.ts:7-8'] }),
      "src/fetch/dns.ts:7-8\n7 async function lookup(host: string): Promise<string> {\n8   return host === 'localhost' ? '127.0.0.1' : '93.184.216.34'",
    )
    assert.match(
      await say('read', { at: ['src/fetch/guard.ts#UrlGuard.check'] }),
      /^src\/fetch\/guard\.ts:8-14 UrlGuard\.check \(indented by 2\)\n8 \/\*\*/,
    )
    assert.equal(
      await say('read', { at: ['docs/security.md#Tokens'] }),
      'docs/security.md:11-13 Security / Tokens\n11 ## Tokens\n13 Tokens live for an hour.',
    )
    assert.match(await say('read', { at: ['docs/security.md#exceptions'] }), /\nNext: 11-13 Tokens$/)
    assert.equal(
      await say('read', { at: ['config/app.yaml#mail.retries'] }),
      'config/app.yaml:4 mail.retries\n4   retries: 3',
    )
    assert.match(await say('read', { at: ['resolvesTo'] }), /^src\/fetch\/dns\.ts:1-5 resolvesTo\n/)
    assert.match(
      await say('read', { at: ['Verdict.Refused'] }),
      /^src\/fetch\/limits\.ts:6-7 Verdict\.Refused \(indented by 2\)\n6 \/\/ A private/,
    )
    assert.match(await say('read', { at: ['Mailer.timeout'] }), /^jobs\/mailer\.py:6 Mailer\.timeout/)
  })

  test('takes the place of a discovery as find prints it', async (t) => {
    const { say } = await deskWorld(t)
    await say('remember', { content: 'Zeppelins land on Thursdays only.' })
    const [place] =
      /discoveries:\S+\.md:1\b/.exec(await say('find', { question: 'when do zeppelins land' })) ?? []
    assert.match(
      await say('read', { at: [place!] }),
      /^discoveries:\S+\n1 Zeppelins land on Thursdays only\./,
    )
  })

  test('gives the owner of a name that is not declared, a folder, and a file by the end of its path', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(
      join(root, 'jobs/states.py'),
      'STATES = Namespace(\n    WAITING="w",\n    DONE=done(),\n)\n',
    )
    assert.match(await say('read', { at: ['STATES.DONE'] }), /^jobs\/states\.py:3 STATES\.DONE\n3 {5}DONE=/)
    assert.match(await say('read', { at: ['Mailer.range'] }), /^jobs\/mailer\.py:5-16 Mailer\n/)
    assert.match(
      await say('read', { at: ['Mailer.gone'] }),
      /Mailer has no "gone"\. It is in jobs\/mailer\.py:5-16\./,
    )
    assert.match(await say('read', { at: ['mailre'] }), /No file and no name "mailre"\. The nearest name is /)
    assert.match(await say('read', { at: ['src/fetch'] }), /^src\/fetch\/ \(4 files\)/)
    assert.match(
      await say('read', { at: ['limits.ts:2'] }),
      /^src\/fetch\/limits\.ts:2\n2 export const MAX_HOPS/,
    )
    assert.match(
      await say('read', { at: ['src/fetch/guard.ts#address'] }),
      /guard\.ts declares no "address"\. It stands in lines 11, 13\./,
    )
    assert.equal(
      await say('read', { at: ['src/fetch/dns.ts:0'] }),
      await say('read', { at: ['src/fetch/dns.ts:1'] }),
    )
  })

  test('finds a name that is declared in another file, or below a folder', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('read', { at: ['src/fetch/guard.ts#MAX_HOPS'] }),
      /^Not in src\/fetch\/guard\.ts, but here:\nsrc\/fetch\/limits\.ts:1-2 MAX_HOPS\n1 /,
    )
    assert.match(await say('read', { at: ['src#lookup'] }), /^src\/fetch\/dns\.ts:7-9 lookup\n7 /)
    assert.match(await say('read', { at: ['src#Mailer'] }), /^src\/ /)
  })

  test('answers several addresses, each failure with its own sentence', async (t) => {
    const { say } = await deskWorld(t)
    const text = await say('read', {
      at: ['src/fetch/dns.ts:1', 'src/fetch/dns.ts:900', 'nope.ts', 'src/fetch/guard.ts#chek'],
    })
    assert.match(text, /has 9 lines\./)
    assert.match(text, /There is no file "nope\.ts"/)
    assert.match(text, /No "chek" in src\/fetch\/guard\.ts\. The nearest is src\/fetch\/guard\.ts#check\./)
    const many = await say('read', { at: Array.from({ length: 200 }, () => 'src/fetch/dns.ts:1') })
    assert.match(many, /…\+180 addresses: at most 20 at once\.$/)
  })

  test('gives long lines whole where they fit, and the room of short parts to the long ones', async (t) => {
    const { root, say } = await deskWorld(t)
    const long = `start ${'word '.repeat(200)}end`
    const many = Array.from({ length: 60 }, (_, i) => `line ${i} ${'x'.repeat(50)}`)
    writeFileSync(join(root, 'long.txt'), ['short', long, ...many].join('\n'))
    assert.match(await say('read', { at: ['long.txt:1-2', 'src/fetch/dns.ts:1'] }), / end\n/)
    const shared = await say('read', { at: ['long.txt:3-62', 'src/fetch/dns.ts:1'], budget: 3_000 })
    assert.ok(shared.length > 2_500 && shared.length <= 3_000, String(shared.length))
  })

  test('shows the outline of a long file, and says what it left out', async (t) => {
    const long = Array.from({ length: 400 }, (_, i) => `export function step${i}() { return ${i} }`).join(
      '\n',
    )
    const { say } = await deskWorld(t, { files: { 'a.ts': `${long}\n`, 'b.txt': 'x'.repeat(5_000_000) } })
    assert.match(
      await say('read', { at: ['a.ts'] }),
      /^a\.ts \(400 lines, 400 names\)\n1 export function step0/,
    )
    assert.match(await say('read', { at: ['a.ts:1-400'], budget: 500 }), /…\+\d+ lines: read a\.ts:\d+-400$/)
    const line = await say('read', { at: ['b.txt:1'], budget: 1_000 })
    assert.ok(line.length < 1_500 && /…\+\d+ characters$/.test(line))
  })

  test('refuses what lies outside, is secret, binary or too large', async (t) => {
    const { say, root } = await deskWorld(t)
    assert.match(await say('read', { at: ['../../etc/passwd'] }), /Permission denied/)
    assert.match(await say('read', { at: ['/etc/passwd:1-3'] }), /Permission denied/)
    writeFileSync(join(root, '.env'), 'KEY=1')
    assert.match(await say('read', { at: ['.env'] }), /Permission denied/)
    writeFileSync(join(root, 'a.dat'), Buffer.from([1, 0, 2, 0, 3]))
    assert.match(await say('read', { at: ['a.dat'] }), /binary file/)
    writeFileSync(join(root, 'big.log'), 'x')
    truncateSync(join(root, 'big.log'), 300_000_000)
    assert.match(await say('read', { at: ['big.log:1-5'] }), /too large/i)
    mkdirSync(join(root, 'empty'))
    writeFileSync(join(root, 'empty/none.ts'), '')
    assert.equal(await say('read', { at: ['empty/none.ts'] }), 'empty/none.ts:1\n1 ')
  })
})

describe('uses', () => {
  test('gives the definition, every use with its function, and the rest apart', async (t) => {
    const { say } = await deskWorld(t)
    assert.equal(
      await say('uses', { name: 'resolvesTo' }),
      [
        'Defined: src/fetch/dns.ts:2-5 export async function resolvesTo(host: string): Promise<string> {',
        'Used: 1 line in 1 file',
        'src/fetch/guard.ts',
        '  11 [UrlGuard.check] const address = await resolvesTo(url.hostname)',
        'Imports: 1 line: src/fetch/guard.ts:2',
        'Comments: 1 line: src/fetch/guard.ts:12',
        'Tests: 2 lines: src/fetch/guard.test.ts:1 (+1)',
      ].join('\n'),
    )
    assert.match(
      await say('uses', { name: 'Mailer.send' }),
      /^Defined: jobs\/mailer\.py:8-13 Mailer\.send: def send/,
    )
    assert.match(await say('uses', { name: 'UrlGuard' }), /\nDocuments: 1 line: docs\/security\.md:5/)
  })

  test('counts apart the uses of a common method in files that do not name its type', async (t) => {
    const { root, say } = await deskWorld(t)
    const others = Array.from({ length: 20 }, (_, i) => `other${i}.open()`).join('\n')
    writeFileSync(join(root, 'src/doors.ts'), 'export class Door {\n  open() {}\n}\n')
    writeFileSync(join(root, 'src/house.ts'), 'const door = new Door()\ndoor.open()\n')
    writeFileSync(join(root, 'src/shop.ts'), others)
    const text = await say('uses', { name: 'Door.open' })
    assert.match(text, /^Used: 1 line in 1 file\nsrc\/house\.ts\n {2}2 .*door\.open\(\)$/m)
    assert.match(text, /^Others called open, in files that do not name Door: 20 lines: src\/shop\.ts:1/m)
  })

  test('takes a dotted setting as it is written, and lists code first', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(join(root, 'a.ini'), 'mail.host = a\n')
    writeFileSync(
      join(root, 'src/zone.ts'),
      "export const zone = setting('mail.host')\nconst host = zone.host\n",
    )
    const text = await say('uses', { name: 'mail.host' })
    assert.match(text, /^Used: 1 line in 1 file\nsrc\/zone\.ts\n {2}1 /m)
    assert.match(
      text,
      /^Defined: a\.ini:1 mail\.host = a\nDefined: config\/app\.yaml:3 mail\.host: host: relay\.local$/m,
    )
  })

  test('takes the name of a file or folder in front of a function, and counts its namesakes', async (t) => {
    const { root, say } = await deskWorld(t)
    for (const folder of ['queue', 'crane']) mkdirSync(join(root, folder))
    writeFileSync(
      join(root, 'queue/background.go'),
      'package queue\n\nfunc New() *Queue {\n\treturn nil\n}\n',
    )
    writeFileSync(join(root, 'crane/crane.go'), 'package crane\n\nfunc New() *Crane {\n\treturn nil\n}\n')
    writeFileSync(
      join(root, 'main.go'),
      'package main\n\nfunc main() {\n\tq := queue.New()\n\tc := crane.New()\n}\n',
    )
    const text = await say('uses', { name: 'queue.New' })
    assert.match(text, /^Defined: queue\/background\.go:3-5 /)
    assert.match(text, /^Namesakes: crane\/crane\.go:3 New$/m)
    assert.match(text, /^Used: 1 line in 1 file\nmain\.go\n {2}4 \[main\] q := queue\.New\(\)$/m)
    assert.match(text, /^Others called New, not queue\.New: 1 line: main\.go:5$/m)
  })

  test('follows a function that is handed on by another name', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(join(root, 'src/save.ts'), 'export function saveDraft() {}\n')
    writeFileSync(
      join(root, 'src/editor.ts'),
      'const handlers = {\n  onClose: saveDraft,\n}\nfunction close() {\n  handlers.onClose()\n}\n',
    )
    assert.match(
      await say('uses', { name: 'saveDraft' }),
      /^As onClose \(src\/editor\.ts:2\): 1 line\n {2}src\/editor\.ts:5 \[close\] handlers\.onClose\(\)$/m,
    )
  })

  test('says when a type only inherits the method', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('uses', { name: 'Letter.try_once' }),
      /^Nothing declares Letter\.try_once itself\. Uses below may mean any try_once\.$/m,
    )
  })

  test('offers near names for one that is not there', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('uses', { name: 'urlguard' }),
      /No line has "urlguard" as a whole word\. Near: UrlGuard/,
    )
    assert.match(await say('uses', { name: 'reslovesTo' }), /The nearest name is resolvesTo\./)
    assert.match(await say('uses', { name: 'two words' }), /uses takes one name, or several/)
    assert.match(
      await say('uses', { name: 'lookup, resolvesToo' }),
      /^lookup\nDefined: src\/fetch\/dns\.ts:7[\s\S]*\n\nresolvesToo\nNo line has "resolvesToo" as a whole word\. .*resolvesTo/,
    )
  })

  test('of several names gives each the room that it needs, and counts names beyond five', async (t) => {
    const { say } = await deskWorld(t)
    const alone = await say('uses', { name: 'resolvesTo' })
    const several = await say('uses', { name: 'resolvesTo, aa, bb, cc, dd, ee', budget: alone.length + 600 })
    assert.ok(several.includes(alone))
    assert.match(several, /\n\n…\+1 name: at most 5 at once\.$/)
  })
})

describe('grep', () => {
  test('shows a changelog after the other documents', async (t) => {
    const { root, say } = await deskWorld(t)
    writeFileSync(join(root, 'CHANGELOG.md'), '# Changes\n\n- Private addresses are refused by default.\n')
    assert.match(
      await say('grep', { pattern: 'addresses are refused' }),
      /^2 lines in 2 files\ndocs\/security\.md\n.*\nCHANGELOG\.md\n {2}3 /,
    )
  })

  test('groups by file, names the function, counts tests', async (t) => {
    const { say } = await deskWorld(t)
    assert.equal(
      await say('grep', { pattern: 'resolvesTo\\(' }),
      [
        '2 lines in 2 files',
        'src/fetch/dns.ts',
        '  2 export async function resolvesTo(host: string): Promise<string> {',
        'src/fetch/guard.ts',
        '  11 [UrlGuard.check] const address = await resolvesTo(url.hostname)',
        'Tests: 1 line in 1 file: src/fetch/guard.test.ts',
      ].join('\n'),
    )
    assert.match(
      await say('grep', { pattern: 'retries', in: 'config' }),
      /^1 line in 1 file\nconfig\/app\.yaml\n {2}4 \[mail\] retries: 3$/,
    )
    assert.match(
      await say('grep', { pattern: 'resolvesTo', in: '!src/fetch/guard.ts,!*.test.ts' }),
      /^1 line in 1 file/,
    )
    assert.match(await say('grep', { pattern: 'hour', context: 1 }), /12- \n {2}13 \[Tokens\] Tokens live/)
    assert.match(
      await say('grep', { pattern: 'resolvesTo', tests: true, kind: 'code' }),
      /guard\.test\.ts\n {2}1 import/,
    )
  })

  test('answers bad patterns and places with a sentence', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(await say('grep', { pattern: '(' }), /Invalid regex pattern/)
    assert.match(await say('grep', { pattern: 'x', in: '../..' }), /below the project folder/)
    assert.equal(await say('grep', { pattern: 'nowhereAtAll' }), 'No line matches "nowhereAtAll" (8 files).')
  })

  test('keeps within its characters and counts what it cut', async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `src/m${i}.ts`,
        `export const call${i} = target(${i})\n`.repeat(5),
      ]),
    )
    const { say } = await deskWorld(t, { files })
    const text = await say('grep', { pattern: 'target', budget: 1_000 })
    assert.ok(text.length < 1_600, `${text.length}`)
    assert.match(text, /^300 lines in 60 files\n/)
    const shown = text.match(/^ {2}\d/gm)!.length
    assert.match(text, new RegExp(`…\\+${300 - shown} lines: `))
  })
})

test('outline of a long file leaves out fields before methods', async (t) => {
  const fields = Array.from({ length: 60 }, (_, i) => `  readonly field${i} = ${i}`).join('\n')
  const { say } = await deskWorld(t, {
    files: { 'a.ts': `export class Large {\n${fields}\n  open(): void {}\n}\n` },
  })
  const text = await say('outline', { path: 'a.ts', budget: 400 })
  assert.match(text, /^62 {3}open\(\): void$/m)
  assert.doesNotMatch(text, /field1/)
  assert.match(text, /…\+60 names/)
})

test('outline shows names with lines, and folders with counts', async (t) => {
  const { say } = await deskWorld(t)
  assert.match(
    await say('outline', { path: 'src/fetch/guard.ts' }),
    /^src\/fetch\/guard\.ts \(15 lines, 3 names\)\n4-15 export class UrlGuard\n6 {3}private readonly allowed/,
  )
  assert.match(
    await say('outline', { path: 'docs/security.md', match: 'tok' }),
    /1 with "tok"\)\n11-13 ## Tokens$/,
  )
  assert.match(await say('outline', { path: '.' }), /^\.\/ \(8 files\)\nconfig\/ 1 file\n/)
  assert.match(await say('outline', { path: 'src/fetsh/guard.ts' }), /Did you mean "src\/fetch\/guard\.ts"/)
})

describe('find', () => {
  test('shows the function whole, with what it rests on, and both sides', async (t) => {
    const { say } = await deskWorld(t)
    const text = await say('find', { question: 'which class decides whether a url may be fetched' })
    assert.match(text, /^(?:src\/fetch\/guard\.ts|docs\/security\.md):/)
    assert.match(text, /UrlGuard/)
    assert.match(text, /docs\/security\.md:\d+-\d+ Security/)
    assert.ok(text.length <= 4_200)
  })

  test('names the place of a rare word', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('find', { question: 'which class decides whether a url may be fetched, not 198' }),
      /"198": jobs\/mailer\.py:2 RETRIES = 198/,
    )
    assert.match(await say('find', { question: 'why 198 attempts' }), /^2 RETRIES = 198/m)
  })

  test('of long hits shows the lines around the words that say most, within the budget', async (t) => {
    const filler = (i: number) => `  step(${i}, 'the file of the store is read and written again')`
    const long = (name: string, line: string) =>
      `export function ${name}() {\n${Array.from({ length: 90 }, (_, i) => (i === 60 ? line : filler(i))).join('\n')}\n}\n`
    const rows = Array.from({ length: 40 }, (_, i) => `| key${i}          | nothing of note            |`)
    rows[30] = '| quarantine          | where parcels wait            |'
    const { say } = await deskWorld(t, {
      files: {
        'src/one.ts': long('receive', "  quarantine('parcels wait here')"),
        'docs/keys.md': `# Keys\n\n| Key | Meaning |\n|---|---|\n${rows.join('\n')}\n`,
      },
    })
    const text = await say('find', { question: 'where do parcels wait in quarantine', budget: 2_000 })
    assert.ok(text.length <= 2_000, String(text.length))
    assert.match(text, /^62 {3}quarantine\('parcels wait here'\)$/m)
    assert.match(text, /^35 \| quarantine \| where parcels wait \|$/m)
    assert.doesNotMatch(text, /nothing of note/, 'rows of a long table that have none of the words')
  })

  test('says when a document is much older than a file that it names', async (t) => {
    const { root, say } = await deskWorld(t, {
      files: {
        'docs/parcels.md':
          '# Parcels\n\nParcels wait in quarantine, see `src/quarantine.ts` and `src/gone.ts`.\n',
        'src/quarantine.ts': 'export const quarantine = 3\n',
      },
    })
    const ask = () => say('find', { question: 'where do parcels wait in quarantine' })
    assert.doesNotMatch(await ask(), /older than/)
    const then = new Date(Date.now() - 430 * 86_400_000)
    utimesSync(join(root, 'docs/parcels.md'), then, then)
    assert.match(
      await ask(),
      /^docs\/parcels\.md:1-3 Parcels \.\d\d \(older than src\/quarantine\.ts by 14 months\)$/m,
    )
  })

  test('a question about callers gives the uses of the function it means', async (t) => {
    const { say } = await deskWorld(t, {
      files: {
        'src/queue.ts':
          '/** Returns the waiting queue of the request context. */\nexport function queueOfContext(context: Context): Queue {\n  return context.queue ?? emptyQueue\n}\n',
        'src/merge.ts':
          "import { queueOfContext } from './queue.js'\n\nexport function merge(context: Context) {\n  queueOfContext(context).idle()\n}\n",
      },
    })
    const uses =
      /^Used: 1 line in 1 file\nsrc\/merge\.ts\n {2}4 \[merge\] queueOfContext\(context\)\.idle\(\)$/m
    assert.match(
      await say('find', { question: 'which code uses the waiting queue of the request context' }),
      uses,
    )
    assert.doesNotMatch(
      await say('find', { question: 'return the waiting queue of the request context' }),
      uses,
    )
  })

  test('shows the function of a file whose head was found, not its imports', async (t) => {
    const { say } = await deskWorld(t, {
      files: {
        'reminder/reminder.go':
          '// Package reminder keeps a store of reminders for overdue chores.\n' +
          '// It stores timestamps on disk to remind the user of certain events, once a day at most,\n' +
          '// unless reminders are disabled by the user of the package.\npackage reminder\n\nimport (\n\t"fmt"\n\t"time"\n\n\t"example.com/cache"\n\t"example.com/debug"\n)\n\n' +
          `func Load() error {\n${'\tfmt.Println("x", cache.Read(), time.Now())\n'.repeat(8)}\treturn nil\n}\n\n` +
          `func Overdue(name string) bool {\n${'\tdebug.Log("y", cache.Read(name), time.Since(last))\n'.repeat(8)}\treturn true\n}\n`,
      },
    })
    const text = await say('find', { question: 'store of reminders for overdue chores' })
    assert.match(text, /^reminder\/reminder\.go:\d+-\d+ Overdue /)
  })

  test('names of several functions with the called name the one whose file is imported, else none', async (t) => {
    const bell = 'export function ringBell(n: number) {\n  return n\n}\n'
    const post = (file: string, from: string) =>
      `import { ringBell } from '${from}'\n\n/** Delivers all ${file} of a bag to their houses. */\nexport function deliver_${file}(bag: number) {\n  ringBell(bag)\n}\n`
    const { say } = await deskWorld(t, {
      files: {
        'src/brass.ts': bell,
        'src/iron.ts': bell.replace('n: number', 'm: number').replace('return n', 'return m'),
        'post/letters.ts': post('letters', '../src/iron.js'),
        'post/parcels.ts': post('parcels', '@bells/all'),
        'post/cards.ts': post('cards', '@bells/all').replaceAll('ringBell', 'HAND_BELL'),
        'scripts/bell.sh': 'HAND_BELL="$(mktemp)"\nringCards() {\n  echo 1\n}\n',
      },
    })
    assert.match(
      await say('find', { question: 'deliver_letters' }),
      /^calls: ringBell \(src\/iron\.ts:1-3\)$/m,
    )
    assert.doesNotMatch(await say('find', { question: 'deliver_parcels' }), /^calls: /m)
    // A script's variable is none of the code's.
    assert.doesNotMatch(await say('find', { question: 'deliver_cards' }), /bell\.sh/)
  })

  test('names the project functions that are called, and no namesakes of libraries', async (t) => {
    const { say } = await deskWorld(t, {
      files: {
        'src/letters.py':
          'import fmt\n\nROUNDS = 3\n\n\ndef deliver_letters(bag):\n    """Delivers all letters of a bag to their houses."""\n    fmt.Sprint(bag)\n    ring_bell(bag, ROUNDS)\n    bag.close()\n\n\ndef ring_bell(bag, rounds):\n    return rounds\n',
        'src/other.py':
          'def Sprint(x):\n    return x\n\nclass Queue:\n    def close(self):\n        return 1\n',
      },
    })
    const text = await say('find', { question: 'how are the letters of a bag delivered to houses' })
    assert.match(
      text,
      /^uses: ROUNDS = 3 \(src\/letters\.py:3\) · calls: ring_bell \(src\/letters\.py:13-14\)$/m,
    )
  })

  test('says that no line has a name of the question', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(
      await say('find', { question: 'which urls does resolvesToo resolve' }),
      /^No line has "resolvesToo" as a whole word\. The nearest name is resolvesTo\.$/m,
    )
  })

  test('says so when nothing is strong, and when nothing is indexed', async (t) => {
    const { say } = await deskWorld(t)
    assert.match(await say('find', { question: 'xyzzy plugh' }), /^(?:Nothing strong|Nothing found)/)
    const empty = await deskWorld(t, { files: { 'a.md': '# A' }, indexed: false })
    assert.match(await empty.say('find', { question: 'anything' }), /Nothing found.*\nNote: /s)
  })

  test('gives the same bytes each time', async (t) => {
    const { say } = await deskWorld(t, {})
    const ask = () => say('find', { question: 'how are retries limited' })
    assert.equal(await ask(), await ask())
  })
})

test('remember keeps a fact that find returns; check_decision quotes the records', async (t) => {
  const { say } = await deskWorld(t, {})
  assert.equal(
    await say('remember', { content: 'The staging relay refuses mails over 9 megabytes.' }),
    'Remembered.',
  )
  assert.match(await say('find', { question: 'staging relay refuses mails over 9 megabytes' }), /remembered/)
  const text = await say('check_decision', { proposal: 'Offer a GraphQL endpoint in the public API.' })
  assert.match(text, /hint: (?:conflicts|related|agrees)\n {2}chose: /)
  assert.ok(text.length <= 2_000, `${text.length}`)
})
