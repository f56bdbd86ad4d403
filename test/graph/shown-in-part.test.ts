// Notes that a writer was shown in part only: what is written back must not lose the rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolsFor, vault } from './vault.js'

const longText = Array.from({ length: 1_500 }, (_, i) => `Line ${i} of a long note.`)

test('a text that came back shortened is not written over the whole one', async (t) => {
  const front = '---\nstatus: draft\n---\n\n'
  const files = {
    'lf.md': `${front}${longText.join('\n')}\n`,
    'crlf.md': `${longText.join('\r\n')}\r\n`,
    'own-mark.md': `${longText.join('\n')}\nHere it says ... [truncated]\n`,
    'middle.md': `${longText.slice(0, 12).join('\n')}\n[[lf]] #x`,
  }
  const { call, refused, read } = await vault(t, files)
  for (const id of ['lf.md', 'crlf.md', 'own-mark.md']) {
    const { content, version } = await call('get_node', { id })
    const unmarked = content.replace('... [truncated]', '')
    for (const edited of [
      content,
      `${content}\n`,
      content.replaceAll('\r\n', '\n'),
      content.replace('Line 3', 'Row 3'),
      `${front}${content}`,
      unmarked,
      unmarked.replace('Line 3', 'Row 3'),
      `${content}\n\n## More\n`,
    ]) {
      const { code, message } = await refused('update_node', { id, content: edited, if_version: version })
      assert.equal(code, 'INVALID_PARAMS')
      assert.match(
        message,
        /in its file, .*documents_get_document has all of it, too \(collection "project", document "/,
      )
    }
    assert.equal((await refused('update_node', { id, content, dry_run: true })).code, 'INVALID_PARAMS')
  }
  const [listed] = await call('search_by_tags', { tags: ['x'] })
  assert.match(listed.id, /middle/)
  const around = await call('get_node', { id: 'lf.md', depth: 1 })
  for (const content of [around.neighbors[0].content, 'Short.... [truncated]'])
    assert.equal((await refused('update_node', { id: 'middle.md', content })).code, 'INVALID_PARAMS')
  for (const [path, text] of Object.entries(files)) assert.equal(read(path), text)
  const { content } = await call('get_node', { id: 'lf.md' })
  const copy = await call('create_node', { title: 'Copy', content })
  assert.match(copy._warnings[0], /if it was copied from another note, the rest is missing/)
})

test('a shortened text of a note is not written back with an addition', async (t) => {
  const text = `---\nstatus: draft\n---\n\n# Long #x\n\n${longText.slice(0, 900).join('\n')}\nThe end.\n`
  const wide = `${Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ')} #y`
  const files = { 'a.md': text, 'wide.md': wide, 'b.md': '[[a]]' }
  const { call, refused, read, library, root } = await vault(t, files)
  const other = toolsFor(library, root, 'who was shown nothing')
  const collection = library.sources[0]!.name
  const start = text.slice(text.indexOf('# Long'))
  const shown = async (tool: string, args: object) => {
    const answer = await call(tool, args)
    return (Array.isArray(answer) ? answer[0] : answer).content.replace('... [truncated]', '') as string
  }
  for (const [tool, args] of [
    ['get_neighbors', { id: 'b.md' }],
    ['search_by_tags', { tags: ['x'] }],
    ['documents_get_document', { collection, document: 'a.md', max_tokens: 100 }],
    ['get_node', { id: 'a.md' }],
  ] as const) {
    const part = await shown(tool, args)
    if (tool !== 'documents_get_document')
      await other.refused('update_node', { id: 'a.md', content: `${part}\n\nOne more.\n` })
    for (const content of [
      `${part}\n\n## Log\n\n- one more\n`,
      `${part.replace('Line 1 ', 'Row 1 ')}…\n`,
      `# Summary\n\nAll of it.\n\n${part}`,
    ])
      assert.match((await refused('update_node', { id: 'a.md', content })).message, /also to append to it/)
  }
  const excerpt = await shown('search_by_tags', { tags: ['y'] })
  assert.match(
    (await refused('update_node', { id: 'wide', content: `${excerpt} more` })).message,
    /shortened/,
  )
  // Nor with another heading and without the line that was cut.
  await refused('update_node', {
    id: 'a.md',
    content: `# New\n\n${longText.slice(0, 300).join('\n')}\n- more\n`,
  })
  assert.deepEqual([read('a.md'), read('wide.md')], [text, wide])
  // What has the rest, or nothing of what was shown, is an edit like any other.
  const edited = start
    .replace('Line 402 of a long note.\nLine 403 of', 'Line 402 and 403 of')
    .replace('Line 5 ', '')
  await call('update_node', { id: 'a.md', content: edited })
  assert.equal(read('a.md'), `---\nstatus: draft\n---\n\n${edited}`)
  await call('update_node', { id: 'wide.md', content: '# Another text\n' })
})

test('a long note may be shortened by a client that read all of it, in parts, or wrote it', async (t) => {
  const text = `${longText.join('\n')}\n`
  const { call, refused, read, root, library } = await vault(t, { 'a.md': text })
  const { call: callOther } = toolsFor(library, root, 'other')
  const page = { collection: library.sources[0]!.name, document: 'a.md', max_tokens: 6_000 }
  const content = `${longText.slice(0, 500).join('\n')}\n\nThe rest went elsewhere.\n`
  const first = await call('documents_get_document', page)
  const { version } = await call('get_node', { id: 'a.md' })
  await refused('update_node', { id: 'a.md', content, if_version: version })
  for (let cursor = first.nextCursor; cursor; )
    ({ nextCursor: cursor } = await call('documents_get_document', { ...page, cursor }))
  await call('update_node', { id: 'a.md', tags: ['t'] })
  await call('update_node', { id: 'a.md', content })
  assert.match(read('a.md')!, /Line 499 of a long note.\n\nThe rest went elsewhere.\n$/)
  await callOther('create_node', { title: 'New', content: text })
  await callOther('update_node', { id: 'new.md', content })
})

test('a long note can be replaced by whole texts, longer, shorter or with the mark it had', async (t) => {
  const text = `${longText.join('\n')}\nHere it says ... [truncated]\n`
  const { call, read } = await vault(t, { 'a.md': text, 'b.md': 'Short.\n' })
  for (const content of [
    `${text}More.\n`,
    text.replace('Line 3', 'Row 3'),
    text,
    longText.slice(0, 400).join('\n'),
    'One line.\n',
    'Now it ends in ... [truncated]\n',
  ]) {
    await call('update_node', { id: 'a.md', content })
    assert.equal(read('a.md'), content)
  }
  await call('update_node', { id: 'b.md', content: 'A note about "... [truncated]".' })
})
