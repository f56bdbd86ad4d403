import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Link } from '../model/document.js'
import { parseMarkdown } from './markdown.js'
import type { Dialect } from './markdown-blocks.js'

function check<T>(what: string, read: (text: string) => T, cases: readonly (readonly [string, T])[]) {
  for (const [text, expected] of cases)
    test(`${what}: ${JSON.stringify(text).slice(0, 100)}`, () => assert.deepEqual(read(text), expected))
}

const headings = (dialect: Dialect) => (text: string) =>
  parseMarkdown(text, dialect).sections.map((s) => `${s.line}-${s.endLine} ${'#'.repeat(s.level)} ${s.text}`)

describe('headings', () => {
  check('are those of the syntax tree', headings('markdown'), [
    ['', []],
    ['# A\n## B\n# C', ['1-2 # A', '2-2 ## B', '3-3 # C']],
    ['# A\n\ntext\n', ['1-3 # A']],
    ['A\n===\n\nB\n---\ntext', ['1-6 # A', '4-6 ## B']],
    ['two\nlines\n---', ['1-3 ## two lines']],
    ['```\n# no\n```\n# yes', ['4-4 # yes']],
    ['~~~ sh\n# no\n~~~~\n    # no\n\n   # yes', ['6-6 # yes']],
    ['<!--\n# no\n\n# no\n-->\n# yes', ['6-6 # yes']],
    ['> # quoted\n\n- # listed\n\n# own', ['5-5 # own']],
    ['#no\n\n#\tyes\n####### no', ['3-4 # yes']],
    ['#\n## \n# x #\n# y \\#', ['1-2 # ', '2-2 ## ', '3-3 # x', '4-4 # y #']],
    ['---\ntitle: x\n---\n# A', ['4-4 # A']],
    ['+++\ntitle = "x"\n+++\n# A', ['4-4 # A']],
    ['---\n\n# A\n\n---\n# B', ['3-5 # A', '6-6 # B']],
    ['# A\r\n\r\n## B\r\n', ['1-3 # A', '3-3 ## B']],
    ['# A\r\r## B\r', ['1-3 # A', '3-3 ## B']],
  ])

  check('are plain text', headings('markdown'), [
    ['# `code` and *em* **strong** ~~old~~', ['1-1 # code and em strong old']],
    ['# [link](x.md) ![alt](a.png) <b>x</b> &amp; y', ['1-1 # link alt x & y']],
    ['# Name {#id}', ['1-1 # Name']],
    ['# Name {.class} ##', ['1-1 # Name']],
    ['# See [[Note|the note]] and [[Other]]', ['1-1 # See the note and Other']],
    ['# [ref][x] and [y]\n\n[x]: a.md', ['1-3 # ref and [y]']],
    ['# a_b_c \\* snake_case', ['1-1 # a_b_c * snake_case']],
    ['# Ünï 漢字 😀', ['1-1 # Ünï 漢字 😀']],
  ])

  check('in MDX see through tags and statements', headings('mdx'), [
    ["import X from './x'\n\n# A", ['3-3 # A']],
    ['export const a = {\n  b: 1,\n\n  # no\n}\n\n# A', ['7-7 # A']],
    [
      '<Tabs>\n  <Tab title="x > y">\n    ## In a tab\n  </Tab>\n</Tabs>\n# After',
      ['3-5 ## In a tab', '6-6 # After'],
    ],
    ['{/*\n# no\n*/}\n# A', ['4-4 # A']],
    ['export const a = `\n\n# No (\n\n` + "\\`"\n\n# A', ['7-7 # A']],
    ['<Card\n  title="a"\n  on={() => 1}\n>\n# A\n</Card>', ['5-6 # A']],
    ['```jsx\n# no\n<A>\n```\n# A', ['5-5 # A']],
  ])

  test('say where they start and end', () => {
    const text = '---\na: b\n---\nx\n\n# A\n\ny\n\nB\n--\nz\n'
    const { sections } = parseMarkdown(text)
    assert.deepEqual(
      sections.map((s) => text.slice(s.start, s.end)),
      ['# A\n\ny\n\nB\n--\nz\n', 'B\n--\nz\n'],
    )
  })
})

