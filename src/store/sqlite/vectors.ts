import type { Breathe, Connection } from './database.js'

/** A new chunk whose hash stands elsewhere takes that chunk's vectors: moving a file costs no embedding. */
export async function copyVectors(
  db: Connection,
  fresh: readonly { id: number; hash: string }[],
  breathe: Breathe,
) {
  if (!db.sql('SELECT 1 FROM spaces LIMIT 1').get()) return
  for (const { id, hash } of fresh) {
    db.sql(
      `INSERT OR IGNORE INTO vectors (space, chunk, scale, data)
       SELECT s.id, ?, v.scale, v.data FROM spaces s JOIN chunks c ON c.hash = ? AND c.id <> ?
       JOIN vectors v ON v.space = s.id AND v.chunk = c.id GROUP BY s.id`,
    ).run(id, hash, id)
    await breathe()
  }
}

export function dropVectors(db: Connection, chunks: readonly number[]) {
  const spaces = db.sql('SELECT id FROM spaces').all() as { id: number }[]
  for (const { id } of spaces)
    for (const chunk of chunks) db.sql('DELETE FROM vectors WHERE space = ? AND chunk = ?').run(id, chunk)
}
