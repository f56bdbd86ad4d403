// A name that one tool gives is taken by every other, also where the sources are folders below the root.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDocument } from '../../src/answer/collections.js'
import { readNamed } from '../../src/answer/project-files.js'
import { context } from '../../src/toolsets/context/toolset.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { knowledge } from '../../src/toolsets/knowledge/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'

const decision = (title: string) => `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use ${title}.\n`
const project = await toolsetWorld([graph, documentsToolset, context, knowledge], {
  embedding: false,
  files: {
    'vault/start.md': '# Start\n\n[[linker]]\n',
    'vault/Notes/linker.md': '# Linker\n\n[[start]]\n',
    'vault/Notes/alone.md': '# Alone\n',
    'vault/twice/a.md': '# Outer\n',
    'vault/vault/twice/a.md': '# Inner\n',
    'src/retrieve/assemble.ts': 'export const joinNeighbours = 1\n',
    LICENSE: 'root',
    'src/LICENSE': 'code',
    'src/guide/index.md': '# Of the code\n',
    'docs/guide/index.md': '# Of the docs\n',
    'docs/guide/start.md': '# Start here\n',
    'docs/adr/0008-postgres.md': decision('Postgres'),
    'docs/adr/0008-redis.md': decision('Redis'),
  },
  folders: { vault: { path: 'vault' }, code: { path: 'src' }, docs: { path: 'docs' } },
})
after(() => project.close())
// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used.
const ask = (tool: string, args: object) => project.ask<any>(tool, args)

test('a path below the root is the document of the source it lies in', async () => {
  const [{ file }] = (await ask('context_search', { query: 'joinNeighbours', limit: 1 })).results
  assert.equal(file, 'src/retrieve/assemble.ts')
  const found = await ask('documents_get_document', { collection: 'code', document: file })
  assert.equal(found.document, 'retrieve/assemble.ts')
  assert.equal(
    (await ask('documents_get_outline', { collection: 'code', document: file })).document,
    found.document,
  )
  const [row] = await ask('documents_search', { query: 'joinNeighbours', document: file })
  assert.deepEqual([row.collection, row.documentId], ['code', found.document])
  const { document } = await ask('manage_document', { action: 'get', document_id: file })
  assert.equal(document.title, found.title)
})

test('notes go by it, too', async () => {
  assert.equal((await ask('get_node', { id: 'vault/Notes/linker.md' })).id, 'Notes/linker.md')
  assert.deepEqual(await ask('find_path', { source: 'vault/start.md', target: './vault/Notes/linker.md' }), {
    path: ['start.md', 'Notes/linker.md'],
    length: 1,
  })
  const around = await ask('get_neighbors', { id: 'vault/Notes/linker.md', direction: 'out' })
  assert.equal(around[0].id, 'start.md')
  assert.equal((await ask('get_node', { id: 'docs/adr/0008-redis.md' })).id, 'docs:adr/0008-redis.md')
})

test('an unknown note is distinguished from one without links', async () => {
  assert.deepEqual(await ask('get_neighbors', { id: 'Notes/alone.md' }), [])
  const noteOf = async (tool: string, args: object) => (await project.call(tool, args)).note
  assert.equal(await noteOf('get_neighbors', { id: 'Notes/alone.md' }), undefined)
  const message = /^There is no note "Notes\/alnoe\.md"\. Did you mean .*Notes\/alone\.md/
  const missing = 'Notes/alnoe.md'
  assert.match((await noteOf('get_neighbors', { id: missing }))!, message)
  assert.match((await noteOf('get_node', { id: missing }))!, message)
  assert.match((await noteOf('find_path', { source: 'start.md', target: missing }))!, message)
  const once = await noteOf('find_path', { source: missing, target: missing })
  assert.equal(once, await noteOf('get_node', { id: missing }))
})

test('a repeated deletion finds no other note under the same name', async () => {
  const remove = () => ask('delete_node', { id: 'vault/twice/a.md' })
  assert.equal((await remove()).deleted, true)
  assert.equal((await remove()).deleted, false)
  assert.equal((await ask('get_node', { id: 'twice/a.md' })).title, 'Outer')
})

test('an address of architecture is accepted by every tool except the one that deletes', async () => {
  const uri = 'architecture://adr/0008'
  const path = 'adr/0008-postgres.md'
  assert.equal((await ask('get_node', { id: uri })).id, `docs:${path}`)
  assert.deepEqual(await ask('get_neighbors', { id: uri }), [])
  assert.equal((await ask('find_path', { source: uri, target: uri })).length, 0)
  assert.equal((await ask('read_file', { path: uri })).file.path, `docs/${path}`)
  assert.equal((await ask('documents_get_document', { collection: 'docs', document: uri })).document, path)
  assert.equal((await ask('manage_document', { action: 'get', document_id: uri })).document.title, 'Postgres')
  const refused = await project.call('delete_node', { id: uri })
  assert.match(refused.text, /INVALID_PARAMS.*docs:adr\/0008-postgres\.md/)
  assert.equal((await ask('delete_node', { id: 'architecture://adr/0099' })).deleted, false)
})

test('a path that several sources have is read in the source of the root, and otherwise only in a named one', async () => {
  const content = async (path: string) => (await ask('read_file', { path })).file.content
  assert.equal(await content('LICENSE'), 'root')
  assert.equal(await content('guide/start.md'), '# Start here\n')
  const { isError, text } = await project.call('read_file', { path: 'guide/index.md' })
  assert.equal(isError, true)
  const { error, suggestion } = JSON.parse(text)
  assert.equal(error, '2 files go by this path')
  assert.equal(suggestion, 'Name one: src/guide/index.md, docs/guide/index.md.')
  assert.equal(await content('docs/guide/index.md'), '# Of the docs\n')
  assert.equal(await content('code:guide/index.md'), '# Of the code\n')
})

test('the closest name is offered among hundreds of thousands', async () => {
  const { store, ...rest } = project.library
  const [known] = (await store.fingerprints(rest.sources[0]!.id)).values()
  const many = new Map(Array.from({ length: 200_000 }, (_, i) => [`deep/${i}.md`, known!]))
  many.set('guide/begin.md', known!)
  const library = { ...rest, store: { ...store, fingerprints: async () => many } }
  const missed = await openDocument(library, { collection: 'docs', document: 'guide/beign.md' })
  assert.match('miss' in missed ? missed.miss : '', /Did you mean "guide\/begin\.md"\?/)
  await assert.rejects(readNamed(library, 'guide/beign.md'), {
    hint: 'Did you mean "guide/begin.md"?',
  })
})