check('the title', (text) => parseMarkdown(text).title, [
  ['text', null],
  ['# A', 'A'],
  ['## B\n\n# A\n# C', 'A'],
  ['#\n# A', 'A'],
  ['---\ntitle: " F "\n---\n# A', 'F'],
  ['---\ntitle: 2024\n---\n# A', '2024'],
  ['---\ntitle: ""\n---\n# A', 'A'],
  ['---\ntitle: [a]\n---\n# A', 'A'],
  ['<h1 align="center">\n  <img src="x"> My &amp; thing\n</h1>\n\n# A', 'My & thing'],
  ['<div>\n<!-- <h1>no</h1> -->\n<h1>B</h1>\n<h1>C</h1></div>', 'B'],
  ['# A\n\n<h1>B</h1>', 'A'],
  ['<pre><h1>no</h1></pre>\n\n> <h1>no</h1>\n\n<h1>no\n\n<h1><img></h1>\n\n# A', 'A'],
])

const blocks = (text: string) =>
  parseMarkdown(text).blocks.map(
    (b) => `${b.line}-${b.endLine} ${b.kind}${b.language ? ` ${b.language}` : ''}`,
  )

check('blocks', blocks, [
  ['---\na: b\n---\n# A\n\nx\ny\n', ['1-3 frontmatter', '4-4 heading', '6-7 paragraph']],
  ['+++\na = 1\n+++\nx', ['1-3 frontmatter', '4-4 paragraph']],
  [
    '| a |\n|---|\n| b |\n\n***\n\n> q\n\n<div>\n\nx',
    ['1-3 table', '5-5 rule', '7-7 quote', '9-9 html', '11-11 paragraph'],
  ],
  ['- a\n- b\n\n  c\n\nd', ['1-4 list', '6-6 paragraph']],
  ['1. a\n\n   ```ts {2}\n   x\n   ```\n\n2. b', ['1-1 list', '3-5 code typescript', '7-7 list']],
  ['- ```py\n  x\n  ```', ['1-3 code python']],
  ['> ```js\n> x\n> ```', ['1-3 quote']],
  [
    '```{r, echo=FALSE}\nx\n```\n\n    indented\n\n```js:line-numbers\n',
    ['1-3 code r', '5-5 code', '7-7 code javascript'],
  ],
  ['[a]: b.md\n[c]: d.md\n\nx', ['1-1 paragraph', '2-2 paragraph', '4-4 paragraph']],
])

type Short = [kind: Link['kind'], written: string, target: string, rest?: Partial<Link>]

function links(text: string): Short[] {
  return parseMarkdown(text).links.map(({ kind, target, label, heading, block, start, end, line }) => {
    assert.equal(line, text.slice(0, start).split(/\r\n|\n|\r/).length)
    const rest = Object.fromEntries(
      Object.entries({ label, heading, block }).filter(([, value]) => value !== null),
    )
    return [
      kind,
      text.slice(start, end),
      target,
      ...(Object.keys(rest).length > 0 ? [rest] : []),
    ] as unknown as Short
  })
}

