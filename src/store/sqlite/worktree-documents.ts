// The documents of a shared store that one worktree has, and the stamps of its files. Everything else about a document is
// in a row that all worktrees share. A fresh worktree differs from the others only in these stamps, so they are packed:
// about five bytes a document.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Stamp } from '../../model/document.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import type { Connection } from './database.js'
import { damagedIndex, intact, seal } from './stored-values.js'

/** The size is in the shared row: the same bytes have the same size. */
export type Seen = Omit<Stamp, 'size' | 'mtimeMs'> & { mtimeMs: number | null; readAt: number }

const columns = ['mtimeMs', 'ctimeMs', 'ino', 'readAt'] as const
/** Documents a page, by id. Changing one document rewrites its page. */
const pageSize = 1024

interface Page {
  has: Uint8Array
  /** A value for each document, column by column. NaN: unknown. */
  values: Float64Array
}

/** The documents of one worktree, as one connection sees them. `load` follows the connection's snapshot. */
export class WorktreeDocuments {
  private pages = new Map<number, Page>()
  private readonly changed = new Set<number>()
  private version = 0

  constructor(
    readonly id: string,
    /** The worktree's data folder. When it is gone, so is the worktree. */
    readonly place: string,
  ) {}

  has(document: number): boolean {
    return this.pages.get(Math.floor(document / pageSize))?.has[document % pageSize] === 1
  }

  seen(document: number): Seen | null {
    if (!this.has(document)) return null
    const { values } = this.pages.get(Math.floor(document / pageSize))!
    const value = (column: number) => values[column * pageSize + (document % pageSize)]!
    const orNull = (number: number) => (Number.isNaN(number) ? null : number)
    const [mtimeMs, ctimeMs, ino] = [orNull(value(0)), orNull(value(1)), orNull(value(2))]
    return { mtimeMs, ctimeMs, ino, readAt: value(3) }
  }

  /** One for each document that the worktree has, by id. */
  marks(): Uint8Array<ArrayBuffer> {
    const last = Math.max(-1, ...this.pages.keys())
    const all = new Uint8Array((last + 1) * pageSize)
    for (const [number, { has }] of this.pages) all.set(has, number * pageSize)
    return all
  }

  add(document: number, { stamp, readAt }: { stamp: Stamp | null; readAt: number }) {
    const page = this.pageFor(document)
    page.has[document % pageSize] = 1
    const seen: Seen = { mtimeMs: null, ctimeMs: null, ino: null, ...stamp, readAt }
    for (const [i, column] of columns.entries())
      page.values[i * pageSize + (document % pageSize)] = seen[column] ?? Number.NaN
  }

  remove(document: number) {
    if (this.has(document)) this.pageFor(document).has[document % pageSize] = 0
  }

  private pageFor(document: number): Page {
    const number = Math.floor(document / pageSize)
    let page = this.pages.get(number)
    if (!page) {
      page = emptyPage()
      this.pages.set(number, page)
    }
    this.changed.add(number)
    return page
  }

  /** Reads what changed since the last time. Call it at the start of each transaction. */
  load(db: Connection) {
    const row = db.sql(`SELECT version, ${intact('worktrees')} FROM worktrees WHERE id = ?`).get(this.id) as
      | { version: number }
      | undefined
    if ((row?.version ?? 0) === this.version) return
    // Versions only grow, unless the worktree was given up meanwhile.
    if (!row || row.version < this.version) this.drop()
    const pages = db
      .sql(
        `SELECT page, data, ${intact('worktree_documents')} FROM worktree_documents WHERE worktree = ? AND version > ?`,
      )
      .all(this.id, this.version) as { page: number; data: Uint8Array }[]
    for (const { page, data } of pages) this.pages.set(page, unpackPage(data))
    this.version = row?.version ?? 0
  }

  /** Writes the changes. Call it at the end of a transaction; `version` is higher than that of any earlier one. */
  save(db: Connection, nextVersion: () => number) {
    if (this.changed.size === 0) return
    const version = nextVersion()
    const { id, place } = this
    db.sql('INSERT OR REPLACE INTO worktrees (id, place, version, sum) VALUES (?, ?, ?, ?)').run(
      id,
      place,
      version,
      seal(id, place, version),
    )
    for (const number of this.changed) {
      const data = packPage(this.pages.get(number)!)
      db.sql(
        'INSERT OR REPLACE INTO worktree_documents (worktree, page, version, data, sum) VALUES (?, ?, ?, ?, ?)',
      ).run(id, number, version, data, seal(id, number, version, data))
    }
    this.changed.clear()
    this.version = version
  }

  /** Forgets everything, so that the next `load` reads it all again: after a transaction that failed. */
  drop() {
    this.pages = new Map()
    this.changed.clear()
    this.version = 0
  }
}

/** Which documents any worktree has: for each page, a byte a document. */
export async function documentsOfAll(
  db: Connection,
  yieldIfDue: YieldIfDue,
): Promise<(document: number) => boolean> {
  const all = new Map<number, Uint8Array>()
  const keys = db.sql('SELECT worktree, page FROM worktree_documents').all() as {
    worktree: string
    page: number
  }[]
  for (const { worktree, page } of keys) {
    const { data } = db
      .sql(
        `SELECT data, ${intact('worktree_documents')} FROM worktree_documents WHERE worktree = ? AND page = ?`,
      )
      .get(worktree, page) as { data: Uint8Array }
    const has = inflate(data).subarray(0, pageSize)
    const marks = all.get(page) ?? new Uint8Array(pageSize)
    for (let i = 0; i < pageSize; i++) marks[i]! |= has[i]!
    all.set(page, marks)
    await yieldIfDue()
  }
  return (document) => all.get(Math.floor(document / pageSize))?.[document % pageSize] === 1
}

function emptyPage(): Page {
  return {
    has: new Uint8Array(pageSize),
    values: new Float64Array(pageSize * columns.length).fill(Number.NaN),
  }
}

// Neighbours were often written at about the same time. Each value is combined with the one before it, which leaves zeros
// in the high bytes, and the bytes of one rank stand together, which deflates well.
function packPage({ has, values }: Page): Uint8Array {
  const bytes = new Uint8Array(values.buffer)
  const plain = Buffer.alloc(pageSize + bytes.length)
  plain.set(has)
  const before = new Uint8Array(8)
  for (let i = 0; i < values.length; i++)
    for (let rank = 0; rank < 8; rank++) {
      const byte = has[i % pageSize] ? bytes[i * 8 + rank]! : before[rank]!
      plain[pageSize + rank * values.length + i] = byte ^ before[rank]!
      before[rank] = byte
    }
  return deflateRawSync(plain, { level: 3 })
}

function unpackPage(data: Uint8Array): Page {
  const page = emptyPage()
  const plain = inflate(data)
  page.has.set(plain.subarray(0, pageSize))
  const bytes = new Uint8Array(page.values.buffer)
  const before = new Uint8Array(8)
  for (let i = 0; i < page.values.length; i++)
    for (let rank = 0; rank < 8; rank++) {
      before[rank]! ^= plain[pageSize + rank * page.values.length + i]!
      bytes[i * 8 + rank] = before[rank]!
    }
  return page
}

function inflate(data: Uint8Array): Buffer {
  const length = pageSize + pageSize * columns.length * 8
  try {
    const plain = inflateRawSync(data, { maxOutputLength: length })
    if (plain.length === length) return plain
  } catch {
    // The caller learns the same from both.
  }
  throw damagedIndex('a page of the documents of a worktree cannot be read')
}
