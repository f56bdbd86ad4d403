// Removes what no worktree has any more from the database that worktrees share, and gives the space back.

import type { Connection, Database } from './database.js'
import { dataFolderId } from './database-file.js'
import { removeDocuments } from './documents.js'
import { advance, type Directories, viewSegments } from './segments.js'
import { documentsOfAll } from './worktree-documents.js'

export async function sweep(shared: Database, known: Directories) {
  await shared.write(async (db, yieldIfDue) => {
    for (const id of goneWorktrees(db))
      for (const [table, column] of [
        ['worktrees', 'id'],
        ['worktree_documents', 'worktree'],
      ])
        db.sql(`DELETE FROM ${table} WHERE ${column} = ?`).run(id)
    const isHeld = await documentsOfAll(db, yieldIfDue)
    const { ids } = db.sql('SELECT json_group_array(id) AS ids FROM main.documents').get() as { ids: string }
    const left = (JSON.parse(ids) as number[]).filter((id) => !isHeld(id))
    if (left.length === 0) return
    await removeDocuments(db, viewSegments(db, known, null), left, yieldIfDue)
    advance(db, 'epoch')
  })
  while (await giveBack(shared)) {}
}

/** Worktrees whose data folder is gone, or was made anew. */
function goneWorktrees(db: Connection): string[] {
  const all = db.sql('SELECT id, place FROM worktrees').all() as { id: string; place: string }[]
  return all.filter(({ id, place }) => idOf(place) !== id).map(({ id }) => id)
}

function idOf(place: string): string | null {
  try {
    return dataFolderId(place)
  } catch {
    return null
  }
}

const pagesAtOnce = 500

/** In steps of a few milliseconds. Returns whether there is more. */
function giveBack(shared: Database): Promise<boolean> {
  return shared.write((db) => {
    const free = () => (db.sql('PRAGMA freelist_count').get() as { freelist_count: number }).freelist_count
    const before = free()
    if (before === 0) return false
    db.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
    return free() < before
  })
}
