import type { LeaseHolder, LeaseStore } from '../../model/lease.js'
import type { Connection, Database } from './database.js'

/**
 * `now` is a monotonic clock in milliseconds. Each renewal increments the row's heartbeat. A process that wants the
 * lease remembers when it first saw a heartbeat, and takes the lease over when that heartbeat stays the same for the
 * time to live.
 */
export function sqliteLeases(database: Database, now: () => number = () => performance.now()): LeaseStore {
  const seen = new Map<string, { holder: string; beat: number; since: number }>()

  function isAlive(name: string, row: LeaseRow): boolean {
    const before = seen.get(name)
    if (before?.holder === row.holder.id && before.beat === row.beat) return now() - before.since < row.ttlMs
    seen.set(name, { holder: row.holder.id, beat: row.beat, since: now() })
    return true
  }

  return {
    take: (name, holder, ttlMs, gone = () => false) =>
      database.write((db) => {
        const row = readRow(db, name)
        if (row && row.holder.id !== holder.id && isAlive(name, row) && !gone(row.holder)) return row.holder
        const beat = (row?.beat ?? 0) + 1
        writeRow(db, name, { holder, beat, ttlMs })
        seen.set(name, { holder: holder.id, beat, since: now() })
        return null
      }),
    release: async (name, holderId) => {
      await database.write((db) =>
        db.sql('DELETE FROM leases WHERE name = ? AND holder = ?').run(name, holderId),
      )
      seen.delete(name)
    },
    holder: async (name) => {
      const row = database.read((db) => readRow(db, name))
      if (!row) seen.delete(name)
      return row && isAlive(name, row) ? row.holder : null
    },
  }
}

interface LeaseRow {
  holder: LeaseHolder
  beat: number
  ttlMs: number
}

/** For a row of an earlier version, which had an expiry time and no heartbeat. */
const usualTtlMs = 12_000

function readRow(db: Connection, name: string): LeaseRow | null {
  const row = db.sql('SELECT facts, until FROM leases WHERE name = ?').get(name) as
    | { facts: string; until: number }
    | undefined
  if (!row) return null
  const {
    beat = row.until,
    ttlMs = usualTtlMs,
    ...holder
  } = JSON.parse(row.facts) as LeaseHolder & Partial<LeaseRow>
  return { holder, beat, ttlMs }
}

function writeRow(db: Connection, name: string, { holder, beat, ttlMs }: LeaseRow) {
  const facts = JSON.stringify({ ...holder, beat, ttlMs })
  // Processes of an earlier version use the expiry time.
  const until = Date.now() + ttlMs
  db.sql('INSERT OR REPLACE INTO leases (name, holder, facts, until) VALUES (?, ?, ?, ?)').run(
    name,
    holder.id,
    facts,
    until,
  )
}
