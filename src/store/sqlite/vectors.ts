import type { Connection } from './database.js'

/** A new chunk whose hash stands elsewhere takes that chunk's vectors: moving a file costs no embedding. */
export function copyVectors(db: Connection, chunk: number, hash: string) {
  db.sql(
    `INSERT OR IGNORE INTO vectors (space, chunk, scale, data)
     SELECT s.id, ?, v.scale, v.data FROM spaces s JOIN chunks c ON c.hash = ? AND c.id <> ?
     JOIN vectors v ON v.space = s.id AND v.chunk = c.id GROUP BY s.id`,
  ).run(chunk, hash, chunk)
}

export function dropVectors(db: Connection, chunks: readonly number[]) {
  const spaces = db.sql('SELECT id FROM spaces').all() as { id: number }[]
  for (const { id } of spaces)
    for (const chunk of chunks) db.sql('DELETE FROM vectors WHERE space = ? AND chunk = ?').run(id, chunk)
}
