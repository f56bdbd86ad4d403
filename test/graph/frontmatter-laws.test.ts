// Whatever a frontmatter looks like, a change of it either is refused or changes what it should: YAML's own parser judges.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { onlyWordsChange, setField, withEdits } from '../../src/graph/frontmatter.js'
import { readFrontmatter } from '../../src/parse/frontmatter.js'

const keys = [
  'title: Old',
  '"title": Old',
  "'tags' : [a, b] # why",
  'tags:',
  'x: y',
  'k:',
  'nested:',
  'tag: q',
]
const items = ['- a', '  - b', '  - c # why', '    - d', '# remark', '  # remark', '', '  more"', '  b]', ']']
const texts = ['title: |', 'title: >-', '  text', 'x: "open', "title: 'it''s' # why", 'title: "a # b" # why']
const odd = [
  'x: &a 1',
  'y: *a',
  'title: &t Old',
  'z: *t',
  'tags: [a,',
  'tags: a, #b',
  '? title',
  ': v',
  '{title: a}',
]
const broken = ['x: {{date}}', 'title: A: b', '  title: Ind', '  tags: [i]', '  x: y', '<<: {title: m}']
const values = [
  ['title', 'New'],
  ['title', 'A: "b" #c'],
  ['tags', ['z']],
  ['tags', []],
  ['tags', ['a', 'z']],
] as const

test('setting a field changes that field and no other', () => {
  let [set, sound] = [0, 0]
  const lines = fc.array(fc.constantFrom(...keys, ...items, ...texts, ...odd, ...broken), {
    minLength: 1,
    maxLength: 7,
  })
  const property = fc.property(lines, fc.constantFrom('\n', '\r\n'), fc.nat(4), (some, end, pick) => {
    const [name, value] = values[pick]!
    const text = ['---', ...some, '---', 'body'].join(end)
    const before = fieldsOf(text)
    const front = readFrontmatter(text)
    if (before && Object.keys(before).length > 0) assert.ok(front, 'YAML finds keys, and so do we')
    const changed = front && setField(text, name === 'tags' ? ['tags', 'tag'] : [name], value)
    if (!changed) return
    set++
    assert.equal(changed.slice(readFrontmatter(changed)!.end), 'body')
    if (!before) return
    sound++
    const field = name === 'tags' && !('tags' in before) && 'tag' in before ? 'tag' : name
    assert.deepEqual(fieldsOf(changed), { ...before, [field]: value }, changed)
  })
  fc.assert(property, { seed: 20261116, numRuns: 1_000 })
  assert.ok(set > 300 && sound > 150, `${set} set, ${sound} of them in sound frontmatter`)
})

const places = [
  'up: [[*]]',
  'up: "[[*]]"',
  "up: '[[*]]'",
  'up: see [[*]]',
  'up: see [[*|l]] there',
  'up:\n  - [[*]]',
]
const more = [
  'up: >\n  a [[*]]',
  'up: {a: [[*]]}',
  'up: ["[[*]]", b]',
  '"[[*]]": 1',
  '[[*]]: 1',
  'up: "\\"[[*]]"',
]
const names = [
  'b',
  '@b',
  '* b',
  'a } b',
  'a, b',
  'a # b',
  'a: b',
  "a'b",
  'a "b"',
  'a\\b',
  '2025',
  '&b',
  '!b',
  '- b',
  '`b`',
]

test('every value that a rename may write is read back as intended', () => {
  const outcomes = new Map<boolean, number>()
  for (const place of [...places, ...more])
    for (const name of names) {
      const text = `---\n${place.replace('*', 'Alice')}\nother: x\n---\nbody`
      const start = text.indexOf('Alice')
      const edits = [{ start, end: start + 5, becomes: name }]
      const isKept = onlyWordsChange(text, edits)
      outcomes.set(isKept, (outcomes.get(isKept) ?? 0) + 1)
      const [before, after] = [fieldsOf(text), fieldsOf(withEdits(text, edits))]
      if (!before) continue
      const meant = JSON.stringify(before).replace('Alice', () => JSON.stringify(name).slice(1, -1))
      // A number was a text when it stood among letters; nobody reads a link as a number.
      const isMeant =
        after !== null && JSON.stringify(after).replace(/(?<=[:[])\[\[2025]]/, '[["2025"]]') === meant
      assert.equal(isKept, isMeant, `${place} ${name}`)
    }
  assert.ok(outcomes.get(true)! > 50 && outcomes.get(false)! > 30, JSON.stringify([...outcomes]))
})

test('every value that a rename may write into TOML is read back as intended', () => {
  const valuesRead = (line: string) =>
    ['b', "a'b", 'a "b"', 'a\\b', 'a\\d', 'a # b'].filter((name) => {
      const text = `+++\n${line.replace('*', 'Alice')}\nother = 1.0\n[table]\nx = 1\n+++\n`
      const start = text.indexOf('Alice')
      return onlyWordsChange(text, [{ start, end: start + 5, becomes: name }])
    })
  assert.deepEqual(valuesRead('up = "[[*]]"'), ['b', "a'b", 'a # b'])
  assert.deepEqual(valuesRead("up = '[[*]]' # why"), ['b', 'a "b"', 'a\\b', 'a\\d', 'a # b'])
  assert.deepEqual(valuesRead('up = [\n  "[[*]]",\n]'), ['b', "a'b", 'a # b'])
  assert.deepEqual(valuesRead("up = '''\n[[*]]'''"), ['b', "a'b", 'a "b"', 'a\\b', 'a\\d', 'a # b'])
})

test('no frontmatter takes long', () => {
  const lines = [
    '&'.repeat(12_000),
    `${'&a '.repeat(4_000)}"`,
    ' '.repeat(12_000),
    '"'.repeat(12_000),
    '#\r\n'.repeat(4_000),
  ]
  const began = process.cpuUsage()
  for (const line of lines)
    for (const text of [
      `---\r\ntitle: ${line}\r\n---\r\n`,
      `---\r\n${line}\r\n---\r\n`,
      `+++\ntitle = ${line}\n+++\n`,
    ])
      setField(text, ['title'], 'New')
  const { user } = process.cpuUsage(began)
  assert.ok(user < 3_000_000, `${user / 1000} ms`)
})

function fieldsOf(text: string): Record<string, unknown> | null {
  const raw = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('---'))
  try {
    const fields = parse(raw, { stringKeys: true, uniqueKeys: false, logLevel: 'error' }) ?? {}
    return typeof fields === 'object' && !Array.isArray(fields) ? fields : null
  } catch {
    return null
  }
}
