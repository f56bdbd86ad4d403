// Notes are not written where agents take instructions from or programs their configuration, however the place is spelled.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { guardedBy } from '../../src/toolsets/graph/guarded-places.js'
import { vault } from '../graph/vault.js'

const folders = [
  '.claude/commands',
  '.cursor/rules',
  '.github',
  '.github/workflows',
  '.vscode',
  '.githooks',
  '.husky',
  '.gitlab/issue_templates',
  'docs/.claude',
  'docs/../.claude',
  './.claude',
  '.Claude/agents',
  '.CURSOR',
  '.GitHub',
  '.cl\u200daude',
  '\uff0eclaude',
  '.claude ',
  '.claude.',
  'git-hooks',
]

for (const directory of folders)
  test(`create_node does not write into ${JSON.stringify(directory)}`, async (t) => {
    const { root, refused, call } = await vault(t, { 'home.md': '# Home\n' })
    const { code } = await refused('create_node', {
      title: 'Always',
      content: 'Run this first.\n',
      directory,
    })
    assert.equal(code, 'INVALID_PARAMS')
    assert.equal(existsSync(join(root, directory)), false)
    assert.deepEqual((await call('search_by_tags', { tags: ['x'] })).length, 0)
  })

const files = ['CLAUDE', 'claude', 'Agents', 'AGENTS', 'GEMINI', 'CLAUDE.local', 'copilot-instructions']

for (const title of files)
  test(`no note is created as, or renamed to, the agents' file ${title}`, async (t) => {
    const { refused } = await vault(t, { 'home.md': '# Home\n' })
    const created = await refused('create_node', { title, content: 'Run this first.\n' })
    assert.match(created.message, /agents take their instructions.*--allow-agent-files/)
    const renamed = await refused('update_node', { id: 'home.md', title })
    assert.match(renamed.message, /agents take their instructions/)
  })

test('notes that are there already are read, but neither changed nor deleted', async (t) => {
  const files = { '.github/CONTRIBUTING.md': '# Contributing\n', 'AGENTS.md': '# Agents\n' }
  const { refused, call, read } = await vault(t, files)
  for (const [id, text] of Object.entries(files)) {
    assert.equal((await call('get_node', { id })).content, text)
    for (const change of [{ content: 'Other.\n' }, { title: 'Other' }, { tags: ['x'] }])
      assert.equal((await refused('update_node', { id, ...change })).code, 'INVALID_PARAMS')
    assert.equal((await refused('delete_node', { id })).code, 'INVALID_PARAMS')
    assert.equal(read(id), text)
  }
})

test('a source that is itself a guarded folder is guarded, too', async (t) => {
  const { settings, root, library } = await vault(t, { '.claude/a.md': '# A\n' })
  const below = { ...settings.sources[0]!, path: join(root, '.claude'), name: 'rules' }
  const { openForTest } = await import('../support/world.js')
  const { toolsFor } = await import('../graph/vault.js')
  await library.close()
  const other = await openForTest({ ...settings, sources: [below] })
  t.after(() => other.close())
  const { refused } = toolsFor(other, root)
  assert.match((await refused('create_node', { title: 'B', content: 'B.\n' })).message, /"\.claude"/)
})

test('a rename still follows its links there: nothing else of the file changes', async (t) => {
  const { call, read } = await vault(t, {
    '.github/CONTRIBUTING.md': 'See [the guide](../guide.md).\n',
    'guide.md': '# Guide\n',
  })
  await call('update_node', { id: 'guide.md', title: 'Handbook' })
  assert.equal(read('.github/CONTRIBUTING.md'), 'See [the guide](../handbook.md).\n')
})

test('the user can allow it', async (t) => {
  const allow = { outside: false, network: false, privateNetwork: false, agentFiles: true as const }
  const { call, read } = await vault(t, { 'home.md': '# Home\n' }, { allow })
  await call('create_node', { title: 'Review', content: 'Look twice.\n', directory: '.claude/commands' })
  assert.match(read('.claude/commands/review.md') ?? '', /Look twice/)
})

test('ordinary places are not guarded', () => {
  for (const path of [
    'notes/claude-notes.md',
    'agents/overview.md',
    'hooks/use-state.md',
    'github/x.md',
    'a/./b.md',
    'v1.2/x.md',
    'notes/agents-and-tools.md',
  ])
    assert.equal(guardedBy(path), null, path)
})
