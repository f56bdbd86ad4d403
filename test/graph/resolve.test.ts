import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkWarnings } from '../../src/graph/graph.js'
import { graphOf } from './notes.js'

const vault = {
  'home.md': '',
  'concepts/retry-budget.md': '---\ntitle: Retry budget\naliases: [Patience, "ask again"]\n---\n',
  'concepts/Clock Skew.md': '# Clock skew, explained\n',
  'projects/roadmap.md': '# Roadmap\n',
  'archive/roadmap.md': '# Roadmap 2024\n',
  'deep/er/still/unique.md': '',
  'sprachen/Übergabe Schichtwechsel.md': '',
  '日本語/静かな時間.md': '',
  '🏮 Naming ideas.md': '',
  'v1.2.md': '',
  'C# notes.md': '',
  'C.md': '',
  'C#.md': '',
  'x ^ y.md': '# Title^with sign\n',
  'a#^b.md': '',
  'plain.md': '',
  'lists/ci.md': '---\ntitle: CI/CD\n---\n',
  'other.mdx': '',
  'Twin.md': '',
  'twin.md': '',
  'caf\u00e9.md': '',
  'cafe\u0301.md': '',
  'guide/setup.md': '# Setup\n',
  'a.md': '# Setup\n',
  'b.md': '# Setup\n',
  'guide/first-run.md': '',
  'c.md': '# First run\n',
  'd.md': '# First run\n',
  'e.md': '# Same title\n',
  'f.md': '# Same title\n',
}

/** Where one link leads that stands in `notes/here.md`. */
function check(written: string, expected: string | null, ambiguous = false) {
  test(`${written} leads to ${expected ?? 'nothing'}${ambiguous ? ', with a doubt' : ''}`, () => {
    const graph = graphOf({ ...vault, 'notes/here.md': `${written}\n`, 'notes/beside.md': '# Beside\n' })
    const here = graph.notes.get('notes/here.md')!
    assert.deepEqual(
      here.resolved.map((one) => one?.path ?? null),
      here.facts.links.length > 0 ? [expected] : [],
    )
    assert.deepEqual(here.out, expected ? [expected] : [])
    assert.equal(linkWarnings(here).ambiguous.length, ambiguous ? 1 : 0)
  })
}

// Exact paths.
check('[[concepts/retry-budget]]', 'concepts/retry-budget.md')
check('[[concepts/retry-budget.md]]', 'concepts/retry-budget.md')
check('[[/concepts/retry-budget]]', 'concepts/retry-budget.md')
check('[[CONCEPTS/Retry-Budget]]', 'concepts/retry-budget.md')
check('[[../concepts/retry-budget]]', 'concepts/retry-budget.md')
check('[[other]]', 'other.mdx')
check('[[home]]', 'home.md')
check('[[Twin]]', 'Twin.md')
check('[[twin]]', 'twin.md')
check('[[TWIN]]', 'Twin.md', true)
check('[[caf\u00e9]]', 'caf\u00e9.md')
check('[[cafe\u0301#Menu|label]]', 'cafe\u0301.md')

// Titles, file names and aliases.
check('[[Retry budget]]', 'concepts/retry-budget.md')
check('[[RETRY BUDGET|label]]', 'concepts/retry-budget.md')
check('[[Clock skew, explained#How]]', 'concepts/Clock Skew.md')
check('[[Clock Skew^rule]]', 'concepts/Clock Skew.md')
check('[[Clock Skew#^rule]]', 'concepts/Clock Skew.md')
check('![[patience#Why]]', 'concepts/retry-budget.md')
check('[[Ask again]]', 'concepts/retry-budget.md')
check('[[v1.2]]', 'v1.2.md')
check('[[CI/CD]]', 'lists/ci.md')
check('[[C# notes]]', 'C# notes.md')
check('[[übergabe schichtwechsel]]', 'sprachen/Übergabe Schichtwechsel.md')
check('[[U\u0308bergabe Schichtwechsel]]', 'sprachen/Übergabe Schichtwechsel.md')
check('[[静かな時間]]', '日本語/静かな時間.md')
check('[[🏮 Naming ideas]]', '🏮 Naming ideas.md')

