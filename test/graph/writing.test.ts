import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../../src/model/problem.js'
import { openForTest } from '../support/world.js'
import { type Answered, toolsFor, vault } from './vault.js'

test('create_node writes a file named after the title, and every process sees it', async (t) => {
  const { call, read, library, settings, root } = await vault(t, { 'a.md': 'x [[Größe der Übung]]' })
  const node = await call('create_node', {
    title: 'Größe der  Übung: 日本語/🏮?',
    content: '# Anything\n\nSee [[a]].',
    tags: ['meeting', '#Meeting', 'yes'],
    directory: 'deep/er',
  })
  assert.equal(node.id, 'deep/er/größe-der-übung-日本語-🏮.md')
  assert.equal(node.title, 'Größe der Übung: 日本語/🏮?')
  assert.equal(node.content, '# Anything\n\nSee [[a]].')
  assert.deepEqual([node.tags, node.links], [['meeting', 'yes'], [{ id: 'a.md', title: 'A' }]])
  assert.deepEqual(node._warnings, ['Duplicate tag ignored: Meeting'])
  assert.equal(
    read(node.id),
    '---\ntags: [meeting, "yes"]\ntitle: "Größe der Übung: 日本語/🏮?"\n---\n\n# Anything\n\nSee [[a]].',
  )
  const other = await openForTest(settings)
  t.after(() => other.close())
  const seen = await toolsFor(other, root).call('get_node', { id: node.id })
  assert.equal(seen.version, node.version)
  assert.equal(library.store === other.store, false)
})

test('create_node adds no frontmatter unless it is needed', async (t) => {
  const { call, read } = await vault(t, {})
  await call('create_node', { title: 'My idea', content: 'Words.\n' })
  assert.equal(read('my-idea.md'), 'Words.\n')
  await call('create_node', { title: 'Second', content: '# Second\r\n\r\nWords.\r\n' })
  assert.equal(read('second.md'), '# Second\r\n\r\nWords.\r\n')
})

test('create_node refuses an existing note, and places that are not for notes', async (t) => {
  const { refused, root, call } = await vault(t, { 'a.md': 'x' })
  mkdirSync(join(root, 'folder.md'))
  symlinkSync('/', join(root, 'out'))
  writeFileSync(join(root, 'file'), 'x')
  const code = async (args: Answered) =>
    (await refused('create_node', { title: 'T', content: 'x', ...args })).code
  assert.equal(await code({ title: 'A' }), 'NODE_EXISTS')
  assert.equal(await code({ title: 'Folder' }), 'NODE_EXISTS')
  for (const directory of [
    '..',
    'x/../../y',
    '/etc',
    'a\0b',
    'C:\\x',
    '.git',
    '.GIT/x',
    '.carrel/x',
    '.obsidian',
    '.ssh',
    'docs/dist',
    'node_modules/x',
    'x'.repeat(10_000),
    'a\\b',
  ])
    assert.equal(await code({ directory }), 'INVALID_PARAMS', directory)
  for (const title of ['', '   ', '...', '///', 'a\0b', 'x'.repeat(10_000)])
    assert.equal(await code({ title }), 'INVALID_PARAMS', title)
  const outside = await refused('create_node', { title: 'T', content: 'x', directory: 'out/tmp' })
  assert.equal(outside.code, 'PROVIDER_ERROR')
  assert.match(outside.message, /^out\/tmp\/t\.md leads out of the vault through a link/)
  assert.equal(await code({ directory: 'file' }), 'PROVIDER_ERROR')
  assert.equal(await code({ content: 'x'.repeat(3_000_000) }), 'INVALID_PARAMS')
  assert.equal(await code({ tags: ['a\nb'] }), 'INVALID_PARAMS')
  assert.equal(await code({ if_version: 'abc' }), 'VERSION_CONFLICT')
  const long = await call('create_node', { title: '長'.repeat(200), content: 'x' })
  assert.ok(Buffer.byteLength(long.id) < 200)
  assert.equal((await call('create_node', { title: '../../etc/passwd', content: 'x' })).id, 'etc-passwd.md')
})

