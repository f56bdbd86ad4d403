// Names that every JavaScript object inherits, as names of files, tags, fields, headings, packages and settings.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { toolsets } from '../../src/toolsets/all.js'
import { project } from '../packages/package-world.js'
import { complaint, project as configured } from '../support/configuration.js'
import { toolsetWorld } from '../support/toolset-world.js'

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

test('files, tags, fields and links may have such names', async (t) => {
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [
        `notes/${name}.md`,
        `---\n${name}: x\ntags: [${name}]\naliases: [${name}-alias]\n---\n# ${name}\n\n## ${name}\n\nYak ${names.map((one) => `[[${one}]]`).join(' ')} #${name}\n`,
      ],
      [`src/${name}/${name}.ts`, `import { a } from './${name}.js'\nexport const ${name}1 = a\n`],
      [`docs/adr/${name}.md`, `# ${name}\n\n## Status\n\n${name}\n\n## Decision\n\nWe use ${name}.\n`],
    ]),
  )
  const world = await toolsetWorld(toolsets, { files })
  t.after(() => world.close())
  for (const name of names) {
    const calls: [string, Record<string, unknown>][] = [
      ['get_node', { id: `notes/${name}.md` }],
      ['get_neighbors', { id: name }],
      ['search_by_tags', { tags: [name] }],
      ['find_path', { source: `notes/${name}.md`, target: 'notes/constructor.md' }],
      ['search', { query: name }],
      ['documents_search', { query: `yak ${name}` }],
      ['documents_get_section', { collection: 'library', document: `notes/${name}.md`, section: name }],
      ['documents_list_documents', { collection: name }],
      ['context_search', { query: `yak ${name}`, module: name }],
      ['read_file', { path: `src/${name}/${name}.ts` }],
      ['grep_codebase', { pattern: name }],
      ['search-architecture', { query: `we use ${name}` }],
      ['validate-against-pattern', { pattern_name: name, code: 'const a = 1', language: name }],
      ['check-adr-alignment', { decision_description: `We use ${name} for the queue.` }],
      ['search_knowledge_base', { query: `yak ${name}`, source_id: name }],
      ['manage_source', { action: 'get', source_id: name }],
      ['manage_document', { action: 'get', document_id: name }],
      ['manage_crawl_job', { action: 'get', job_id: name }],
      ['record_discovery', { type: 'rule', content: `The ${name} is never called here.`, module: name }],
    ]
    for (const [tool, args] of calls) {
      const { failure, text } = await world.call(tool, args)
      assert.notEqual(failure?.kind, 'bug', `${tool} ${JSON.stringify(args)}: ${text}`)
    }
    const { tags } = await world.ask<{ tags: string[] }>('get_node', { id: `notes/${name}.md` })
    assert.ok(tags.includes(name), `${name}: ${tags}`)
  }
})

test('packages may have such aliases', async (t) => {
  const aliases = names.filter((name) => name !== '__proto__')
  const files = Object.fromEntries(aliases.map((name) => [`${name}/a.md`, `# ${name}\n`]))
  const { sync, root, ids } = await project(t, files)
  const collections = Object.fromEntries(aliases.map((name) => [name, { url: name }]))
  writeFileSync(join(root, 'context.json'), JSON.stringify({ collections }))
  for (const report of await sync()) assert.equal(report.error ?? null, null, report.alias)
  for (const name of aliases) assert.deepEqual(await ids(name), ['a.md'])
})

test('settings by such names are unknown keys', async () => {
  for (const name of names)
    for (const text of [`{"${name}": null}`, `{"limits": {"${name}": 1}}`, `{"rateLimits": {"${name}": {}}}`])
      assert.match(await complaint(configured(text)), new RegExp(`"(?:\\w+\\.)?${name}"`), text)
})
