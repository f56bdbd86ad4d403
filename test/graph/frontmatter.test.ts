// What stands between the fences is somebody's: a change touches what it must, or is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answered, type GraphVault, vault } from './vault.js'

/** A note before a change and after it; null when the change must be refused and the note left as it is. */
type Check = (before: string, changes: Answered, after: string | null) => void

/** All in one vault, each in a folder of its own. */
function notes(promise: string, fill: (check: Check) => void) {
  const cases: Parameters<Check>[] = []
  fill((...one) => cases.push(one))
  test(promise, async (t) => {
    const opened = await vault(t, Object.fromEntries(cases.map(([before], i) => [`${i}/a.md`, before])))
    for (const [i, one] of cases.entries())
      await t.test(JSON.stringify(one.slice(0, 2)).slice(0, 120), () => verify(opened, `${i}/a.md`, one))
  })
}

async function verify(
  { call, refused, read }: GraphVault,
  path: string,
  [before, changes, after]: Parameters<Check>,
) {
  if (after === null) {
    const { message } = await refused('update_node', { id: path, ...changes })
    assert.match(message, /by hand.*Nothing was changed/s)
    assert.equal(read(path), before)
    return
  }
  const { id, title, tags } = await call('update_node', { id: path, ...changes })
  assert.equal(read(id), after)
  if (changes.title) assert.equal(title, changes.title)
  if (changes.tags) assert.deepEqual(tags, changes.tags)
}

notes('new content stands below the frontmatter', (check) => {
  const content = 'Text'
  check('---\nstatus: draft\n---', { content }, '---\nstatus: draft\n---\nText')
  check('---\r\nstatus: draft\r\n---', { content }, '---\r\nstatus: draft\r\n---\r\nText')
  check('+++\nstatus = "draft"\n+++', { content }, '+++\nstatus = "draft"\n+++\nText')
  check('---\nstatus: draft\n...', { content }, '---\nstatus: draft\n...\nText')
  check('---\na: b\n---', { content, tags: ['x'] }, '---\na: b\ntags: [x]\n---\nText')
  check('---\na: b\n---', { content: '' }, '---\na: b\n---')
  check('---\na: b\n---\n\n\nOld', { content }, '---\na: b\n---\n\n\nText')
})

notes('a field is set, and the rest stays as it is', (check) => {
  const tags = ['z']
  const title = 'New'
  check(
    '---\ntags:\n# keep these in order\n- a\n- b\nother: x\n---\n',
    { tags },
    '---\ntags:\n# keep these in order\n- z\nother: x\n---\n',
  )
  check('---\ntags:\n  - a\n# - b\n  - c\n---\n', { tags: [] }, '---\ntags: []\n# - b\n---\n')
  check(
    '---\ntags: # mine\n  - a # first\n  - c\n\n  # last\nx: y\n---\n',
    { tags: ['z', 'a'] },
    '---\ntags: # mine\n  - z\n  - a # first\n\n  # last\nx: y\n---\n',
  )
  check('---\n"title": Old q\n---\n', { title }, '---\n"title": New\n---\n')
  check("---\n'tags' : [a] # why\n---\n", { tags }, "---\n'tags' : [z] # why\n---\n")
  check('---\ntitle: Old # was New\n---\n', { title }, '---\ntitle: New # was New\n---\n')
  check('---\ntitle: "Old # 1"\nx: y\n---\n', { title }, '---\ntitle: New\nx: y\n---\n')
  check('---\ntitle: |\n  Old\n  # no remark\nx: y\n---\n', { title }, '---\ntitle: New\nx: y\n---\n')
  check('---\ntags: [\n  a, # one\n  # two\n  b\n]\nx: y\n---\n', { tags }, null)
  check('---\ntags: [\n  a,\n  b\n]\nx: y\n---\n', { tags }, '---\ntags: [z]\nx: y\n---\n')
  check('---\ntags: q\n  - b\nx: y\n---\n', { tags }, '---\ntags: [z]\nx: y\n---\n')
  check('---\ntags: a, #b\nx: 1.0\n---\n', { tags }, '---\ntags: [z]\nx: 1.0\n---\n')
  check('---\ntags:\n- 2024\n- a\n---\n', { tags: ['2024', 'z'] }, '---\ntags:\n- 2024\n- z\n---\n')
})

