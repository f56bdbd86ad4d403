import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parse as parseYaml } from 'yaml'
import { readFrontmatter } from './frontmatter.js'
import { plainYaml } from './yaml.js'

function check(text: string, fields: Record<string, unknown> | null, body?: string, notes: string[] = []) {
  test(JSON.stringify(text).slice(0, 100), () => {
    const front = readFrontmatter(text)
    assert.deepEqual(front?.fields ?? null, fields)
    if (front) assert.equal(text.slice(front.end), body)
    assert.deepEqual(front?.notes.map((note) => note.code) ?? [], notes)
  })
}

describe('frontmatter is read', () => {
  check('---\na: b\n---\nx', { a: 'b' }, 'x')
  check('---\r\na: 1\r\n---\r\nx', { a: 1 }, 'x')
  check('---\na: b\n...\nx', { a: 'b' }, 'x')
  check('---\n---\nx', {}, 'x')
  check('---\na: b\n---', { a: 'b' }, '')
  check('---\n# only\na: {b: [c, "d"]}\n---\n', { a: { b: ['c', 'd'] } }, '')
  check(
    '---\ndate: 2024-01-02\non: yes\n"quoted key": 1.5\n---\n',
    { date: '2024-01-02', on: 'yes', 'quoted key': 1.5 },
    '',
  )
  check(
    '+++\ntitle = "T"\nn = 3\ntags = ["a", \'b\']\n[extra]\nx = 1\n+++\nx',
    { title: 'T', n: 3, tags: ['a', 'b'] },
    'x',
  )
  check(
    '+++\n"title" = """\nLong \\\n  title"""\ntags = [ # some\n"a,b",\n\'c\', # last\n]\nat = 2024-01-02 # day\n+++\n',
    { title: 'Long title', tags: ['a,b', 'c'], at: '2024-01-02' },
    '',
  )
  check('+++\na = "x\nb = [1\nc = "\\d"\nd = true\n+++\n', { a: '"x', b: '[1', c: '"\\d"', d: true }, '')
})

describe('frontmatter is whatever YAML reads as keys and values', () => {
  check('---\n  title: Ind\n  author: me\n---\nx', { title: 'Ind', author: 'me' }, 'x')
  check('---\n? title\n: Old\n---\nx', { title: 'Old' }, 'x')
  check('---\n{title: Old, a: b}\n---\nx', { title: 'Old', a: 'b' }, 'x')
  check('---\n{\n  "title": "Old"\n}\n---\nx', { title: 'Old' }, 'x')
  check('---\n!!map\na: b\n---\nx', { a: 'b' }, 'x')
  check('---\n(odd) key: b\n---\nx', { '(odd) key': 'b' }, 'x')
  check('---\n# only a comment\n---\nx', {}, 'x')
  check('---\n# one\n  # two\n---\nx', {}, 'x')
})

describe('frontmatter is not there', () => {
  check('---\n\n# A\n\n---\nx', null)
  check('---\n# A\ntext\n---\n', null)
  check('---\n- a: b\n---\n', null)
  check('---\n[a]: b\n---\n', null)
  check('---\n*Note*: text\n---\n', null)
  check('---\n  Said: he\n\nMore text\n---\n', null)
  check('---\n{{include: x}}\n---\n', null)
  check('---\n"A sentence."\n---\n', null)
  check('', null)
  check('a: b\n---\n', null)
  check('\n---\na: b\n---\n', null)
  check('---\na: b\n', null)
  check('----\na: b\n----\n', null)
  check('---js\nmodule.exports = process.exit()\n---\n', null)
  check('---\n\n# A\n\ntext\n\n---\n', null)
})

