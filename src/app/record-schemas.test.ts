import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Discovery, Session } from '../answer/memory/records.js'
import type { SourceRecord } from '../answer/source-records.js'
import type { DocumentRecord } from '../toolsets/knowledge/document-records.js'
import type { CrawlJob } from '../toolsets/knowledge/jobs.js'
import { isWhole } from './record-schemas.js'

const then = '2026-01-01T00:00:00.000Z'
const dated = { createdAt: then, updatedAt: then }
const plan: CrawlJob['plan'] = {
  ...{ source: 's', start: 'https://example.org/', recursive: false, maxPages: 1, maxDepth: 0 },
  ...{ include: [], exclude: [], render: false, force: false, delayMs: 0, parallel: 1, backoffMs: 0 },
}

/** As they are written, with nothing where there may be nothing. */
const records = {
  'knowledge-source': {
    ...{ id: 'z', title: '', name: '', url: null, type: 'api', status: 'active', ...dated },
  } satisfies SourceRecord,
  'knowledge-document': {
    ...{
      id: 'doc_0',
      source: '',
      path: '',
      name: '',
      hash: '0'.repeat(64),
      bytes: 0,
      title: null,
      url: null,
    },
    ...{ metadata: {}, status: 'processing', error: null, ...dated },
  } satisfies DocumentRecord,
  'crawl-job': {
    ...{ id: 'z', source: '', plan, status: 'pending', error: null },
    ...{ createdAt: then, startedAt: null, completedAt: null },
  } satisfies CrawlJob,
  discovery: {
    ...{ id: 'z', type: 'rule', content: '', module: null, session: null, ...dated },
    ...{ count: 1, provenance: [], supersededBy: null },
  } satisfies Discovery,
  session: {
    ...{ id: 'z', client: null, startedAt: 0, lastAt: 0, endedAt: null, ended: null, calls: 0 },
    ...{ files: {}, discoveries: [], pid: 1, host: '' },
  } satisfies Session,
}

describe('a record', () => {
  for (const [kind, value] of Object.entries(records)) {
    test(`of the kind ${kind} is valid as Carrel writes it`, () =>
      assert.ok(isWhole({ kind, id: value.id, value })))

    test(`of the kind ${kind} is not whole without its fields`, () => {
      for (const value of [{}, { id: 'z' }, [], 5, 'x', true])
        assert.equal(isWhole({ kind, id: 'z', value }), false, JSON.stringify(value))
    })

    test(`of the kind ${kind} is not another's`, () => assert.ok(!isWhole({ kind, id: 'y', value })))
  }

  for (const change of [{ hash: '../x' }, { hash: '' }, { id: 'doc_../x' }, { id: 'z' }])
    test(`of a document with ${JSON.stringify(change)} is not whole`, () => {
      const value = { ...records['knowledge-document'], ...change }
      assert.equal(isWhole({ kind: 'knowledge-document', id: value.id, value }), false)
    })

  test('of an unknown kind is valid', () => assert.ok(isWhole({ kind: 'keepsake', id: 'z', value: 5 })))
})