test('a note is never written where it would not be read', async (t) => {
  const { call, refused, root, read, index } = await vault(t, {
    '.gitignore': 'private/\n*secret*\n',
    'a.md': '# A\n',
    'b.md': '[[a]]',
    'private/kept.md': 'mine',
    'deep/.gitignore': 'in*\n',
  })
  for (const args of [
    { title: 'x', directory: 'private' },
    { title: 'x', directory: 'private/new/deep' },
    { title: 'x', directory: 'deep/inside' },
    { title: 'Top secret' },
    { title: 'id_rsa and other keys' },
  ]) {
    const { code, message } = await refused('create_node', { ...args, content: 'text' })
    assert.equal(code, 'INVALID_PARAMS')
    assert.match(message, /would not be indexed/)
  }
  const renamed = await refused('update_node', { id: 'a.md', title: 'A secret' })
  assert.match(renamed.message, /would not be indexed/)
  assert.deepEqual([read('a.md'), read('b.md')], ['# A\n', '[[a]]'])
  assert.deepEqual(readdirSync(root).sort(), ['.carrel', '.gitignore', 'a.md', 'b.md', 'deep', 'private'])
  assert.deepEqual(
    [readdirSync(join(root, 'private')), readdirSync(join(root, 'deep'))],
    [['kept.md'], ['.gitignore']],
  )
  const { id } = await call('create_node', { title: 'Seen', content: 'text', directory: 'deep/outside' })
  await index()
  assert.equal((await call('get_node', { id })).content, 'text')
})

test('a note is written and renamed in every folder that is indexed', async (t) => {
  const folders = ['Build', 'Target', 'Coverage', 'Dist', '.hidden', 'My Build']
  const { call } = await vault(t, Object.fromEntries(folders.map((folder) => [`${folder}/n.md`, '# N\n'])))
  for (const directory of folders) {
    const { id } = await call('create_node', { title: 'New', content: 'text', directory })
    assert.equal((await call('get_node', { id })).content, 'text')
    const renamed = await call('update_node', { id: `${directory}/n.md`, title: 'Renamed' })
    assert.equal(renamed.id, `${directory}/renamed.md`)
  }
})

test('update_node keeps the frontmatter, the mark and the line endings byte for byte', async (t) => {
  const front =
    '---\r\n# a comment\r\ntitle:   Odd  \r\ntags:\r\n  - one\r\n  - two\r\nother: {a: 1}\r\n---\r\n\r\n'
  const { call, read } = await vault(t, { 'a.md': `\ufeff${front}Old\r\ntext` })
  await call('update_node', { id: 'a.md', content: 'New\n\ntext\n' })
  assert.equal(read('a.md'), `\ufeff${front}New\r\n\r\ntext\r\n`)
  await call('update_node', { id: 'a.md', tags: ['two', 'three'] })
  assert.equal(
    read('a.md'),
    `\ufeff${front.replace('one', 'two').replace(/two(?=\r\nother)/, 'three')}New\r\n\r\ntext\r\n`,
  )
  const { tags, content } = await call('update_node', { id: 'A.MD', tags: [] })
  assert.deepEqual([tags, content], [[], 'New\r\n\r\ntext\r\n'])
  await call('update_node', { id: 'a.md', content: '---\nnew: 1\n---\nx' })
  assert.equal(read('a.md'), '\ufeff---\r\nnew: 1\r\n---\r\nx')
})

test('content that begins with a block between rules, as the note does, is no new frontmatter', async (t) => {
  const front = '---\ntitle: Kept\ntags: [keep]\n---\n'
  const blocks = ['---\n\nNote: this is important\n\n---\n', '---\n---\n', '---\ntitle: value\n---\n']
  const files = Object.fromEntries(blocks.map((block, i) => [`${i}.md`, `${front}\n${block}rest\n`]))
  const { call, read } = await vault(t, { ...files, 'crlf.md': files['0.md']!.replaceAll('\n', '\r\n') })
  for (const [path, text] of [...Object.entries(files), ['crlf.md', read('crlf.md')!]] as const) {
    const { content, version } = await call('get_node', { id: path })
    await call('update_node', { id: path, content, if_version: version })
    assert.equal(read(path), text)
    await call('update_node', { id: path, content: content.replaceAll('\r\n', '\n').replace('rest', 'end') })
    assert.equal(read(path), text.replace('rest', 'end'))
  }
  await call('update_node', { id: '0.md', content: '---\n\nRemark: as before\n\n---\nrest\n' })
  assert.equal(read('0.md'), `${front}\n---\n\nRemark: as before\n\n---\nrest\n`)
  // One of its own says what the other says, or stands before such a block.
  for (const [id, content] of [
    ['0.md', '---\ntitle: New\n---\n\ntext\n'],
    ['1.md', `---\nstatus: done\n---\n\n${blocks[0]}rest\n`],
  ] as const) {
    await call('update_node', { id, content })
    assert.equal(read(id), content)
  }
})

