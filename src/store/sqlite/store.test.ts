import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storeHistories } from '../../../test/contract/histories.js'
import { type OpenedStore, storeContract } from '../../../test/contract/store.js'
import type { Store } from '../port.js'

const module = new URL('./store.js', import.meta.url)

if (existsSync(module)) {
  const { openSqliteStore } = (await import(module.href)) as {
    openSqliteStore(options: { folder: string }): Promise<Store>
  }
  const open = () => openIn(openSqliteStore)
  storeContract('sqlite', open)
  storeHistories('sqlite', open)
} else {
  test('keeps the contract', { skip: 'the SQLite store is not built' })
}

/** A store in a folder of its own, which goes when the store is closed. */
async function openIn(
  openSqliteStore: (options: { folder: string }) => Promise<Store>,
): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-store-'))
  const handles = [await openSqliteStore({ folder })]
  const another = async () => {
    const store = await openSqliteStore({ folder })
    handles.push(store)
    return store
  }
  return {
    store: handles[0]!,
    another,
    async reopen() {
      for (const store of handles.splice(0)) await store.close()
      return another()
    },
    async close() {
      for (const store of handles.splice(0)) await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
