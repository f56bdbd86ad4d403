import type { DocumentScope, Ref, Scope } from '../../model/source.js'
import { sameName } from '../../text/same-name.js'
import { damagedIndex } from './checksums.js'
import type { Connection } from './database.js'

type Value = string | number

/** The ids in scope, one byte for each id. Null: everything. */
export interface Allowed {
  documents: Uint8Array | null
  chunks: Uint8Array | null
}

const everything: Allowed = { documents: null, chunks: null }

/** The SQL conditions on `documents d`. */
function documentConditions(scope: Scope | DocumentScope): { all: string[]; values: Value[] } {
  const all: string[] = []
  const values: Value[] = []
  const add = (text: string, list: readonly unknown[]) => {
    all.push(text)
    values.push(JSON.stringify(list))
  }
  if (scope.sources) add('d.source IN (SELECT value FROM json_each(?))', scope.sources)
  if (scope.formats) add('d.format IN (SELECT value FROM json_each(?))', scope.formats)
  if (scope.documents) add(`d.id IN ${named}`, scope.documents.map(plainRef))
  if (scope.except) add(`d.id NOT IN ${named}`, scope.except.map(plainRef))
  if (scope.under) addUnder(scope.under, add)
  if (scope.tags)
    add(
      `EXISTS (SELECT 1 FROM json_each(d.tags) t, json_each(?) w
        WHERE carrel_same_name(t.value) = w.value OR substr(carrel_same_name(t.value), 1, length(w.value) + 1) = w.value || '/')`,
      scope.tags.map(sameName),
    )
  if (scope.modules) {
    add(
      `EXISTS (SELECT 1 FROM json_each(?) m WHERE
        carrel_in_module(coalesce((SELECT w.value || '/' FROM json_each(?) w WHERE w.key = d.source), '') || d.path, m.value)
        OR EXISTS (SELECT 1 FROM json_each(d.tags) t
          WHERE substr(carrel_same_name(t.value) || '/', 1, length(m.value) + 8) = 'module/' || m.value || '/'))`,
      scope.modules.map(sameName),
    )
    values.push(JSON.stringify(scope.within ?? {}))
  }
  if (scope.noted) addNoted(scope, scope.noted, add)
  if ('any' in scope && scope.any) {
    const each = scope.any.map(documentConditions)
    all.push(`(${each.map((one) => `(${one.all.join(' AND ') || '1'})`).join(' OR ') || '0'})`)
    values.push(...each.flatMap((one) => one.values))
  }
  return { all, values }
}

const named = `(SELECT x.id FROM json_each(?) j
  JOIN documents x ON x.source = j.value ->> 'source' AND x.path = j.value ->> 'path')`

function plainRef({ source, path }: Ref): Ref {
  return { source, path }
}

/**
 * Few documents have a note. The last bytes of the facts tell the others, without parsing JSON. When all documents are
 * checked, they are read in storage order: reading them by path took seven times as long.
 */
function addNoted(
  { documents }: Scope | DocumentScope,
  codes: readonly string[],
  add: (text: string, list: readonly string[]) => void,
) {
  const has = (row: string) =>
    `substr(CAST(${row}.facts AS BLOB), -11) <> CAST('"notes":[]}' AS BLOB)
      AND EXISTS (SELECT 1 FROM json_each(${row}.facts, '$.notes') n
        WHERE n.value ->> 'code' IN (SELECT value FROM json_each(?)))`
  add(documents ? `(${has('d')})` : `d.id IN (SELECT y.id FROM documents y WHERE ${has('y')})`, codes)
}

function addUnder(folders: readonly string[], add: (text: string, list: readonly string[]) => void) {
  const clean = folders
    .map((folder) => folder.replace(/(?<!\/)\/+$/, ''))
    .map((folder) => (folder === '.' ? '' : folder))
  if (clean.includes('')) return
  add(
    `EXISTS (SELECT 1 FROM json_each(?) u WHERE d.path = u.value OR substr(d.path, 1, length(u.value) + 1) = u.value || '/')`,
    clean,
  )
}

/**
 * The SQL conditions on `chunks c` with its document `d`. A chunk has its document's language unless it has its own.
 */
function chunkConditions({ kinds, languages }: Scope): { all: string[]; values: Value[] } {
  const all: string[] = []
  const values: Value[] = []
  if (kinds) {
    all.push('c.kind IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(kinds))
  }
  if (languages) {
    all.push('coalesce(c.language, d.language) IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(languages))
  }
  return { all, values }
}

/** The documents that a list in this scope shows: those with a chunk in it. A document without chunks has no kind. */
export function condition(scope: Scope): { where: string; values: Value[] } {
  const { all, values } = documentConditions(scope)
  const chunk = chunkConditions(scope)
  if (chunk.all.length > 0) {
    const some = `EXISTS (SELECT 1 FROM chunks c WHERE c.document = d.id AND ${chunk.all.join(' AND ')})`
    const none = scope.kinds ? '0' : 'd.chunk_count = 0 AND d.language IN (SELECT value FROM json_each(?))'
    all.push(`(${some} OR (${none}))`)
    values.push(...chunk.values, ...(scope.kinds ? [] : [JSON.stringify(scope.languages)]))
  }
  return { where: all.length ? `WHERE ${all.join(' AND ')}` : '', values }
}

/** Caches the ids in scope until `epoch` changes: clients use the same few scopes again and again. */
export function scopeCache() {
  let epoch = -1
  const known = new Map<string, Allowed>()
  return function allowedIn(db: Connection, now: number, scope: Scope): Allowed {
    const key = JSON.stringify(scope)
    if (key === '{}') return everything
    if (now !== epoch || known.size >= 64) known.clear()
    epoch = now
    let allowed = known.get(key)
    if (!allowed) {
      allowed = findAllowed(db, scope)
      known.set(key, allowed)
    }
    return allowed
  }
}

function findAllowed(db: Connection, scope: Scope): Allowed {
  const documents = documentConditions(scope)
  const chunks = chunkConditions(scope)
  const where = (...all: string[]) => (all.length ? `WHERE ${all.join(' AND ')}` : '')
  if (chunks.all.length > 0) {
    const from = `FROM chunks c JOIN documents d ON d.id = c.document ${where(...documents.all, ...chunks.all)}`
    return {
      documents: null,
      chunks: marks(db, `c.id) AS ids ${from}`, [...documents.values, ...chunks.values]),
    }
  }
  if (documents.all.length === 0) return everything
  return {
    documents: marks(db, `d.id) AS ids FROM documents d ${where(...documents.all)}`, documents.values),
    chunks: null,
  }
}

/** Other modules store ids in 32 bits. */
const largestId = 2 ** 31 - 1

// One row with all ids: a hundred thousand rows through the driver would take longer than the search.
function marks(db: Connection, query: string, values: Value[]): Uint8Array {
  const row = db.sql(`SELECT json_group_array(${query}`).get(...values) as { ids: string }
  const ids = JSON.parse(row.ids) as number[]
  const last = ids.reduce((most, id) => Math.max(most, id), 0)
  if (last > largestId) throw damagedIndex('an id is larger than any that is given')
  const found = new Uint8Array(last + 1)
  for (const id of ids) found[id] = 1
  return found
}