test('update_node edits frontmatter that is not YAML only where it can', async (t) => {
  const broken = '---\ntitle: Retries: a guide\nx: [unclosed\ntags: a\n---\nText #inline\n'
  const { call, read, refused } = await vault(t, { 'a.md': broken })
  const { tags, _warnings } = await call('update_node', { id: 'a.md', tags: ['b'] })
  assert.deepEqual(tags, ['b', 'inline'])
  assert.ok(_warnings.includes('The tag #inline stands in the text and stays.'))
  assert.equal(read('a.md'), broken.replace('tags: a', 'tags: [b]'))
  assert.equal((await refused('update_node', { id: 'a.md' })).code, 'INVALID_PARAMS')
})

test('a writing tool notices an edit that keeps size and time', async (t) => {
  const { call, refused, root } = await vault(t, { 'a.md': 'one' })
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(root, 'a.md'), past, past)
  assert.equal((await call('get_node', { id: 'a.md' })).content, 'one')
  writeFileSync(join(root, 'a.md'), 'two')
  utimesSync(join(root, 'a.md'), past, past)
  assert.equal((await refused('update_node', { id: 'a.md', content: 'x' })).code, 'VERSION_CONFLICT')
  assert.equal((await call('get_node', { id: 'a.md' })).content, 'two')
})

test('if_version and unseen edits stop a write before anything is written', async (t) => {
  const { call, refused, read, root } = await vault(t, { 'a.md': 'one' })
  const { version } = await call('get_node', { id: 'a.md' })
  assert.equal(
    (await refused('update_node', { id: 'a.md', content: 'x', if_version: 'other' })).code,
    'VERSION_CONFLICT',
  )
  writeFileSync(join(root, 'a.md'), 'two, by hand')
  const stale = await refused('update_node', { id: 'a.md', content: 'x', if_version: version })
  assert.equal(stale.code, 'VERSION_CONFLICT')
  writeFileSync(join(root, 'a.md'), 'three, by hand')
  assert.equal((await refused('update_node', { id: 'a.md', content: 'x' })).code, 'VERSION_CONFLICT')
  assert.equal((await refused('delete_node', { id: 'a.md', if_version: version })).code, 'VERSION_CONFLICT')
  writeFileSync(join(root, 'a.md'), 'unseen, by hand')
  assert.equal((await refused('delete_node', { id: 'a.md' })).code, 'VERSION_CONFLICT')
  assert.equal(read('a.md'), 'unseen, by hand')
  writeFileSync(join(root, 'a.md'), 'three, by hand')
  const now = await call('get_node', { id: 'a.md' })
  assert.equal(now.content, 'three, by hand')
  const done = await call('update_node', { id: 'a.md', content: 'four', if_version: now.version })
  assert.deepEqual([read('a.md'), done.content], ['four', 'four'])
})

test('no client replaces or deletes a text that it has not seen, even if the index has it', async (t) => {
  const { call, refused, read, root, index, library } = await vault(t, { 'a.md': 'one', 'b.md': 'x [[a]]' })
  const byHand = async (text: string) => {
    writeFileSync(join(root, 'a.md'), text)
    await index()
  }
  const conflicts = async (tool: string, args: object) => {
    const { code, message } = await refused(tool, { id: 'A', ...args })
    assert.equal(code, 'VERSION_CONFLICT')
    assert.match(message, /has changed since you last read it/)
  }
  await call('get_node', { id: 'a.md' })
  await byHand('two')
  await conflicts('update_node', { content: 'x' })
  await conflicts('delete_node', {})
  // An excerpt is no reading of the whole, and one without text is none at all.
  await call('get_neighbors', { id: 'b.md' })
  await call('get_node', { id: 'a.md', include_content: false })
  await conflicts('update_node', { content: 'x' })
  assert.equal(read('a.md'), 'two')
  // Who was shown nothing goes by the index, and tags take nothing away.
  await call('update_node', { id: 'a.md', tags: ['t'] })
  await byHand('three')
  const { call: callOther } = toolsFor(library, root, 'other')
  assert.equal((await callOther('update_node', { id: 'a.md', content: 'four' })).content, 'four')
  await conflicts('delete_node', { dry_run: true })
  // Every way to read it will do; so does what a write answered with.
  const collection = library.sources[0]!.name
  for (const [i, [tool, args]] of (
    [
      ['get_node', { id: 'a.md' }],
      ['documents_get_document', { collection, document: 'a.md' }],
      ['read_file', { path: 'a.md' }],
    ] as const
  ).entries()) {
    await byHand(`by hand ${i}`)
    await conflicts('update_node', { content: 'x' })
    await call(tool, args)
    await Promise.all([1, 2].map(() => call('update_node', { id: 'a.md', content: `more ${i}` })))
    assert.equal(read('a.md'), `more ${i}`)
  }
  await byHand('five')
  const { version } = await callOther('get_node', { id: 'a.md' })
  await call('update_node', { id: 'a.md', content: 'six', if_version: version })
  assert.deepEqual(await call('delete_node', { id: 'a.md' }).then(({ deleted }) => deleted), true)
})