describe('broken frontmatter keeps its readable fields, with a note', () => {
  const broken = ['frontmatter_broken']
  check(
    '---\ntitle: A: b\ntags:\n  - x\n  - y: z\n---\nx',
    { title: 'A: b', tags: ['x', 'y: z'] },
    'x',
    broken,
  )
  check('---\na: "x\nb: [1\n---\nx', { a: '"x', b: '[1' }, 'x', broken)
  check('---\na: {{date}}\nb: c\n---\nx', { a: '{{date}}', b: 'c' }, 'x', broken)
  check(`---\na: &a [x]\n${bomb()}---\nx`, { a: '&a [x]', ...bombFields() }, 'x', broken)
  check(`---\na: ${'['.repeat(2000)}\n---\nx`, { a: '['.repeat(2000) }, 'x', broken)
  check(`---\na: b\nc: ${'? '.repeat(20000)}\n---\nx`, { a: 'b', c: '? '.repeat(20000).trim() }, 'x', broken)
  check(
    '---\n__proto__: {x: 1}\nconstructor: y\n---\n',
    JSON.parse('{"__proto__": {"x": 1}, "constructor": "y"}'),
    '',
  )

  test('with the line it broke on', () => {
    const note = readFrontmatter('---\na: b\nc: d: e\n---\n')?.notes[0]
    assert.match(note!.message, /line 3/)
  })

  test('values that are nested too deeply are dropped in any notation', () => {
    const steps = (unit: string) =>
      Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}${unit}`).join('\n')
    const deep = ['{a: ', '[', '{"a":[', '[a: ', "{don't, [", 'a: ', '? ', ': ', '&a [', '!a {'].map((unit) =>
      unit.repeat(1000),
    )
    const blocks = ['- ', '? - ', '- ? '].map((unit) => `\n  ${unit.repeat(1000)}`)
    const indented = ['a:', '-', '? ', '- [a,'].map((unit) => `\n${steps(unit)}`)
    for (const value of [...deep, ...blocks, ...indented]) {
      const front = readFrontmatter(`---\nb: c\na: ${value}\n---\nx`)
      assert.match(front!.notes[0]!.message, /nested deeper than 50 levels/, value.slice(0, 20))
      assert.equal(front!.fields.b, 'c')
    }
  })

  test('brackets in texts are no depth', () => {
    const many = '[{'.repeat(100)
    for (const value of [`"${many}"`, `'${many}'`, `x ${many}`, `|\n  ${many}`, `b # ${many}`])
      assert.deepEqual(readFrontmatter(`---\na: ${value}\n---\n`)!.notes, [])
    assert.deepEqual(readFrontmatter(`---\na: ${'['.repeat(49)}${']'.repeat(49)}\n---\n`)!.notes, [])
  })
})

function bomb(): string {
  return Array.from(
    { length: 12 },
    (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : 'a'}, `.repeat(9)}]\n`,
  ).join('')
}

function bombFields() {
  const lines = bomb().trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)))
}

test('the fast parser of plain frontmatter agrees with YAML or returns null', () => {
  const scalar = fc.oneof(
    fc.constantFrom(
      'a',
      'two words',
      'x: y',
      'x:y',
      '"q"',
      "'s'",
      '"[[w]]"',
      '2024-01-02',
      '1',
      '-7',
      '0',
      '1.50',
      '007',
      '1e3',
      'true',
      'No',
      '~',
      'null',
    ),
    fc.constantFrom(
      'https://a.b/c?d=e',
      'a#b',
      'a #b',
      '[a, b]',
      '[]',
      '[ "x" , y ]',
      '[a: b]',
      '[[w]]',
      '{a: b}',
      '|',
      '>-',
      '- x',
      '&a b',
      '*a',
      '!t x',
      '%a',
      '@a',
      '`a`',
      'é',
      'a\\b',
      '"a\\tb"',
      '.5',
      '0x1f',
      '1_000',
      'a, b',
      "it's",
      'a:',
      '.inf',
      '<a>',
      '<a b="c">',
      '/a/@b "c" x',
      '[<a>, b "c"]',
      '|-',
      '>',
      '',
      ' x ',
    ),
    fc.stringMatching(/^[a-zA-Z0-9 .,:'"#[\]{}\-_/]{0,12}$/),
  )
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('a', 'b-c', 'title', 'tags'), scalar).map(([key, value]) => `${key}: ${value}`),
    fc.constantFrom('list:', 'other:', '', '  ', '# comment', 'a', 'e:  ', '\tx: y', 'x:\ty'),
    fc.tuple(fc.constantFrom('- ', '  - ', '    - '), scalar).map(([dash, value]) => dash + value),
    fc
      .tuple(
        fc.constantFrom('  ', '    ', '- ', '  - ', '  -   ', '- - ', '  - - ', '      '),
        fc.constantFrom('a: b', 'c:', 'd: [e]', 'name: 1', 'f', '-', '# g'),
      )
      .map(([before, rest]) => before + rest),
    fc.constantFrom(
      'a: |\n  one\n  two',
      'a: >-\n   one: x\n   # two',
      'a: >\n  one\n',
      'a: |\n  one\n\n\n# two',
      'd: a#b/c# d',
      'b: >\n  one \n  two',
      '- a: |-\n    - one',
      'd:\n  one\n  two words',
      'd: one\n    two words\n  three',
      '  # x',
      '  one',
    ),
  )
  let read = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, ending) => {
      const raw = lines.join('\n').replaceAll('\n', ending)
      const plain = plainYaml(raw)
      if (!plain) return
      read++
      assert.deepEqual(plain, parseYaml(raw, { uniqueKeys: false }) ?? {}, raw)
    }),
    { seed: 20261115, numRuns: 2_000 },
  )
  assert.ok(read > 200, `${read} read`)
})
