import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { statDataFile } from '../data-files.js'
import { fileName } from './database.js'
import { requirePlainDatabase } from './database-file.js'

/** Whether a data folder has an index of its own with documents. */
export function hasDocuments(folder: string): boolean {
  try {
    requirePlainDatabase(folder)
    if (!statDataFile(folder, fileName)) return false
    const db = new DatabaseSync(join(folder, fileName), { readOnly: true })
    try {
      return db.prepare('SELECT 1 FROM documents LIMIT 1').get() !== undefined
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}