// Spaces and dashes, and the ends of paths.
check('[[clock-skew]]', 'concepts/Clock Skew.md')
check('[[ask_again]]', 'concepts/retry-budget.md')
check('[[concepts/clock-skew]]', 'concepts/Clock Skew.md')
check('[[er/still/unique]]', 'deep/er/still/unique.md')
check('[[still/Unique.md]]', 'deep/er/still/unique.md')
check('[[projects/roadmap]]', 'projects/roadmap.md')

// The shortest path wins, and says so.
check('[[roadmap]]', 'archive/roadmap.md', true)
check('[[Roadmap 2024]]', 'archive/roadmap.md')

// A file name that exactly one note has beats the titles of others.
check('[[Setup]]', 'guide/setup.md')
check('[[first-run]]', 'guide/first-run.md')
check('[[First run]]', 'guide/first-run.md')
check('[[First_run]]', 'guide/first-run.md')
check('[[Same title]]', 'e.md', true)

// Markdown links go from the note.
check('[x](beside.md)', 'notes/beside.md')
check('[x](./beside.md#top "Title")', 'notes/beside.md')
check('[x](beside)', 'notes/beside.md')
check('[x](../concepts/Clock%20Skew.md)', 'concepts/Clock Skew.md')
check('[x](<../concepts/Clock Skew.md>)', 'concepts/Clock Skew.md')
check('[x](/concepts/retry-budget.md)', 'concepts/retry-budget.md')
check('[x](concepts/retry-budget.md)', 'concepts/retry-budget.md')
check('[x](unique.md)', 'deep/er/still/unique.md')
check('[x](../C%23%20notes.md)', 'C# notes.md')
check('[x][y]\n\n[y]: beside.md', 'notes/beside.md')
check('[log in](roadmap)', null)
check('[x](../../outside.md)', null)
check('[x](https://example.org/home.md)', null)

// Frontmatter.
check('---\nup: "[[Retry budget]]"\n---', 'concepts/retry-budget.md')
check('---\nup: "[x](beside.md)"\n---', 'notes/beside.md')

// Names with the signs that part a name from a heading or a block: the note that is called so is meant.
check('[[C#]]', 'C#.md')
check('[[C#|sharp]]', 'C#.md')
check('![[c#]]', 'C#.md')
check('[[C]]', 'C.md')
check('[[C#Heading]]', 'C.md')
check('[[C##Heading]]', 'C#.md')
check('[[C# notes#Part]]', 'C# notes.md')
check('[[C# notes^block]]', 'C# notes.md')
check('[[C# notes#^block]]', 'C# notes.md')
check('[[C# nots]]', 'C.md')
check('[[x ^ y]]', 'x ^ y.md')
check('[[x ^ y#Part]]', 'x ^ y.md')
check('[[Title^with sign]]', 'x ^ y.md')
check('[[a#^b]]', 'a#^b.md')
check('[[plain#]]', 'plain.md')
check('[[plain^]]', 'plain.md')
check('[[#]] [[^]]', null)
check('[x](../C%23.md)', 'C#.md')
check('[x](../C%23.md#part)', 'C#.md')
check('[x](../C#.md)', 'C#.md')
check('[x](../C.md#part)', 'C.md')
check('---\nup: "[[C#]]"\n---', 'C#.md')
check('---\nup: "[[C#|l]]"\n---', 'C#.md')
check('---\nup: "[l](../C%23.md)"\n---', 'C#.md')

// Nothing.
check('[[nowhere]]', null)
check('[[x/home]]', null)
check('`[[home]]`', null)
check('```\n[[home]]\n```', null)
check('[[retry budgets]]', null)

test('a link that names no note is no broken link', () => {
  const graph = graphOf({ 'a.md': '[[x]] ![[y.base]] [z](z.ts) [w](w.md) [[paper.pdf]] [folder](docs/)\n' })
  const { broken } = linkWarnings(graph.notes.get('a.md')!)
  assert.deepEqual(
    broken.map(({ target }) => target),
    ['x', 'w.md'],
  )
})
