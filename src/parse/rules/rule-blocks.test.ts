import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readRules } from './read-rule.js'

const fenced = (yaml: string) => `# Title\n\n\`\`\`rule\n${yaml}\n\`\`\`\n`
const read = (yaml: string) => readRules(fenced(yaml))

describe('rule blocks', () => {
  test('a block becomes a rule with its line', () => {
    const { rules, broken } = read(
      'id: no-eval\nkind: forbid-text\nlanguage: ts\npattern: \\beval\\(\nmessage: No eval.',
    )
    assert.deepEqual(broken, [])
    assert.deepEqual(rules, [
      {
        id: 'no-eval',
        severity: 'error',
        message: 'No eval.',
        languages: ['typescript'],
        paths: [],
        except: [],
        line: 3,
        check: {
          kind: 'text',
          require: false,
          pattern: '\\beval\\(',
          ignoreCase: false,
          when: null,
          every: false,
          codeOnly: false,
        },
      },
    ])
  })

  const kinds: [yaml: string, check: object][] = [
    ['kind: require-tree\npattern: f($A)', { kind: 'tree', require: true, tree: 'f($A)' }],
    ['kind: forbid-tree\nrule: { kind: class_declaration }', { tree: { kind: 'class_declaration' } }],
    [
      'kind: forbid-import\nfrom: src/a\nimport: [x, y]',
      { kind: 'import', require: false, imports: ['x', 'y'] },
    ],
    [
      'kind: layers\nlayers: [a, { name: B, path: b }]',
      {
        layers: [
          { name: 'a', paths: ['a'] },
          { name: 'B', paths: ['b'] },
        ],
      },
    ],
    ["kind: forbid-dependency\ndependency: '@a/b'", { kind: 'dependency', names: ['@a/b'] }],
    ['kind: require-dependency\ndependency: pg', { kind: 'dependency', require: true, names: ['pg'] }],
    ['kind: file-must-exist\npath: a.json', { kind: 'file', require: true, files: ['a.json'] }],
    ['kind: file-must-not-exist\npaths: [a, b]', { kind: 'file', require: false, files: ['a', 'b'] }],
  ]
  for (const [yaml, check] of kinds)
    test(`${yaml.split('\n')[0]} is understood`, () => {
      const { rules, broken } = read(`id: x\nmessage: m\n${yaml}`)
      assert.deepEqual(broken, [])
      assert.deepEqual({ ...rules[0]!.check, ...check }, rules[0]!.check)
    })

  const letters = '{a,b,c,d,e,f,g,h,i,j,k,l,m,n,o}'
  const many = `src/${letters}/${letters}.ts`
  const wrong: [yaml: string, reason: RegExp][] = [
    ['kind: forbid-text\npattern: x\nmessage: m', /no "id"/],
    ['id: x\npattern: x\nmessage: m', /no "kind"/],
    ['id: x\nkind: forbid-txt\npattern: x\nmessage: m', /Did you mean "forbid-text"/],
    ['id: x\nkind: forbid-text\npattern: "("\nmessage: m', /no regular expression/],
    ['id: x\nkind: forbid-text\nwhen: "["\npattern: x\nmessage: m', /"when" is no regular expression/],
    ['id: x\nkind: forbid-text\npattern: \\p{Cyrilic}\nmessage: m', /Invalid property name/],
    ['id: x\nkind: forbid-text\npattern: \\p{L}\\-\nmessage: m', /Invalid escape/],
    ['id: x\nkind: forbid-text\npattern: "[🚀✅]\\\\-"\nmessage: m', /Invalid escape/],
    ['id: x\nkind: forbid-text\npatern: x\nmessage: m', /no "pattern", but a field "patern"/],
    ['id: x\nkind: forbid-import\nimprot: x\nmessage: m', /no "import", but a field "improt"/],
    ['id: x\nkind: forbid-text\npattern: # TODO\nmessage: m', /"pattern" is empty.*single quotes/],
    ['id: x\nkind: forbid-text\npattern: !important\nmessage: m', /"pattern" is empty.*single quotes/],
    ['id: x\nkind: forbid-import\nimport: @acme/db\nmessage: m', /reserved character @.*single quotes/],
    ['id: x\nkind: forbid-text\npattern: a\npath: **/*.ts\nmessage: m', /Unresolved alias.*single quotes/],
    ['id: x\nkind: forbid-text\npattern: "\\d+"\nmessage: m', /Invalid escape.*single quotes/],
    ['id: x\nkind: forbid-text\npattern: "\\bfoo\\b"\nmessage: m', /"pattern" has a backspace.*single/],
    ['id: x\nkind: forbid-tree\nwhen: "\\bfoo"\npattern: f()\nmessage: m', /"when" has a backspace/],
    ['id: x\nid: y\nkind: forbid-text\npattern: a\nmessage: m', /keys must be unique\)\.$/],
    ['id: x\nkind: forbid-text\npattern: (?i)password\nmessage: m', /ignore_case: true/],
    ['id: x\nkind: forbid-text\npattern: a\npath: [src, "!src/b"]\nmessage: m', /"!src\/b".*"except"/],
    ['id: x\nkind: file-must-not-exist\npath: "!*.md"\nmessage: m', /"!\*\.md".*"except"/],
    ['id: x\nkind: forbid-dependency\ndependency: react@17\nmessage: m', /"react@17".*without a version/],
    ['id: x\nkind: forbid-dependency\ndependency: "flask>=2"\nmessage: m', /without a version/],
    [
      'id: x\nkind: forbid-text\npattern: x\nlangauge: ts\nmessage: m',
      /no field "langauge". Did you mean "language"/,
    ],
    ['id: x\nkind: forbid-text\npattern: x', /no "message"/],
    [`id: x\nkind: forbid-text\npattern: x\npath: "${many}"\nmessage: m`, /too many alternatives.*200 paths/],
    [`id: x\nkind: forbid-text\npattern: x\nexcept: ["${many}"]\nmessage: m`, /too many alternatives/],
    [`id: x\nkind: file-must-not-exist\npath: "${many}"\nmessage: m`, /too many alternatives/],
    [`id: x\nkind: forbid-import\nimport: "${many}"\nmessage: m`, /too many alternatives/],
    [`id: x\nkind: layers\nlayers: [src, { name: a, path: "${many}" }]\nmessage: m`, /too many alternatives/],
    ['id: x\nkind: forbid-text\npattern: x\nmessage: m\nseverity: fatal', /error or warning/],
    ['id: x\nkind: forbid-text\npattern: x\nmessage: a: b', /cannot be read as YAML/],
    ['id: x\nkind: layers\nlayers: [a]\nmessage: m', /two or more/],
    ['id: x\nkind: forbid-text\npattern: x\nevery: perhaps\nmessage: m', /true or false/],
    [
      'id: x\nkind: forbid-text\nlanguage: typscript\npattern: x\nmessage: m',
      /no language "typscript" here. Did you mean "typescript"/,
    ],
    ['id: x\nkind: forbid-text\nlanguages: [ts, text]\npattern: x\nmessage: m', /no language "text"/],
    [
      'id: x\nkind: file-must-not-exist\npath: a\nlanguage: ts\nmessage: m',
      /^file-must-not-exist has no field "language"\.$/,
    ],
    ['id: x\nkind: file-must-exist\npath: a\nfrom: b\nmessage: m', /no field "from"/],
    ['id: x\nkind: forbid-dependency\ndependency: a\nlanguages: [ts]\nmessage: m', /no field "languages"/],
    ['- a\n- b', /list of fields/],
    ['just words', /list of fields/],
    ['', /list of fields/],
    [
      'a: &a [x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]',
      /cannot be read as YAML|no "id"/,
    ],
  ]
  for (const [yaml, reason] of wrong)
    test(`a block is broken, and says why: ${JSON.stringify(yaml.slice(0, 50))}`, () => {
      const { rules, broken } = read(yaml)
      assert.deepEqual(rules, [])
      assert.match(broken[0]!.reason, reason)
      assert.equal(broken[0]!.line, 3)
    })

  test('reads a fence called "rules" like "rule"', () => {
    const yaml = 'id: x\nkind: forbid-text\npattern: a\nmessage: m'
    const { rules, broken } = readRules(`\`\`\`rules\n${yaml}\n\`\`\`\n`)
    assert.deepEqual([rules.map(({ id }) => id), broken], [['x'], []])
    const list = readRules(`\`\`\`rules\n- ${yaml.replaceAll('\n', '\n  ')}\n\`\`\`\n`)
    assert.equal(list.broken.length, 1, 'a list of rules is named as broken')
  })

  test('refuses a second rule with the same name, because results name rules', () => {
    const block = 'id: x\nkind: forbid-text\npattern: a\nmessage: m'
    const { rules, broken } = readRules(fenced(block) + fenced(block))
    assert.equal(rules.length, 1)
    assert.match(broken[0]!.reason, /Two rules/)
  })

  test('only a fence called rule is a rule; one inside a list is too', () => {
    assert.equal(readRules('```yaml\nid: x\n```\n\n    ```rule\n    id: y\n    ```\n').rules.length, 0)
    const listed = '- point\n\n  ```rule\n  id: x\n  kind: forbid-text\n  pattern: a\n  message: m\n  ```\n'
    assert.equal(readRules(listed).rules.length, 1)
  })

  test('a block that is nested too deeply is broken, and says so', () => {
    const { broken } = read(`id: x\nrule: ${'{not: '.repeat(1000)}`)
    assert.match(broken[0]!.reason, /nested deeper than 50 levels/)
  })

  test('reads or refuses any block, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (yaml) => {
        const { rules, broken } = readRules(fenced(yaml))
        assert.ok(rules.length + broken.length <= 2)
      }),
      { seed: 8, numRuns: 300 },
    )
  })
})
