// The default store: one SQLite file in the data folder. Any number of processes may share it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { fields, type IndexedChunk, type IndexedDocument, type NotedDocument } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { Source } from '../../model/source.js'
import { createLocalMutex } from '../../runtime/mutex.js'
import { createYielder } from '../../runtime/yield.js'
import { byText, readLater } from '../order.js'
import type { Fingerprint, SharedDocuments, Store, StoreCounts } from '../port.js'
import { chunksIn, readRowsOf } from './chunk-rows.js'
import {
  type Connection,
  type Database,
  fromDatabase,
  openDatabase,
  sharedSettings,
  smallSettings,
} from './database.js'
import { ensureDataFolderId } from './database-file.js'
import { Dictionary, renewed } from './dictionary.js'
import { readDiskUse } from './disk-use.js'
import {
  adoptDocuments,
  documentId,
  forgetDocuments,
  type Hashes,
  listDocuments,
  notedAtOnce,
  readDocument,
  readFingerprints,
  readNoted,
  readNotedOne,
  readVersions,
  replaceDocuments,
  restampDocument,
} from './documents.js'
import type { IsWhole } from './journal.js'
import { sqliteLeases } from './leases.js'
import { mergeSegments } from './merge.js'
import { matchingTerms, rankWords, readBlocks, readForRanking } from './rank.js'
import { cachedReads, plainReads, type Reads } from './read-cache.js'
import { followJournal, restoreJournal, sqliteRecords, tidyJournal } from './records.js'
import { scopeCache } from './scope.js'
import { type Seed, seedShared } from './seed.js'
import { advance, type Directories, ofWorktree, type SegmentView, stateOf, viewSegments } from './segments.js'
import { intact, seal } from './stored-values.js'
import { sweep } from './sweep.js'
import { sqliteVectors, tidySigns } from './vectors.js'

