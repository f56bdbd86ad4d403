import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Discovery } from './context/discoveries.js'
import type { Session } from './context/session-record.js'
import type { DocumentRecord } from './knowledge/document-records.js'
import type { CrawlJob } from './knowledge/jobs.js'
import type { SourceRecord } from './knowledge/sources.js'
import { isWhole } from './record-forms.js'

const then = '2026-01-01T00:00:00.000Z'
const dated = { createdAt: then, updatedAt: then }
const nothing = {} as CrawlJob['plan']

/** As they are written, with nothing where there may be nothing. */
const records = {
  'knowledge-source': {
    ...{ id: 'z', title: '', name: '', url: null, type: 'api', status: 'active', ...dated },
  } satisfies SourceRecord,
  'knowledge-document': {
    ...{ id: 'z', source: '', path: '', name: '', hash: '', bytes: 0, title: null, url: null },
    ...{ metadata: {}, status: 'processing', error: null, ...dated },
  } satisfies DocumentRecord,
  'crawl-job': {
    ...{ id: 'z', source: '', plan: nothing, status: 'pending', error: null },
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
    test(`of the kind ${kind} is whole as it is written`, () => assert.ok(isWhole({ kind, id: 'z', value })))

    test(`of the kind ${kind} is not whole without its fields`, () => {
      for (const value of [{}, { id: 'z' }, [], 5, 'x', true])
        assert.equal(isWhole({ kind, id: 'z', value }), false, JSON.stringify(value))
    })

    test(`of the kind ${kind} is not another's`, () => assert.ok(!isWhole({ kind, id: 'y', value })))
  }

  test('of another kind is left to those who know it', () =>
    assert.ok(isWhole({ kind: 'keepsake', id: 'z', value: 5 })))
})
