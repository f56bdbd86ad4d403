import type { Scope } from '../../model/source.js'
import type { Connection } from './database.js'
import type { AllowedDocuments } from './rank.js'

/** A scope over documents as a condition on the table `documents d`. Chunk kinds are narrowed elsewhere. */
export function condition(scope: Scope): { where: string; values: (string | number)[] } {
  const all: string[] = []
  const values: (string | number)[] = []
  const add = (text: string, ...more: (string | number)[]) => {
    all.push(text)
    values.push(...more)
  }
  const list = (items: readonly unknown[]) => JSON.stringify(items)
  if (scope.sources) add('d.source IN (SELECT value FROM json_each(?))', list(scope.sources))
  if (scope.formats) add('d.format IN (SELECT value FROM json_each(?))', list(scope.formats))
  if (scope.languages) add('d.language IN (SELECT value FROM json_each(?))', list(scope.languages))
  if (scope.documents)
    add(
      `d.id IN (SELECT x.id FROM json_each(?) j JOIN documents x ON x.source = j.value ->> 'source' AND x.path = j.value ->> 'path')`,
      list(scope.documents),
    )
  if (scope.under) addUnder(scope.under, add)
  if (scope.tags)
    add(
      `EXISTS (SELECT 1 FROM json_each(d.tags) t, json_each(?) w
        WHERE lower(t.value) = w.value OR substr(lower(t.value), 1, length(w.value) + 1) = w.value || '/')`,
      list(scope.tags.map((tag) => tag.toLowerCase())),
    )
  return { where: all.length ? `WHERE ${all.join(' AND ')}` : '', values }
}

function addUnder(folders: readonly string[], add: (text: string, ...values: string[]) => void) {
  const clean = folders.map((folder) => folder.replace(/^\.?\/+|\/+$/g, '')).map((f) => (f === '.' ? '' : f))
  if (clean.includes('')) return
  add(
    `EXISTS (SELECT 1 FROM json_each(?) u WHERE d.path = u.value OR substr(d.path, 1, length(u.value) + 1) = u.value || '/')`,
    JSON.stringify(clean),
  )
}

export function narrowsDocuments(scope: Scope): boolean {
  return Boolean(
    scope.sources || scope.documents || scope.under || scope.formats || scope.languages || scope.tags,
  )
}

/** The documents in scope, remembered until the index changes: the same few scopes are asked for again and again. */
export function scopeCache() {
  let epoch = -1
  const known = new Map<string, Uint8Array>()
  return function allowedDocuments(db: Connection, now: number, scope: Scope): AllowedDocuments {
    if (!narrowsDocuments(scope)) return null
    if (now !== epoch || known.size >= 64) known.clear()
    epoch = now
    const { kinds: _, ...narrow } = scope
    const key = JSON.stringify(narrow)
    let allowed = known.get(key)
    if (!allowed) {
      allowed = findAllowed(db, scope)
      known.set(key, allowed)
    }
    return allowed
  }
}

function findAllowed(db: Connection, scope: Scope): Uint8Array {
  const { where, values } = condition(scope)
  const last = db.sql('SELECT max(id) AS id FROM documents').get() as { id: number | null }
  const allowed = new Uint8Array((last.id ?? 0) + 1)
  // One row with all ids: a hundred thousand rows through the driver would take longer than the search.
  const row = db.sql(`SELECT json_group_array(d.id) AS ids FROM documents d ${where}`).get(...values) as {
    ids: string
  }
  for (const id of JSON.parse(row.ids) as number[]) allowed[id] = 1
  return allowed
}
