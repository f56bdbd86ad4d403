// A store that shares its documents keeps the same promises as one of its own, alone and beside other worktrees.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeHistories } from '../../../test/contract/histories.js'
import { type OpenedStore, storeContract } from '../../../test/contract/store.js'
import { openSqliteStore } from './store.js'

storeContract('a worktree', openWorktree)
storeHistories('a worktree', openWorktree, 3)

async function openWorktree(): Promise<OpenedStore> {
  const root = await mkdtemp(join(tmpdir(), 'carrel-worktree-'))
  const open = () => openSqliteStore({ folder: join(root, 'own'), shared: join(root, 'shared') })
  const handles = [await open()]
  const another = async () => {
    handles.push(await open())
    return handles.at(-1)!
  }
  const closeAll = async () => {
    for (const store of handles.splice(0)) await store.close()
  }
  return {
    store: handles[0]!,
    another,
    async reopen() {
      await closeAll()
      return another()
    },
    async close() {
      await closeAll()
      await rm(root, { recursive: true, force: true })
    },
  }
}
