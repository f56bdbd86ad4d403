import type { DocumentScope, Scope } from '../../model/scope.js'
import type { Ref } from '../../model/source.js'
import { sameName } from '../../text/normal-forms.js'
import type { Connection } from './database.js'
import type { SegmentView } from './segments.js'
import { damagedIndex } from './stored-values.js'

type Value = string | number

interface Condition {
  sql: string
  values: Value[]
}

type ToSql<T> = (value: T, scope: Scope) => Condition | null

/** A field is a condition on `documents d`, or on `chunks c` with their document `d`. Null: no condition. */
type FieldSql<T> =
  | { document: ToSql<T> }
  /** `emptyDocument`: whether a document without chunks is listed. */
  | { chunk: ToSql<T>; emptyDocument: ToSql<T> }

const scopeSql: { [K in keyof Scope]-?: FieldSql<NonNullable<Scope[K]>> } = {
  sources: { document: (ids) => oneOf('d.source', ids) },
  formats: { document: (formats) => oneOf('d.format', formats) },
  documents: { document: (refs) => condition(`d.id IN ${idsOfRefs}`, refs.map(plainRef)) },
  except: { document: (refs) => condition(`d.id NOT IN ${idsOfRefs}`, refs.map(plainRef)) },
  under: { document: underFolders },
  tags: { document: (tags) => condition(hasTag, tags.map(sameName)) },
  modules: {
    document: (modules, { within = {} }) => condition(isInModule, modules.map(sameName), within),
  },
  /** Read by `modules`. */
  within: { document: () => null },
  noted: { document: hasNote },
  since: { document: (time) => ({ sql: 'coalesce(d.mtime, d.read_at) >= ?', values: [time] }) },
  any: { document: anyScope },
  ofKinds: { document: anyScope },
  kinds: { chunk: (kinds) => oneOf('c.kind', kinds), emptyDocument: () => condition('0') },
  languages: {
    chunk: (names) => oneOf('coalesce(c.language, d.language)', names),
    emptyDocument: (names) => oneOf('d.language', names),
  },
}

function anyScope(scopes: readonly DocumentScope[]): Condition {
  return anyOf(scopes.map((scope) => allOf(documentConditions(scope))))
}

function documentConditions(scope: Scope): Condition[] {
  return conditionsOf(scope, (field) => ('document' in field ? field.document : null))
}

function chunkConditions(scope: Scope): Condition[] {
  return conditionsOf(scope, (field) => ('chunk' in field ? field.chunk : null))
}

function emptyDocumentConditions(scope: Scope): Condition[] {
  return conditionsOf(scope, (field) => ('chunk' in field ? field.emptyDocument : null))
}

function conditionsOf(scope: Scope, choose: (field: FieldSql<never>) => ToSql<never> | null): Condition[] {
  return (Object.keys(scopeSql) as (keyof Scope)[]).flatMap((name) => {
    const value = scope[name]
    const toSql = value === undefined ? null : choose(scopeSql[name])
    return toSql?.(value as never, scope) ?? []
  })
}

/** Each value is bound as one JSON text. */
function condition(sql: string, ...values: unknown[]): Condition {
  return { sql, values: values.map((value) => JSON.stringify(value)) }
}

function oneOf(column: string, values: readonly string[]): Condition {
  return condition(`${column} IN (SELECT value FROM json_each(?))`, values)
}

function allOf(conditions: readonly Condition[]): Condition {
  return joined(conditions, ' AND ', '1')
}

function anyOf(conditions: readonly Condition[]): Condition {
  return joined(conditions, ' OR ', '0')
}

function joined(conditions: readonly Condition[], by: string, none: string): Condition {
  return {
    sql: conditions.length > 0 ? `(${conditions.map(({ sql }) => sql).join(by)})` : none,
    values: conditions.flatMap(({ values }) => values),
  }
}

const idsOfRefs = `(SELECT x.id FROM json_each(?) j
  JOIN documents x ON x.source = j.value ->> 'source' AND x.path = j.value ->> 'path')`

function plainRef({ source, path }: Ref): Ref {
  return { source, path }
}