test('a file that cannot be written is refused and not changed', async (t) => {
  const { refused, read, root } = await vault(t, {
    'a.md': 'x',
    'latin.md': Buffer.from('caf\xe9 \xe9t\xe9', 'latin1'),
  })
  chmodSync(join(root, 'a.md'), 0o444)
  assert.equal((await refused('update_node', { id: 'a.md', content: 'y' })).code, 'PROVIDER_ERROR')
  assert.equal((await refused('delete_node', { id: 'a.md' })).code, 'PROVIDER_ERROR')
  assert.equal(read('a.md'), 'x')
  assert.equal((await refused('update_node', { id: 'latin.md', content: 'y' })).code, 'PROVIDER_ERROR')
  for (const id of ['../a.md', '/etc/passwd', 'a\0.md', 'x'.repeat(10_000)])
    assert.equal((await refused('update_node', { id, content: 'y' })).code, 'NODE_NOT_FOUND')
})

test('text that the index would take for a binary file is refused before anything is written', async (t) => {
  const files = { 'p.md': '# P\nprecious\n', 'l.md': '[[P]]\n' }
  const { call, refused, read } = await vault(t, files)
  const { version } = await call('get_node', { id: 'p.md' })
  for (const content of ['# P\ncolour \0 reset\n', '\ufeffa\0b', 'a\x01\x02\x1b[31m b'])
    for (const more of [{ if_version: version }, { dry_run: true }, { title: 'Queue' }]) {
      const { code, message } = await refused('update_node', { id: 'p.md', content, ...more })
      assert.equal(code, 'INVALID_PARAMS')
      assert.match(message, /control characters, U\+000[01] in line \d/)
      const made = await refused('create_node', { title: 'Made', content })
      assert.equal(made.code, 'INVALID_PARAMS')
    }
  assert.deepEqual([read('p.md'), read('l.md'), read('made.md')], [files['p.md'], files['l.md'], null])
  const coloured = '# P\n\x1b[32mok\x1b[0m\n'
  assert.equal((await call('update_node', { id: 'p.md', content: coloured })).content, coloured)
})

test('a file that is there but not in the index is named as such, and left alone', async (t) => {
  const { call, refused, read, root, index } = await vault(t, { 'a.md': 'x', '.gitignore': 'hidden.md\n' })
  writeFileSync(join(root, 'p.md'), 'a\0b')
  writeFileSync(join(root, 'hidden.md'), 'a\0b')
  for (const [tool, args] of [
    ['update_node', { id: 'p.md', content: 'new' }],
    ['update_node', { id: 'p', title: 'Q' }],
    ['delete_node', { id: 'p.md' }],
    ['create_node', { title: 'P', content: 'new' }],
  ] as const) {
    const { code, message } = await refused(tool, args)
    assert.equal(code, 'PROVIDER_ERROR')
    assert.match(message, /p\.md is there, but not in the index\. This is a binary file/)
  }
  assert.equal(read('p.md'), 'a\0b')
  assert.deepEqual(await call('delete_node', { id: 'hidden.md' }), { deleted: false })
  writeFileSync(join(root, 'p.md'), 'by hand')
  assert.equal((await refused('update_node', { id: 'p.md', content: 'new' })).code, 'VERSION_CONFLICT')
  assert.equal((await call('get_node', { id: 'p.md' })).content, 'by hand')
  writeFileSync(join(root, 'q.md'), 'by hand')
  assert.equal((await refused('create_node', { title: 'Q', content: 'new' })).code, 'NODE_EXISTS')
  await index()
  assert.equal((await call('update_node', { id: 'p.md', content: 'new' })).content, 'new')
})

test('a note that became a link out of the vault is neither read nor written', async (t) => {
  const { call, refused, root, settings } = await vault(t, { 'a.md': 'x', 'b.md': 'y' })
  const outside = join(settings.data, '../../outside.md')
  writeFileSync(outside, 'secret')
  rmSync(join(root, 'a.md'))
  symlinkSync(outside, join(root, 'a.md'))
  assert.ok(lstatSync(join(root, 'a.md')).isSymbolicLink())
  assert.match(
    (await refused('update_node', { id: 'a.md', content: 'y' })).code,
    /PROVIDER_ERROR|NODE_NOT_FOUND/,
  )
  assert.equal(await call('get_node', { id: 'a.md' }), null)
  assert.equal(readFileSync(outside, 'utf8'), 'secret')
})

