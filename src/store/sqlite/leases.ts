import type { LeaseHolder, LeaseStore } from '../port.js'
import type { Database } from './database.js'

export function sqliteLeases(database: Database, now: () => number): LeaseStore {
  return {
    take: (name, holder, ttlMs, gone = () => false) =>
      database.write((db) => {
        const row = db.sql('SELECT holder, facts, until FROM leases WHERE name = ?').get(name) as
          | { holder: string; facts: string; until: number }
          | undefined
        if (row && row.holder !== holder.id && isAhead(row.until, now())) {
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
        const row = db.sql('SELECT facts, until FROM leases WHERE name = ?').get(name) as
          | { facts: string; until: number }
          | undefined
        return row && isAhead(row.until, now()) ? (JSON.parse(row.facts) as LeaseHolder) : null
      }),
  }
}

/** More than anybody takes a lease for. */
const longestMs = 900_000

/** Whether a lease lasts. An end that lies far ahead is of a clock that was wrong: a holder who lives sets it right soon. */
function isAhead(until: number, now: number): boolean {
  return until > now && until <= now + longestMs
}