notes('a field on which others hang is not set', (check) => {
  check('---\ntitle: &t Old name\nlongtitle: *t\n---\n', { title: 'New' }, null)
  check('---\ntags: &k [a]\nothers: *k\n---\n', { tags: ['z'] }, null)
  check('---\ntags: &k\n  - a\nothers: *k\n---\n', { tags: ['z'] }, null)
  check('---\na: &t x\ntitle: &t Old\nb: *t\n---\n', { title: 'New' }, null)
  check('---\ntitle: One\nx: y\ntitle: Two\n---\n', { title: 'New' }, null)
  check('---\nx: y\n? title\n: Old\n---\n', { title: 'New' }, null)
  check('---\ntitle: "Old\n\nx: [still, text"\n---\n', { title: 'New' }, null)
})

notes('broken frontmatter is changed where the field stands by itself', (check) => {
  check('---\ntitle: A: b\nx: {{date}}\n---\n', { title: 'New' }, '---\ntitle: New\nx: {{date}}\n---\n')
  check(
    '---\nx: {{date}}\ntags:\n# why\n- a\n---\n',
    { tags: ['z'] },
    '---\nx: {{date}}\ntags:\n# why\n- z\n---\n',
  )
  check("---\ntitle: 'Old'\n  tags: [i]\n---\n", { title: 'New' }, null)
  check('---\nx: {{date}}\n---\n', { tags: ['z'] }, '---\nx: {{date}}\ntags: [z]\n---\n')
})

notes('TOML is changed as YAML is', (check) => {
  check('+++\ntitle = """Long\ntitle"""\nx = 1\n+++\n', { title: 'New' }, '+++\ntitle = "New"\nx = 1\n+++\n')
  check(
    '+++\ntags = [\n"a",\n\'b\',\n] # why\nx = 1\n+++\n',
    { tags: ['z'] },
    '+++\ntags = ["z"] # why\nx = 1\n+++\n',
  )
  check('+++\ntags = [\n"a", # one\n]\n+++\n', { tags: ['z'] }, null)
  check('+++\ntitle = """Old\n+++\n', { title: 'New' }, null)
  check('+++\nx = [\n1\n+++\n', { tags: ['z'] }, null)
  check('+++\n# c\n[extra]\nx = 1\n+++\n', { tags: ['z'] }, '+++\ntags = ["z"]\n# c\n[extra]\nx = 1\n+++\n')
  check('+++\n"title" = "Old"\n+++\n', { title: 'New' }, '+++\n"title" = "New"\n+++\n')
  check(
    '+++\ntitle = "T"\n# more\n[extra]\nx = 1\n+++\n',
    { tags: ['z'] },
    '+++\ntitle = "T"\ntags = ["z"]\n# more\n[extra]\nx = 1\n+++\n',
  )
  check(
    '+++\n[extra]\ntags = ["x"]\n+++\n',
    { tags: ['z'] },
    '+++\ntags = ["z"]\n[extra]\ntags = ["x"]\n+++\n',
  )
})

notes('frontmatter in an unusual form gets no second one on top', (check) => {
  const tags = ['x']
  check(
    '---\n  title: Ind\n  author: me\n---\nbody',
    { tags },
    '---\n  title: Ind\n  author: me\n  tags: [x]\n---\nbody',
  )
  check('---\n  title: Ind\n  a: b\n---\nbody', { title: 'New' }, '---\n  title: New\n  a: b\n---\nbody')
  check('---\n  tags:\n  - a\n  - b\n  a: b\n---\n', { tags }, '---\n  tags:\n  - x\n  a: b\n---\n')
  check('---\n  tags:\n    - a\n  a: b\n---\n', { tags }, '---\n  tags:\n    - x\n  a: b\n---\n')
  check('---\n? title\n: Old\n---\nbody', { tags }, '---\n? title\n: Old\ntags: [x]\n---\nbody')
  check('---\n? title\n: Old\n---\nbody', { title: 'New' }, null)
  check('---\n{title: Old}\n---\nbody', { title: 'New' }, null)
  check('---\n{title: Old}\n---\nbody', { tags }, null)
  check('---\n# only a comment\n---\nbody', { tags }, '---\n# only a comment\ntags: [x]\n---\nbody')
  check('---\n# only a comment\n---\n# Heading', { title: 'New' }, '---\n# only a comment\n---\n# New')
  check('---\n\n# A\n\n---\n\ntext', { tags }, '---\ntags: [x]\n---\n\n---\n\n# A\n\n---\n\ntext')
})

