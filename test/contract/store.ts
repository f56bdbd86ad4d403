// What every store promises, in sentences that run.
import { describe, type TestContext, test } from 'node:test'
import type { Store } from '../../src/store/port.js'
import { chunkPromises } from './promises/chunks.js'
import { documentPromises } from './promises/documents.js'
import { hostilePromises } from './promises/hostile.js'
import { leasePromises } from './promises/leases.js'
import { recordPromises } from './promises/records.js'
import { refusalPromises } from './promises/refusals.js'
import { scopePromises } from './promises/scopes.js'
import { sharingPromises } from './promises/sharing.js'
import { togetherPromises } from './promises/together.js'
import { vectorPromises } from './promises/vectors.js'
import { versionPromises } from './promises/version.js'
import { wordPromises } from './promises/words.js'

/** An empty store of its own. `close` ends every handle and removes what was written. */
export interface OpenedStore {
  store: Store
  /** Closes the store and opens it again on what it kept. */
  reopen(): Promise<Store>
  close(): Promise<void>
  /** A second handle on the same content, as another process would have it. */
  another?(): Promise<Store>
}

export type OpenStore = () => Promise<OpenedStore>

export type PromiseThat = (
  title: string,
  body: (opened: OpenedStore, t: TestContext) => Promise<void>,
) => void

export function storeContract(name: string, open: OpenStore): void {
  const promise: PromiseThat = (title, body) => {
    test(title, async (t) => {
      const opened = await open()
      try {
        await body(opened, t)
      } finally {
        await opened.close()
      }
    })
  }
  const parts = {
    documents: documentPromises,
    refusals: refusalPromises,
    chunks: chunkPromises,
    words: wordPromises,
    scopes: scopePromises,
    vectors: vectorPromises,
    records: recordPromises,
    leases: leasePromises,
    version: versionPromises,
    sharing: sharingPromises,
    withReadCache: togetherPromises,
    'hostile input': hostilePromises,
  }
  for (const [part, promises] of Object.entries(parts)) describe(`${name}: ${part}`, () => promises(promise))
}
