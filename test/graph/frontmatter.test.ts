// What stands between the fences is somebody's: a change touches what it must, or is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answered, vault } from './vault.js'

/** A note before a change and after it; null when the change must be refused and the note left as it is. */
function check(before: string, changes: Answered, after: string | null) {
  test(`${JSON.stringify(before).slice(0, 80)} ${JSON.stringify(changes)}`, async (t) => {
    const { call, refused, read } = await vault(t, { 'a.md': before })
    if (after === null) {
      const { message } = await refused('update_node', { id: 'a.md', ...changes })
      assert.match(message, /by hand.*Nothing was changed/s)
      assert.equal(read('a.md'), before)
      return
    }
    const { id, title, tags } = await call('update_node', { id: 'a.md', ...changes })
    assert.equal(read(id), after)
    if (changes.title) assert.equal(title, changes.title)
    if (changes.tags) assert.deepEqual(tags, changes.tags)
  })
}

describe('new content stands below the frontmatter', () => {
  const content = 'Text'
  check('---\nstatus: draft\n---', { content }, '---\nstatus: draft\n---\nText')
  check('---\r\nstatus: draft\r\n---', { content }, '---\r\nstatus: draft\r\n---\r\nText')
  check('+++\nstatus = "draft"\n+++', { content }, '+++\nstatus = "draft"\n+++\nText')
  check('---\nstatus: draft\n...', { content }, '---\nstatus: draft\n...\nText')
  check('---\na: b\n---', { content, tags: ['x'] }, '---\na: b\ntags: [x]\n---\nText')
  check('---\na: b\n---', { content: '' }, '---\na: b\n---')
  check('---\na: b\n---\n\n\nOld', { content }, '---\na: b\n---\n\n\nText')
})
