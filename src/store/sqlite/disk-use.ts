import type { DiskUse } from '../port.js'
import type { Connection } from './database.js'

type Part = Exclude<keyof DiskUse, 'rest'>

const parts: Record<string, Part> = {
  texts: 'texts',
  segments: 'postings',
  blocks: 'postings',
  spaces: 'vectors',
  vectors: 'vectors',
  signs: 'vectors',
}

/** Counts the pages of each table with those of its indexes. */
export function readDiskUse(db: Connection): DiskUse {
  const rows = db
    .sql(
      `SELECT s.tbl_name AS owner, sum(d.pgsize) AS bytes
       FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY s.tbl_name`,
    )
    .all() as { owner: string; bytes: number }[]
  const use: DiskUse = { texts: 0, postings: 0, vectors: 0, rest: fileBytes(db) }
  for (const { owner, bytes } of rows) {
    const part = parts[owner]
    if (!part) continue
    use[part] += bytes
    use.rest -= bytes
  }
  return use
}

function fileBytes(db: Connection): number {
  const { bytes } = db
    .sql('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get() as { bytes: number }
  return bytes
}