test('new content with another title reports the links that it loses', async (t) => {
  const { call } = await vault(t, {
    'x.md': '---\ntitle: Great Topic\n---\nText.\n',
    'l.md': 'See [[Great Topic]] and [[x]].',
  })
  const same = await call('update_node', { id: 'x.md', content: 'Other text.\n' })
  assert.equal(same._warnings, undefined)
  const { title, _warnings } = await call('update_node', {
    id: 'x.md',
    content: '---\ntitle: Changed Topic\n---\nText.\n',
  })
  assert.deepEqual(
    [title, _warnings],
    [
      'Changed Topic',
      [
        'A link leads nowhere now: [[Great Topic]] in l.md, line 1. To change a title with its links, give title.',
      ],
    ],
  )
})

test('delete_node reports dangling links, and dry_run only reports', async (t) => {
  const { call, read } = await vault(t, {
    'a.md': '',
    'x/b.md': 'One\n[[a|A]] and [a](../a.md)',
    'c.md': '[[b]]',
  })
  const answer = await call('delete_node', { id: 'a.md', dry_run: true })
  assert.deepEqual([answer.deleted, answer.danglingCount, read('a.md')], [false, 2, ''])
  const done = await call('delete_node', { id: 'a.md' })
  assert.deepEqual(done.dangling, [
    { id: 'x/b.md', line: 2, link: '[[a|A]]' },
    { id: 'x/b.md', line: 2, link: '[a](../a.md)' },
  ])
  assert.equal(read('a.md'), null)
  assert.equal(await call('get_node', { id: 'a.md' }), null)
  assert.deepEqual(await call('delete_node', { id: 'c.md' }), { deleted: true })
})

test('a changed file is reported as changed, even if the index cannot follow', async (t) => {
  const { library, root, read, call, refused, index } = await vault(t, {
    'a.md': 'old',
    'b.md': 'old',
    'c.md': '# C\n',
    'd.md': '[[c]]',
  })
  const full = () => Promise.reject(new Problem('disk_full', 'The disk is full.', 'Run the command again.'))
  const store = { ...library.store, replace: full, forget: full }
  const onFullDisk = toolsFor({ ...library, store }, root)
  const messageOf = async (tool: string, args: Answered) => (await onFullDisk.refused(tool, args)).message
  const created = await messageOf('create_node', { title: 'New', content: 'x' })
  assert.match(created, /^new\.md was written, but the index could not .* The disk is full\. Do not repeat/)
  assert.equal(read('new.md'), 'x')
  assert.match(await messageOf('update_node', { id: 'a.md', content: 'new' }), /^a\.md was written, but /)
  assert.equal(read('a.md'), 'new')
  assert.match(await messageOf('delete_node', { id: 'b.md' }), /^b\.md was deleted, but the index could not /)
  assert.equal(read('b.md'), null)
  await index()
  const renamed = await messageOf('update_node', { id: 'c.md', title: 'See' })
  assert.match(
    renamed,
    /^c\.md became see\.md, but not all is done\. The disk is full\. The rest is done with/,
  )
  assert.doesNotMatch(renamed, /again/)
  assert.deepEqual([read('c.md'), read('see.md') !== null, read('d.md')], [null, true, '[[see]]'])
  assert.equal((await call('get_node', { id: 'a.md' })).content, 'new')
  assert.equal(await call('get_node', { id: 'b.md' }), null)
  assert.equal((await refused('create_node', { title: 'New', content: 'x' })).code, 'NODE_EXISTS')
})

test('simultaneous writes are done one after the other, and none is lost', async (t) => {
  const { call, read } = await vault(t, { 'a.md': '# A', 'b.md': '[[a]] [[c]]', 'c.md': '# C' })
  await Promise.all([
    call('update_node', { id: 'a.md', title: 'Alpha' }),
    call('update_node', { id: 'c.md', title: 'Gamma' }),
    ...Array.from({ length: 5 }, (_, i) => call('create_node', { title: `New ${i}`, content: '[[a]]' })),
    call('get_node', { id: 'b.md', depth: 1 }),
  ])
  assert.equal(read('b.md'), '[[alpha]] [[gamma]]')
  assert.equal((await call('get_hubs', { limit: 50 })).length, 8)
})
