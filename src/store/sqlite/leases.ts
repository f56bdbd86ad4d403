import type { LeaseHolder, LeaseStore } from '../port.js'
import type { Database } from './database.js'

export function sqliteLeases(database: Database, now: () => number): LeaseStore {
  return {
    take: (name, holder, ttlMs, gone = () => false) =>
      database.write((db) => {
        const row = db.sql('SELECT holder, facts, until FROM leases WHERE name = ?').get(name) as
          | { holder: string; facts: string; until: number }
          | undefined
        if (row && row.holder !== holder.id && row.until > now()) {
          const other = JSON.parse(row.facts) as LeaseHolder
          if (!gone(other)) return other
        }
        db.sql('INSERT OR REPLACE INTO leases (name, holder, facts, until) VALUES (?, ?, ?, ?)').run(
          name,
          holder.id,
          JSON.stringify(holder),
          now() + ttlMs,
        )
        return null
      }),
    release: async (name, holderId) => {
      await database.write((db) =>
        db.sql('DELETE FROM leases WHERE name = ? AND holder = ?').run(name, holderId),
      )
    },
    holder: async (name) =>
      database.read((db) => {
        const row = db.sql('SELECT facts FROM leases WHERE name = ? AND until > ?').get(name, now()) as
          | { facts: string }
          | undefined
        return row ? (JSON.parse(row.facts) as LeaseHolder) : null
      }),
  }
}