export interface SqliteStoreOptions {
  folder: string
  /** A folder whose documents several worktrees share. This store's records stay in its own. */
  shared?: string
  /** The index that the shared one starts from, when there is none yet. */
  seed?: Seed
  now?: () => number
  /** Which records of the journal a new database restores. Default: all. */
  isWhole?: IsWhole
  /** Whether a record has a valid shape. Reading skips invalid ones. Default: all are valid. */
  isValid?: IsWhole
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder, isWhole, isValid } = options
  const journal = followJournal(folder, isWhole)
  const database = openDatabase(
    folder,
    journal,
    options.shared === undefined ? {} : { settings: smallSettings },
  )
  void restoreJournal(database)
  if (options.shared !== undefined && options.seed) await seedShared(options.shared, options.seed)
  const shared = options.shared === undefined ? null : openShared(options.shared, folder)
  // Where the documents are.
  const content = shared ?? database
  const now = options.now ?? Date.now
  const known: Directories = new Map()
  const allowedIn = scopeCache()
  let view: SegmentView | null = null
  let visible: SegmentView | null = null
  let dictionary = new Dictionary()

  const look = (db: Connection): SegmentView => {
    const whole = viewSegments(db, known, view)
    if (whole !== view) visible = db.worktree ? ofWorktree(whole, db.worktree.marks()) : whole
    view = whole
    return visible!
  }
  const own = (db: Connection) => viewSegments(db, known, view)

  const vectors = sqliteVectors({ database: content, view: look, allowedIn })
  const reading = (reads: Reads) => ({
    chunks: async (ids: readonly number[]) => content.read((db) => reads.chunks(db, ids)),
    vectors: vectors(reads),
  })

  const store: Store = {
    putSource: (source) =>
      database.write((db) => {
        const facts = JSON.stringify(source)
        db.sql('INSERT OR REPLACE INTO sources (id, facts, sum) VALUES (?, ?, ?)').run(
          source.id,
          facts,
          seal(source.id, facts),
        )
        advance(db, 'epoch')
      }),
    sources: async () =>
      database.read((db) => {
        const rows = db.sql(`SELECT facts, ${intact('sources')} FROM sources ORDER BY id`).all() as {
          facts: string
        }[]
        return rows.map(({ facts }) => JSON.parse(facts) as Source)
      }),
    forgetSource: (id) =>
      content
        .write(async (db, yieldIfDue) => {
          const documents = db.sql('SELECT id FROM documents WHERE source = ?').all(id) as { id: number }[]
          await forgetDocuments(
            db,
            own(db),
            documents.map((d) => d.id),
            yieldIfDue,
          )
          if (documents.length > 0) advance(db, 'epoch')
          return shared ? null : dropSource(db, id)
        })
        .then((gone) => gone ?? database.write((db) => dropSource(db, id))),

    replace: async (documents) => {
      if (documents.length === 0) return
      await content.write(async (db, yieldIfDue) => {
        validateDocuments(
          documents,
          shared ? (id) => database.read((own) => isSource(own, id)) : (id) => isSource(db, id),
        )
        dictionary = renewed(dictionary)
        const changed = await replaceDocuments(db, own(db), documents, {
          dictionary,
          yieldIfDue,
          now: now(),
        })
        if (changed) advance(db, 'epoch')
      })
    },
    forget: (refs, asOf = Number.POSITIVE_INFINITY) =>
      content.write(async (db, yieldIfDue) => {
        const found = refs.flatMap((ref) => documentId(db, ref) ?? [])
        const old = found.filter((row) => !readLater(row.read_at, asOf, now()))
        const ids = [...new Set(old.map((row) => row.id))]
        if (ids.length === 0) return 0
        const gone = await forgetDocuments(db, own(db), ids, yieldIfDue)
        advance(db, 'epoch')
        return gone
      }),
    restamp: (stamps) =>
      content.write(async (db, yieldIfDue) => {
        for (const { ref, stamp, readAt } of stamps) {
          const old = documentId(db, ref)
          if (!old || readLater(old.read_at, readAt, now())) continue
          restampDocument(db, old.id, stamp, readAt)
          await yieldIfDue()
        }
        advance(db, 'layout')
      }),
    ...(shared ? { shared: sharedDocuments(shared, now) } : {}),
    document: async (ref) => content.read((db) => readDocument(db, ref)),
    documents: async (scope, page) => content.read((db) => listDocuments(db, scope, page)),
    fingerprints: async (source) => {
      const all = new Map<string, Fingerprint>()
      for (let after = ''; ; ) {
        const some = content.read((db) => readFingerprints(db, source, after))
        if (some.length === 0) return all
        for (const [path, fingerprint] of some) all.set(path, fingerprint)
        after = some.at(-1)![0]
        await nextTurn()
      }
    },
    noted: async (source, paths) => {
      const all: NotedDocument[] = []
      if (paths) {
        const sorted = [...new Set(paths)].sort(byText)
        for (let i = 0; i < sorted.length; i += notedAtOnce) {
          const some = sorted.slice(i, i + notedAtOnce)
          all.push(...content.read((db) => some.flatMap((path) => readNotedOne(db, source, path))))
          await nextTurn()
        }
        return all
      }
      for (let after = ''; ; ) {
        const some = content.read((db) => readNoted(db, source, after))
        if (some.length === 0) return all
        all.push(...some)
        after = some.at(-1)!.path
        await nextTurn()
      }
    },

    ...reading(plainReads),
    withReadCache: () => {
      const { chunks, vectors } = reading(cachedReads())
      const nearest = oneAtATime(vectors.nearest)
      return { ...store, chunks, vectors: { ...vectors, nearest }, rank: oneAtATime(store.rank) }
    },
    chunksOf: async (ref) =>
      chunksIn(
        content.read((db) => readRowsOf(db, ref)),
        createYielder(),
      ),

    rank: async (query) => {
      const input = content.read((db) => {
        const seen = look(db)
        return readForRanking(db, seen, allowedIn(db, seen, query.scope), query)
      })
      return rankWords(content, input, query)
    },

    terms: (query) => {
      const blocks = content.read((db) => readBlocks(db, look(db), query))
      return matchingTerms(blocks, query)
    },

    records: sqliteRecords(database, journal, isValid),
    leases: sqliteLeases(database),

    counts: async () => {
      const sources = database.read((db) => db.sql('SELECT id FROM sources').all()) as { id: string }[]
      return content.read((db) => countAll(db, sources))
    },
    diskUse: async () => content.read(readDiskUse),
    version: async () => {
      const { epoch, vectors } = content.read(stateOf)
      return shared ? `${database.read(stateOf).epoch}.${epoch}.${vectors}` : `${epoch}.${vectors}`
    },
    settle: async (signal) => {
      dictionary = new Dictionary()
      if (shared) await sweep(shared, known)
      await mergeSegments(content, known, signal)
      await tidySigns(content)
      await tidyJournal(database)
      await database.checkpoint()
      await shared?.checkpoint()
    },
    close: async () => {
      await shared?.close()
      await database.close()
    },
  }
  return store
}

function openShared(folder: string, place: string): Database {
  return openDatabase(folder, undefined, {
    worktree: { id: ensureDataFolderId(place), place },
    settings: sharedSettings,
  })
}