describe('links', () => {
  check('in the manner of a wiki', links, [
    ['[[name]]', [['wiki', '[[name]]', 'name']]],
    ['a [[my note|a label]] b', [['wiki', '[[my note|a label]]', 'my note', { label: 'a label' }]]],
    ['[[n#h 1]]', [['wiki', '[[n#h 1]]', 'n', { heading: 'h 1' }]]],
    ['[[n#h#i|l]]', [['wiki', '[[n#h#i|l]]', 'n', { label: 'l', heading: 'h#i' }]]],
    [
      '[[n^b]] [[n#^b]]',
      [
        ['wiki', '[[n^b]]', 'n', { block: 'b' }],
        ['wiki', '[[n#^b]]', 'n', { block: 'b' }],
      ],
    ],
    ['![[e]]', [['embed', '![[e]]', 'e']]],
    ['[[dir/Dune: Part Two.md]]', [['wiki', '[[dir/Dune: Part Two.md]]', 'dir/Dune: Part Two.md']]],
    ['[[Dune: Part Two]]', [['wiki', '[[Dune: Part Two]]', 'Dune: Part Two']]],
    ['| a |\n|---|\n| [[n\\|l]] |', [['wiki', '[[n\\|l]]', 'n', { label: 'l' }]]],
    [
      '> - [[q]]\n> ## [[h]]',
      [
        ['wiki', '[[q]]', 'q'],
        ['wiki', '[[h]]', 'h'],
      ],
    ],
    ['x\r\n\r\n[[y]]', [['wiki', '[[y]]', 'y']]],
    ['[[[x]]]', [['wiki', '[[x]]', 'x']]],
    ['[[a [[b]]', [['wiki', '[[b]]', 'b']]],
    ['[^1]: [[foot]]', [['wiki', '[[foot]]', 'foot']]],
  ])

  check('that are none', links, [
    ['[[]] [[ ]] [[#here]] [[^block]] [[a\nb]] [[a]', []],
    ['`[[a]]` ``[[b]] ` [[c]]``', []],
    ['```\n[[a]]\n```\n\n    [[b]]\n', []],
    ['x <!-- [[a]] --> x <!-- \n[[b]] -->', []],
    ['<!--\n[[a]]\n\n[[b]]\n-->', []],
    ['\\[[a]] \\![x](http://a.b)', []],
    ['%% [[a]] %%\n\n%%\n[[b]]\n\n[[c]]\n%%', []],
    ['$$[[1]]$$', []],
    ['<a href="[[a]]">x</a>', []],
    ['[[https://x.y/z]] ![[picture.png]] [[film.mp4]]', []],
    ['---\n# [[comment]]\na: b\n---\n', []],
  ])

  check('in the manner of Markdown', links, [
    ['[a](b.md)', [['markdown', '[a](b.md)', 'b.md', { label: 'a' }]]],
    ['[a](<my b.md> "t")', [['markdown', '[a](<my b.md> "t")', 'my b.md', { label: 'a' }]]],
    [
      '[a](../b.md#some-h)',
      [['markdown', '[a](../b.md#some-h)', '../b.md', { label: 'a', heading: 'some-h' }]],
    ],
    [
      '[a](b%20c.md?x=1#^id)',
      [['markdown', '[a](b%20c.md?x=1#^id)', 'b%20c.md', { label: 'a', block: 'id' }]],
    ],
    ['[a](b(c).md)', [['markdown', '[a](b(c).md)', 'b(c).md', { label: 'a' }]]],
    ['[*a* `b`\nc](b.md)', [['markdown', '[*a* `b`\nc](b.md)', 'b.md', { label: 'a b c' }]]],
    ['[![i](a.png)](b.md)', [['markdown', '[![i](a.png)](b.md)', 'b.md', { label: 'i' }]]],
    ['![x](note.md)', [['markdown', '![x](note.md)', 'note.md', { label: 'x' }]]],
    ['[a][r] [r]\n\n[r]: b.md "t"', [['markdown', '[r]: b.md', 'b.md', { label: 'r' }]]],
    ['[r]:\n  <b c.md>', [['markdown', '[r]:\n  <b c.md>', 'b c.md', { label: 'r' }]]],
    ['[a [b](c.md) d](e.md)', [['markdown', '[b](c.md)', 'c.md', { label: 'b' }]]],
    [
      '[a](b.md)[c](d.md)',
      [
        ['markdown', '[a](b.md)', 'b.md', { label: 'a' }],
        ['markdown', '[c](d.md)', 'd.md', { label: 'c' }],
      ],
    ],
    [
      '[a [[w]] b](c.md)',
      [
        ['wiki', '[[w]]', 'w'],
        ['markdown', '](c.md)', 'c.md', { label: 'a [[w]] b' }],
      ],
    ],
    [
      '[a [[w]] b] (c.md) [[[w]] b][c]',
      [
        ['wiki', '[[w]]', 'w'],
        ['wiki', '[[w]]', 'w'],
      ],
    ],
  ])

  check('that lead elsewhere are none', links, [
    ['[a](http://x.y/b.md) [a](mailto:x@y) [a](//x.y) [a](#here) [a]() <http://x.y>', []],
    ['![x](a.png) ![x](badge) [i](photo.JPG)', []],
    ['`[a](b.md)` [a] (b.md) [a](b c.md) \\[a](b.md)', []],
    ['[r]: https://x.y', []],
  ])

  check('in frontmatter', links, [
    ['---\nup: "[[A|b]]"\n---\n', [['frontmatter', '[[A|b]]', 'A', { label: 'b' }]]],
    [
      '---\nup: [[A]]\nl:\n  - "x [[B#c]]"\n  - d: ["[[C]]"]\n---\n[[D]]',
      [
        ['frontmatter', '[[A]]', 'A'],
        ['frontmatter', '[[B#c]]', 'B', { heading: 'c' }],
        ['frontmatter', '[[C]]', 'C'],
        ['wiki', '[[D]]', 'D'],
      ],
    ],
    ['---\nsee: "[a](b.md)"\n---\n', [['frontmatter', '[a](b.md)', 'b.md', { label: 'a' }]]],
  ])
})