function underFolders(folders: readonly string[]): Condition | null {
  const clean = folders
    .map((folder) => folder.replace(/(?<!\/)\/+$/, ''))
    .map((folder) => (folder === '.' ? '' : folder))
  if (clean.includes('')) return null
  return condition(
    `EXISTS (SELECT 1 FROM json_each(?) u WHERE d.path = u.value OR substr(d.path, 1, length(u.value) + 1) = u.value || '/')`,
    clean,
  )
}

const hasTag = `EXISTS (SELECT 1 FROM json_each(d.tags) t, json_each(?) w
  WHERE carrel_same_name(t.value) = w.value OR substr(carrel_same_name(t.value), 1, length(w.value) + 1) = w.value || '/')`

const isInModule = `EXISTS (SELECT 1 FROM json_each(?) m WHERE
  carrel_in_module(coalesce((SELECT w.value || '/' FROM json_each(?) w WHERE w.key = d.source), '') || d.path, m.value)
  OR EXISTS (SELECT 1 FROM json_each(d.tags) t
    WHERE substr(carrel_same_name(t.value) || '/', 1, length(m.value) + 8) = 'module/' || m.value || '/'))`

/**
 * Few documents have a note. The last bytes of their facts tell the others, so their JSON is not read. When all documents
 * are read, they are read in the order of their rows: in the order of their paths it took seven times as long.
 */
function hasNote(codes: readonly string[], { documents }: Scope): Condition {
  const has = (row: string) =>
    `substr(CAST(${row}.facts AS BLOB), -11) <> CAST('"notes":[]}' AS BLOB)
      AND EXISTS (SELECT 1 FROM json_each(${row}.facts, '$.notes') n
        WHERE n.value ->> 'code' IN (SELECT value FROM json_each(?)))`
  return condition(
    documents ? `(${has('d')})` : `d.id IN (SELECT y.id FROM documents y WHERE ${has('y')})`,
    codes,
  )
}

/** Which documents a list shows: those with a chunk in scope, and those without chunks that the scope covers. */
export function listCondition(scope: Scope): { where: string; values: Value[] } {
  const conditions = documentConditions(scope)
  const chunk = chunkConditions(scope)
  if (chunk.length > 0) {
    const inScope = allOf(chunk)
    const some = {
      ...inScope,
      sql: `EXISTS (SELECT 1 FROM chunks c WHERE c.document = d.id AND ${inScope.sql})`,
    }
    conditions.push(anyOf([some, allOf([condition('d.chunk_count = 0'), ...emptyDocumentConditions(scope)])]))
  }
  return whereOf(conditions)
}

function whereOf(conditions: readonly Condition[]): { where: string; values: Value[] } {
  const { sql, values } = allOf(conditions)
  return { where: conditions.length > 0 ? `WHERE ${sql}` : '', values }
}

/** The documents and chunks that a scope lets through, a byte each by id. Null: all of them. */
export interface Allowed {
  documents: Uint8Array | null
  chunks: Uint8Array | null
}

const everything: Allowed = { documents: null, chunks: null }

export type AllowedIn = (db: Connection, view: SegmentView, scope: Scope) => Allowed

/**
 * Caches what each scope allows, since clients use the same few again and again. Every change of the index makes a new view,
 * the new time of a touched file too, and a new view empties the cache.
 */
export function scopeCache(): AllowedIn {
  let known: SegmentView | null = null
  const cache = new Map<string, Allowed>()
  return (db, view, scope) => {
    const key = JSON.stringify(scope)
    if (key === '{}' && !db.worktree) return everything
    if (view !== known || cache.size >= mostScopes) cache.clear()
    known = view
    const allowed = cache.get(key) ?? findAllowed(db, scope)
    cache.set(key, allowed)
    return allowed
  }
}

const mostScopes = 64

function findAllowed(db: Connection, scope: Scope): Allowed {
  const documents = documentConditions(scope)
  const chunks = chunkConditions(scope)
  if (chunks.length > 0) {
    const { where, values } = whereOf([...documents, ...chunks])
    const from = `FROM chunks c JOIN documents d ON d.id = c.document ${where}`
    return { documents: null, chunks: marks(db, `c.id) AS ids ${from}`, values) }
  }
  if (documents.length === 0)
    return db.worktree ? { documents: db.worktree.marks(), chunks: null } : everything
  const { where, values } = whereOf(documents)
  return { documents: marks(db, `d.id) AS ids FROM documents d ${where}`, values), chunks: null }
}

/** Other tables keep ids in 32 bits. */
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
