// Every way to go wrong with the knowledge tools.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { openForTest } from '../support/world.js'
import { blobFiles, type Failed, type KnowledgeWorld, knowledgeWorld, sharedWorld } from './kit.js'

describe('every wrong call is answered with the error and a step that helps', () => {
  const shared = sharedWorld()
  before(async () => {
    await (await shared()).source({ action: 'create', title: 'Mine' })
  })
  const wrong: Record<string, { tool: string; args: object; error: RegExp; suggestion: RegExp }> = {
    'no action': { tool: 'manage_document', args: {}, error: /action/, suggestion: /Provide action/ },
    'an unknown action': {
      tool: 'manage_source',
      args: { action: 'invalid_action' },
      error: /action/,
      suggestion: /'create'/,
    },
    'an unknown argument': {
      tool: 'manage_source',
      args: { action: 'list', perpage: 3 },
      error: /perpage/,
      suggestion: /"per_page"/,
    },
    'a crawl of this machine': {
      tool: 'crawl_website',
      args: { url: 'http://127.0.0.1:8080/' },
      error: /cannot be crawled/,
      suggestion: /--allow-private-network/,
    },
    'a crawl of an address that is never asked': {
      tool: 'crawl_website',
      args: { url: 'http://169.254.169.254/' },
      error: /cannot be crawled/,
      suggestion: /^Provide the URL of another site\.$/,
    },
    'metadata that is text': {
      tool: 'manage_document',
      args: { action: 'create', title: 'a', content: 'b', metadata: 'c' },
      error: /metadata/,
      suggestion: /^Set metadata to an object\.$/,
    },
    'create without a file': {
      tool: 'manage_document',
      args: { action: 'create' },
      error: /file_path/,
      suggestion: /file_path/,
    },
    'a web address in place of a file': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'https://user:pw@docs.example.com/a.pdf' },
      error: /^File not found: https:\/\/docs\.example\.com\/a\.pdf is a web address\.$/,
      suggestion: /^Use crawl_website\(url='https:\/\/docs\.example\.com\/a\.pdf'\) /,
    },
    'a crawl of a url that is too long': {
      tool: 'crawl_website',
      args: { url: `https://docs.example.com/?q=${'ü'.repeat(400)}` },
      error: /^The URL has 2,428 characters, and 2,000 fit\.$/,
      suggestion: /parameters/,
    },
    'a document from a url that is too long': {
      tool: 'manage_document',
      args: {
        action: 'create',
        content: 'x',
        title: 'y',
        url: `https://docs.example.com/?q=${'x'.repeat(2_000)}`,
      },
      error: /^The URL has 2,028 characters, and 2,000 fit\.$/,
      suggestion: /parameters/,
    },
    'create with both': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', content: 'x', title: 'y' },
      error: /both/,
      suggestion: /one of them/,
    },
    'content without a title': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x' },
      error: /title/,
      suggestion: /title/,
    },
    'empty content': {
      tool: 'manage_document',
      args: { action: 'create', content: ' \n', title: 'x' },
      error: /empty/,
      suggestion: /content/,
    },
    'an empty title': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: '  ' },
      error: /title/,
      suggestion: /title/,
    },
    'get without an id': {
      tool: 'manage_document',
      args: { action: 'get' },
      error: /^document_id required for get$/,
      suggestion: /manage_document\(action='list'\)/,
    },
    'get of nothing': {
      tool: 'manage_document',
      args: { action: 'get', document_id: 'doc_0123456789abcdef' },
      error: /not found/,
      suggestion: /action='list'/,
    },
    'update without an id': {
      tool: 'manage_document',
      args: { action: 'update', title: 'x' },
      error: /document_id required/,
      suggestion: /document_id/,
    },
    'update of a file in a folder': {
      tool: 'manage_document',
      args: { action: 'update', document_id: 'notes.txt', title: 'x' },
      error: /configured/,
      suggestion: /notes\.txt/,
    },
    'delete of a note in a folder': {
      tool: 'manage_document',
      args: { action: 'delete', document_id: 'guide.md' },
      error: /configured/,
      suggestion: /delete_node/,
    },
    'a bad url': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', url: 'javascript:alert(1)' },
      error: /http:\/\//,
      suggestion: /https:\/\//,
    },
    'a url with a password': {
      tool: 'manage_source',
      args: { action: 'create', title: 'x', url: 'https://me:secret@x.example/a' },
      error: /password/,
      suggestion: /https:\/\/x\.example\/a/,
    },
    'an unknown source': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', source_id: 'src_nope' },
      error: /Invalid source_id: src_nope not found/,
      suggestion: /manage_source\(action='list'\)/,
    },
    'a configured source': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', source_id: 'library' },
      error: /configuration/,
      suggestion: /action='create'/,
    },
    'page nought': {
      tool: 'manage_document',
      args: { action: 'list', page: 0 },
      error: /page/,
      suggestion: /Set page to/,
    },
    'huge metadata': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', metadata: { a: 'b'.repeat(20_000) } },
      error: /metadata/,
      suggestion: /short facts/,
    },
    'metadata nested a thousand deep': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', metadata: nested(1_000) },
      error: /more than 100 levels deep/,
      suggestion: /short facts/,
    },
    'metadata nested deeper than JSON is written': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', metadata: nested(7_000) },
      error: /more than 100 levels deep/,
      suggestion: /short facts/,
    },
    'a source without a title': {
      tool: 'manage_source',
      args: { action: 'create' },
      error: /title required for create/,
      suggestion: /title/,
    },
    'delete of a configured folder': {
      tool: 'manage_source',
      args: { action: 'delete', source_id: 'library' },
      error: /configuration/,
      suggestion: /carrel\.json/,
    },
    'an update of nothing': {
      tool: 'manage_source',
      args: { action: 'update', source_id: 'Mine' },
      error: /Nothing to update/,
      suggestion: /title or url/,
    },
    'an empty query': {
      tool: 'search_knowledge_base',
      args: { query: ' ' },
      error: /empty/,
      suggestion: /query=/,
    },
    'an unknown kind of search': {
      tool: 'search_knowledge_base',
      args: { query: 'x', search_type: 'magic' },
      error: /search_type/,
      suggestion: /'vector', 'hybrid', or 'rerank'/,
    },
    'a threshold out of range': {
      tool: 'search_knowledge_base',
      args: { query: 'x', similarity_threshold: 7 },
      error: /similarity_threshold/,
      suggestion: /at most 1/,
    },
    'a misspelt source': {
      tool: 'search_knowledge_base',
      args: { query: 'x', source_id: 'Mnie' },
      error: /Mnie/,
      suggestion: /Did you mean source_id='src_/,
    },
  }
  for (const [what, { tool, args, error, suggestion }] of Object.entries(wrong))
    test(what, async () => {
      const w = await shared()
      const answer = await w.call(tool, args)
      assert.equal(answer.isError, false)
      const { success, error: message, suggestion: step } = answer.value as Failed
      assert.deepEqual(Object.keys(answer.value as object), ['success', 'error', 'suggestion'])
      assert.equal(success, false)
      assert.match(message, error)
      assert.match(step, suggestion)
    })
})