function sharedDocuments(content: Database, now: () => number): SharedDocuments {
  return {
    versions: async (source, reader) => {
      const into: Hashes = new Map()
      for (let after: number | null = 0; after !== null; await nextTurn()) {
        const from: number = after
        after = content.read((db) => readVersions(db, { source, reader }, { after: from, into }))
      }
      return into
    },
    adopt: (files) =>
      content.write(async (db, yieldIfDue) => {
        const adopted = await adoptDocuments(db, files, { yieldIfDue, now: now() })
        if (adopted.some((one) => one !== null)) advance(db, 'epoch')
        return adopted
      }),
  }
}

function isSource(db: Connection, id: string): boolean {
  return db.sql('SELECT 1 FROM sources WHERE id = ?').get(id) !== undefined
}

function dropSource(db: Connection, id: string): boolean {
  const gone = Number(db.sql('DELETE FROM sources WHERE id = ?').run(id).changes) > 0
  if (gone) advance(db, 'epoch')
  return gone
}

// One query at a time: ten at once, each in small steps, would take their steps all in the same turn of the event loop.
function oneAtATime<Query, Answer>(
  ask: (query: Query) => Promise<Answer>,
): (query: Query) => Promise<Answer> {
  const yieldIfDue = createYielder()
  const lock = createLocalMutex()
  return (query) =>
    lock(async () => {
      await yieldIfDue()
      return ask(query)
    })
}

function countAll(db: Connection, sources: { id: string }[]): StoreCounts {
  const rows = db
    .sql(
      'SELECT source, count(*) AS documents, sum(chunk_count) AS chunks, sum(chars) AS chars FROM documents GROUP BY source',
    )
    .all() as { source: string; documents: number; chunks: number; chars: number }[]
  const counted = new Map(rows.map((row) => [row.source, { documents: row.documents, chunks: row.chunks }]))
  const sum = (key: 'documents' | 'chunks' | 'chars') => rows.reduce((total, row) => total + row[key], 0)
  return {
    sources: sources.length,
    documents: sum('documents'),
    chunks: sum('chunks'),
    chars: sum('chars'),
    bySource: Object.fromEntries(
      sources.map(({ id }) => [fromDatabase(id), counted.get(id) ?? { documents: 0, chunks: 0 }]),
    ),
  }
}

/** Throws a Problem about the first document that cannot be stored. */
export function validateDocuments(
  documents: readonly IndexedDocument[],
  knowsSource: (id: string) => boolean,
): void {
  for (const document of documents) {
    const fault = faultOf(document, knowsSource)
    if (fault === null) continue
    const { source, path } = document.ref
    throw new Problem(
      'invalid_document',
      `${JSON.stringify(path)} of source ${JSON.stringify(source)} cannot be stored: ${fault}.`,
    )
  }
}

function faultOf(document: IndexedDocument, knowsSource: (id: string) => boolean): string | null {
  const { ref, text, chunks, words, readAt } = document
  if (ref.path === '') return 'its path is empty'
  if (ref.path.includes('\0')) return 'its path has a NUL character'
  // No database keeps half a surrogate pair in a key: two such paths would become one.
  if (/\p{Surrogate}/u.test(ref.path)) return 'its path has half a surrogate pair'
  if (!knowsSource(ref.source)) return 'there is no such source'
  if (!Number.isFinite(readAt)) return 'it is not said when it was read'
  for (const [index, chunk] of chunks.entries()) {
    const fault = chunkFault(chunk, text.length, words.length)
    if (fault !== null) return `chunk ${index} ${fault}`
  }
  return null
}

function chunkFault(chunk: IndexedChunk, textLength: number, words: number): string | null {
  const { start, end, line, endLine, hash, terms } = chunk
  if (!isCount(start) || !isCount(end)) return `lies at ${start} to ${end}`
  if (end < start) return `ends at ${end}, before its start at ${start}`
  if (end > textLength) return `ends at ${end}, beyond the text (${textLength} characters)`
  if (!isCount(line) || line < 1 || !isCount(endLine) || endLine < line)
    return `has lines ${line} to ${endLine}`
  if (hash === '') return 'has no hash'
  if (terms.counts.length !== fields.length * terms.places.length)
    return `has ${terms.counts.length} counts for ${terms.places.length} words`
  if (beyond(terms.places, words)) return `has a word beyond the document's ${words}`
  if (terms.lengths.length !== fields.length || !terms.lengths.every(isCount)) {
    return `has field lengths ${terms.lengths.join(', ')}`
  }
  return null
}

function beyond(places: Uint32Array, words: number): boolean {
  for (let i = 0; i < places.length; i++) if (places[i]! >= words) return true
  return false
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
