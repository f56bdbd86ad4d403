import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeHistories } from '../../../test/contract/histories.js'
import { type OpenedStore, storeContract } from '../../../test/contract/store.js'
import { openSqliteStore } from './store.js'

storeContract('sqlite', open)
storeHistories('sqlite', open)

/** A store in a folder of its own, which goes when the store is closed. */
async function open(): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-store-'))
  const first = await openSqliteStore({ folder })
  const handles = [first]
  const another = async () => {
    const store = await openSqliteStore({ folder })
    handles.push(store)
    return store
  }
  const closeAll = async () => {
    for (const store of handles.splice(0)) await store.close()
  }
  return {
    store: first,
    another,
    async reopen() {
      await closeAll()
      return another()
    },
    async close() {
      await closeAll()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