describe('tags', () => {
  check('stand in frontmatter and text', (text) => parseMarkdown(text).tags, [
    ['#a text #b/c, (#d) **#e** #f_g-h', ['a', 'b/c', 'd', 'e', 'f_g-h']],
    ['#größe #日本語 #y2024 #🌲', ['größe', '日本語', 'y2024', '🌲']],
    ['- #a\n> #b\n\n| #c |\n|---|\n| #d |\n\n# x #e', ['a', 'b', 'c', 'd', 'e']],
    ['# x\n\n#1 #2024 c#d ##e #! # {#id} a#b https://x.y/#f x.html#g', []],
    ['`#a` ``` #b ``` <a href="#c">x</a> <!-- #d --> \\#e', []],
    ['[#a](b.md) [x](#b) [[c#d]] [#e][r] https://x.y/(#f)\n\n[r]: http://x.y', []],
    ['```\n#a\n```\n\n    #b\n', []],
    ['#a #A #a', ['a']],
    ['#trail/ #a//', ['trail', 'a']],
    ['---\ntags: [x, "#y/z", 2024]\n---\n#w', ['x', 'y/z', '2024', 'w']],
    ['---\ntags: x, #y z\n---\n', ['x', 'y', 'z']],
    ['---\ntags: one, two three\n---\n', ['one', 'two', 'three']],
    ['---\ntags: "one,two ,  three,"\n---\n', ['one', 'two', 'three']],
    ['---\ntags: [one, two three]\n---\n', ['one', 'two three']],
    ['---\ntags: x y #z\n---\n', ['x', 'y', 'z']],
    ['---\ntags: [x, y] # mine\n---\n', ['x', 'y']],
    ['---\ntags: x # mine\n---\n', ['x']],
    ['---\ntags: #a #b\n---\n', ['a', 'b']],
    ['---\ntags:\n  - #a\n  - b\n---\n', ['a', 'b']],
    ['---\ntag: one\ntags:\n- two words\n---\n', ['two words', 'one']],
  ])

  check('said twice leave a note', (text) => parseMarkdown(text).notes, [
    ['#a #a', []],
    [
      '---\ntags: [a, B, b]\n---\n#A #c',
      [
        { code: 'duplicate_tag', message: 'Duplicate tag ignored: b' },
        { code: 'duplicate_tag', message: 'Duplicate tag ignored: A' },
      ],
    ],
  ])
})

check('aliases', (text) => parseMarkdown(text).aliases, [
  ['---\naliases: [A b, c]\n---\n', ['A b', 'c']],
  ['---\naliases: A b, c\nalias: d\n---\n', ['A b', 'c', 'd']],
  ['---\naliases:\n---\n', []],
])