describe('files that may not be read', () => {
  const shared = sharedWorld()
  const cases: Record<string, (w: KnowledgeWorld) => string> = {
    'outside the project': () => '/etc/passwd',
    upwards: () => '../../../../../../etc/hostname',
    'a link that leads out': (w) => {
      symlinkSync('/etc/hostname', join(w.root, 'host.txt'))
      return 'host.txt'
    },
    'a folder that is a link leading out': (w) => {
      symlinkSync('/etc', join(w.root, 'etc'))
      return 'etc/hostname'
    },
    'a device': () => '/dev/zero',
    'a secret': (w) => {
      writeFileSync(join(w.root, '.env'), 'KEY=1')
      return '.env'
    },
    'a secret in other letters': (w) => {
      writeFileSync(join(w.root, 'Server.PEM'), 'KEY')
      return 'Server.PEM'
    },
    'inside .git': (w) => {
      mkdirSync(join(w.root, '.git'), { recursive: true })
      writeFileSync(join(w.root, '.git/config.txt'), 'x')
      return '.git/config.txt'
    },
    'a folder': () => '.',
    'nothing there': () => 'guid.md',
    'an empty path': () => ' ',
    'a NUL': () => 'guide.md\0.txt',
    'a picture': (w) => {
      writeFileSync(join(w.root, 'logo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]))
      return 'logo.png'
    },
    'bytes that are no text': (w) => {
      writeFileSync(
        join(w.root, 'blob.txt'),
        Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7) % 256)),
      )
      return 'blob.txt'
    },
    'too large': (w) => {
      writeFileSync(join(w.root, 'large.txt'), Buffer.alloc(50_000_001, 'a'))
      return 'large.txt'
    },
  }
  for (const [what, make] of Object.entries(cases))
    test(what, async () => {
      const w = await shared()
      const answer = await w.document<Failed>({ action: 'create', file_path: make(w) })
      assert.equal(answer.success, false, JSON.stringify(answer))
      assert.ok(answer.suggestion.length > 10)
      assert.deepEqual(blobFiles(w.library), [])
      assert.deepEqual(await w.library.store.records.all('knowledge-document'), [])
      if (what === 'nothing there') assert.match(answer.suggestion, /guide\.md/)
      if (what === 'too large')
        assert.equal(answer.error, 'The document has 50,000,001 bytes, and 50,000,000 is the limit.')
    })

  test('a folder that the user allowed is readable, the one beside it is not', async (t) => {
    const w = await knowledgeWorld(t)
    const folder = join(w.root, '..', 'papers')
    mkdirSync(folder)
    mkdirSync(`${folder}-2`)
    writeFileSync(join(folder, 'a.txt'), 'Allowed words.')
    writeFileSync(join(`${folder}-2`, 'b.txt'), 'Other words.')
    const settings = { ...w.library.settings, uploadFolders: [folder], data: join(w.root, '..', 'data-2') }
    const library = await openForTest(settings)
    t.after(() => library.close())
    const { addDocument } = await import('../../src/toolsets/knowledge/manage-documents.js')
    assert.equal((await addDocument(library, { filePath: join(folder, 'a.txt') })).state, 'created')
    await assert.rejects(addDocument(library, { filePath: join(`${folder}-2`, 'b.txt') }), {
      code: 'outside',
    })
  })

  test('nothing of the data folder is added, by whatever link that was named', async (t) => {
    const w = await knowledgeWorld(t)
    const [store, link] = [join(w.root, 'store'), join(w.root, '..', 'link')]
    mkdirSync(store)
    symlinkSync(store, link)
    const library = await openForTest({ ...w.library.settings, data: link })
    t.after(() => library.close())
    writeFileSync(join(store, 'own.txt'), 'Words of our own.')
    const { addDocument } = await import('../../src/toolsets/knowledge/manage-documents.js')
    for (const filePath of ['store/own.txt', join(link, 'own.txt')])
      await assert.rejects(addDocument(library, { filePath }), { code: 'denied' })
  })
})

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let i = 1; i < levels; i++) value = { a: value }
  return value
}