/** A note `n/old.md` with the title "Old name" gets a new title; a frontmatter with a link to it becomes `after`. */
function checkRename(title: string, before: string, after: string | null, name = 'n/old.md') {
  test(`${title}: ${JSON.stringify(before)}`, async (t) => {
    const [text, becomes] = [before, after].map((inner) => inner && `---\n${inner}\nstatus: open\n---\nx\n`)
    const { call, refused, read } = await vault(t, { [name]: '# Old name\n', 'ref.md': text! })
    if (becomes === null) {
      const { message } = await refused('update_node', { id: name, title })
      assert.match(message, /in ref\.md \(line 2\).*double quotes.*Nothing was changed/s)
      assert.deepEqual([read(name), read('ref.md')], ['# Old name\n', text])
      return
    }
    const { id } = await call('update_node', { id: name, title })
    assert.equal(read('ref.md'), becomes)
    const { links, _warnings } = await call('get_node', { id: 'ref.md' })
    assert.deepEqual(links, [{ id, title }])
    assert.equal(_warnings?.length ?? 0, before.includes('{{') ? 1 : 0)
  })
}

describe('a rename leaves the frontmatter of others as sound as it was', () => {
  checkRename('@Alice', 'up: [[old]]', 'up: [[n/@alice]]')
  checkRename('@Alice', 'up: [[old]]', null, 'old.md')
  checkRename('@Alice', 'up: "[[old]]"', 'up: "[[@alice]]"', 'old.md')
  checkRename('A } b', 'up: [[old]]', null)
  checkRename('A, b', 'up: [[old]]', null)
  checkRename('A, b', 'up: see [[old]]', 'up: see [[a,-b]]')
  checkRename('* b', 'up: [[Old name]]', 'up: [[b]]')
  checkRename('A # b', 'up: [[Old name]]', 'up: [[a-b]]')
  checkRename('Old # 2', 'up: see [[Old name]] for dates', 'up: see [[old-2]] for dates')
  checkRename('Old: 2', 'up: see [[Old name]]', 'up: see [[old-2]]')
  checkRename('Old # 2', 'up: "see [[Old name]]"', 'up: "see [[Old # 2]]"')
  checkRename('Old # 2', 'up: >\n  see [[Old name]]', 'up: >\n  see [[Old # 2]]')
  checkRename('Old # 2', 'x: {{date}}\nup: see [[Old name]]', 'x: {{date}}\nup: see [[old-2]]')
  checkRename('2025', 'up: [[old]]', 'up: [[2025]]')
  checkRename('A "b"', 'up: "[[Old name]]"', 'up: "[[a-b]]"')
  checkRename('A\\b', 'up: "[[Old name]]"', 'up: "[[a-b]]"')
  checkRename('A\\b', "up: '[[Old name]]'", "up: '[[A\\b]]'")
  checkRename('New', 'up: "[[Old name|the \\"old\\" one]]"', 'up: "[[New|the \\"old\\" one]]"')
  checkRename('New', 'up: &a "[[Old name]]"\ndown: *a', 'up: &a "[[New]]"\ndown: *a')
})

describe('a title may have the quote that its link is not in', () => {
  checkRename("What's new", 'up: "[[Old name]]"', 'up: "[[What\'s new]]"')
  checkRename("What's new", 'up: see [[Old name]]', "up: see [[What's new]]")
  checkRename("What's new", "up: '[[Old name]]'", null)
  checkRename("What's new", 'up: "[[old]]"', 'up: "[[what\'s-new]]"')
})
