// Flips bits in stored bytes and prints what came of each flip. A process of its own, which the test ends when it hangs.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem } from '../../src/model/problem.js'
import type { Store } from '../../src/store/port.js'
import { appendEntries, readJournal, unreadableLines } from '../../src/store/sqlite/journal.js'
import {
  BlockWriter,
  eachPosting,
  entries,
  findEntry,
  PostingWriter,
} from '../../src/store/sqlite/postings.js'
import { decode } from '../../src/store/sqlite/rank.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { packDirectory, unpackDirectory } from '../../src/store/sqlite/segments.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { checksums } from '../../src/store/sqlite/stored-values.js'
import { norms } from '../../src/text/bm25.js'
import { readPage, writeDown } from '../../src/toolsets/graph/journal-pages.js'
import { documentOf, stock, vectorOf, wordsOf } from '../contract/sample.js'
import { seeded } from '../support/seeded.js'

export interface Outcome {
  what: string
  /** What was asked gave the same, another answer, a Problem, or an error that is none. */
  answer: 'same' | 'different' | 'problem' | string
  /** What the audit says. */
  damage: string[]
}

const [what, folder] = process.argv.slice(2) as [string, string]
const random = seeded(28)
const pick = (below: number) => Math.floor(random() * below)
const ways: Record<string, () => Promise<Outcome[]> | Outcome[]> = {
  decoders: flipDecoders,
  rows: flipRows,
  pages: flipPages,
  journal: flipJournal,
  renames: flipRenames,
}
const outcomes = await ways[what]!()
process.stdout.write(JSON.stringify(outcomes))

// --- Decoders, without a checksum before them

function flipDecoders(): Outcome[] {
  const words = ['ant', 'bee', 'cat', 'élan', 'zoo']
  const chunks = 300
  const directory = {
    chunks: Int32Array.from({ length: chunks }, (_, i) => i + 1),
    documents: Int32Array.from({ length: chunks }, (_, i) => (i >> 2) + 1),
    lengths: new Uint16Array(chunks * 4).fill(9),
  }
  const segment = { id: 1, directory, dead: new Uint8Array((chunks + 7) >> 3), deadCount: 0 }
  const out = new BlockWriter()
  for (const [i, word] of words.entries()) {
    const list = new PostingWriter()
    for (let ordinal = i; ordinal < chunks; ordinal += 1 + i * 7)
      if (ordinal % 3 === 0) list.add(ordinal, [ordinal % 5, 0, 300, 1])
      else list.addOnce(ordinal)
    out.add(word, list)
  }
  out.flush()
  const block = out.full[0]!.data
  const measure = norms({ chunks, averages: [9, 9, 9, 9] }, [1, 1, 1, 1])
  const read = (bytes: Uint8Array) => {
    const found: unknown[] = []
    for (const entry of entries(bytes)) {
      eachPosting(entry.postings, (ordinal, counts) => found.push([ordinal, ...counts]))
      const list = new PostingWriter()
      list.append(entry, 7)
      found.push(entry.term, list.last)
    }
    for (const word of words) {
      const entry = findEntry(bytes, Buffer.from(word))
      found.push(entry && decode(segment, entry.postings, entry.chunks, measure).live)
    }
    return found
  }
  const packed = packDirectory(directory)
  return [
    ...eachDamage(block).map(([name, bytes]) => tried(`block, ${name}`, () => read(bytes))),
    ...eachDamage(packed.subarray(0, 64)).map(([name, bytes]) =>
      tried(`directory, ${name}`, () => unpackDirectory(bytes, 4)),
    ),
  ]
}

/** Every bit flipped, every length cut to, and bytes of all ones and of all zeros. */
function eachDamage(bytes: Uint8Array): [string, Uint8Array][] {
  const damaged: [string, Uint8Array][] = []
  for (let bit = 0; bit < bytes.length * 8; bit++) damaged.push([`bit ${bit}`, flipped(bytes, bit)])
  for (let length = 0; length < bytes.length; length++)
    damaged.push([`cut to ${length}`, bytes.slice(0, length)])
  for (const byte of [0, 127, 128, 255]) damaged.push([`all ${byte}`, bytes.slice().fill(byte)])
  return damaged
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

function tried(name: string, work: () => unknown): Outcome {
  try {
    work()
    return { what: name, answer: 'different', damage: [] }
  } catch (error) {
    return { what: name, answer: answerOf(error), damage: [] }
  }
}

function answerOf(error: unknown): string {
  if (error instanceof Problem) return 'problem'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// --- A small index

/** Two segments, one of them with dead chunks; vectors; records of our own and of the other kind. */
async function makeIndex(at: string) {
  const store = await openSqliteStore({ folder: at })
  const names = Array.from({ length: 24 }, (_, i) => `guide/page-${i}.md`)
  const documents = names.map((path, i) =>
    documentOf(path, [
      { body: `lantern number${i} wick oil `.repeat(1 + (i % 4)), title: `page ${i}`, headings: 'Light' },
      { body: `brass ${'polish '.repeat(i)}clockwork gear${i % 5}`, names: `gear${i}`, language: 'ts' },
      `plain words of ${i} and \u{10ffff} \0 ünïcode`,
    ]),
  )
  await stock(store, documents.slice(0, 14))
  await store.replace(documents.slice(14))
  await store.forget([documents[3]!.ref, documents[20]!.ref])
  const pending = await store.vectors.pending('model-a', 1000)
  await store.vectors.put(
    'model-a',
    pending.map(({ chunk, hash, text }) => ({ chunk, hash, vector: vectorOf(text) })),
  )
  for (let i = 0; i < 12; i++) await store.records.put('keepsake', `d${i}`, { content: `the ${i}th thing` })
  await store.records.put('~run', 'last', { at: 12345, files: 22 })
  await store.settle()
  await store.close()
}

/** All that a store can be asked, as one text. */
async function askAll(store: Store): Promise<string> {
  const sources = await store.sources()
  const list = await store.documents({}, { offset: 0, limit: 100 })
  const answers: unknown[] = [sources, list, await store.counts()]
  for (const { id } of sources) answers.push([...(await store.fingerprints(id))], await store.noted(id))
  for (const { ref } of list.documents) answers.push(await store.document(ref), await store.chunksOf(ref))
  for (const terms of ['lantern wick', 'clockwork gear3 number7', 'polish', 'ünïcode plain'])
    for (const scope of [{}, { under: ['guide'] }, { languages: ['ts'] }, { tags: ['sample'] }]) {
      const { ranks } = await store.rank(wordsOf(terms, { scope, limit: 20 }))
      answers.push(ranks, await store.chunks(ranks.map(({ chunk }) => chunk)))
    }
  const vector = vectorOf('a question')
  const nearest = await store.vectors.nearest({ model: 'model-a', vector, scope: {}, limit: 10 })
  answers.push(nearest, await store.vectors.counts())
  const cosines = nearest.map(({ chunk }) => chunk)
  answers.push([...(await store.vectors.cosines('model-a', vector, cosines))])
  answers.push(await store.records.all('keepsake'), await store.records.all('~run'))
  return JSON.stringify(answers)
}

async function ask(at: string): Promise<string> {
  const store = await openSqliteStore({ folder: at })
  try {
    return await askAll(store)
  } finally {
    await store.close()
  }
}

/** Copies the index again and again, harms each copy, and asks it everything. */
async function harmed(many: number, harm: (file: string, n: number) => string | null): Promise<Outcome[]> {
  const [origin, copy] = [join(folder, 'origin'), join(folder, 'copy')]
  await makeIndex(origin)
  const expected = await ask(origin)
  const outcomes: Outcome[] = []
  for (let n = 0; n < many; n++) {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    for (const name of ['index.sqlite', 'records.jsonl']) copyFileSync(join(origin, name), join(copy, name))
    const what = harm(join(copy, 'index.sqlite'), n)
    if (what === null) continue
    let answer: Outcome['answer']
    try {
      answer = (await ask(copy)) === expected ? 'same' : 'different'
    } catch (error) {
      answer = answerOf(error)
    }
    outcomes.push({ what, answer, damage: damageIn(copy) })
  }
  return outcomes
}

function damageIn(at: string): string[] {
  try {
    return auditIndex(at)
  } catch (error) {
    if (error instanceof Problem) return [error.message]
    throw error
  }
}

/** One bit in one column of one row, of every column that a checksum covers and of the checksums themselves. */
function flipRows(): Promise<Outcome[]> {
  const columns = Object.entries(checksums).flatMap(([table, sums]) =>
    Object.entries(sums).flatMap(([sum, covered]) => [sum, ...covered].map((column) => ({ table, column }))),
  )
  return harmed(columns.length * 3, (file, n) => {
    const { table, column } = columns[n % columns.length]!
    const db = new DatabaseSync(file)
    try {
      const rows = db.prepare(`SELECT ${column} AS value FROM ${table} ORDER BY 1`).all() as {
        value: unknown
      }[]
      const known = rows.filter(({ value }) => value !== null && value !== '')
      if (known.length === 0) return null
      const { value } = known[pick(known.length)]!
      const other = otherThan(value)
      // As if on the disk: indexes are made anew afterwards, so that the checksum alone can tell.
      const { changes } = db
        .prepare(`UPDATE OR IGNORE ${table} SET ${column} = ?1 WHERE ${column} = ?2 AND ?1 <> ?2`)
        .run(other as string, value as string)
      if (Number(changes) === 0) return null
      return `${table}.${column}: ${brief(value)} → ${brief(other)}`
    } finally {
      db.close()
    }
  })
}

function otherThan(value: unknown): unknown {
  if (value instanceof Uint8Array) return flipped(value, pick(value.length * 8))
  if (typeof value === 'number')
    return Number.isInteger(value) ? value + 2 ** pick(20) : value * (1 + 2 ** -pick(40))
  const text = String(value)
  const at = pick(text.length)
  return `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ (1 << pick(3)))}${text.slice(at + 1)}`
}

function brief(value: unknown): string {
  return value instanceof Uint8Array ? `${value.length} bytes` : String(value).slice(0, 40)
}

/** One bit anywhere in the file. */
function flipPages(): Promise<Outcome[]> {
  return harmed(320, (file, n) => {
    const bytes = readFileSync(file)
    // The header and the definitions of the tables more often than the rest.
    const bit = pick((n % 8 === 0 ? 100 : n % 8 === 1 ? 4096 : bytes.length) * 8)
    writeFileSync(file, flipped(bytes, bit))
    return `bit ${bit % 8} of byte ${bit >> 3} of ${bytes.length}`
  })
}

// --- The journal of records

function flipJournal(): Outcome[] {
  mkdirSync(folder, { recursive: true })
  const all = Array.from({ length: 8 }, (_, i) => ({
    kind: 'keepsake',
    id: `d${i}`,
    value: { content: `ünïcode thing ${i}`, at: i * 1.5 },
  }))
  appendEntries(folder, all)
  const file = join(folder, 'records.jsonl')
  const bytes = readFileSync(file)
  const before = new Map([...readJournal(folder)].map(([key, entry]) => [key, JSON.stringify(entry)]))
  const outcomes: Outcome[] = []
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    writeFileSync(file, flipped(bytes, bit))
    const now = [...readJournal(folder)]
    const same = now.length === before.size
    const wrong = now.some(([key, entry]) => before.get(key) !== JSON.stringify(entry))
    const damage = unreadableLines(folder).map((line) => `line ${line}`)
    outcomes.push({ what: `bit ${bit}`, answer: wrong ? 'different' : same ? 'same' : 'problem', damage })
  }
  return outcomes
}

// --- What a rename has left to do

async function flipRenames(): Promise<Outcome[]> {
  const page = {
    ...{
      source: 'notes',
      from: 'old name.md',
      to: 'new name.md',
      title: 'New name',
      before: 'a1',
      after: 'b2',
    },
    mark: '0123456789ab',
    files: [{ path: 'links.md', swaps: [['[[old name]]', '[[new name]]'] as [string, string]] }],
  }
  mkdirSync(folder, { recursive: true })
  const file = await writeDown(folder, page)
  const bytes = readFileSync(file)
  const expected = JSON.stringify(await readPage(file))
  const outcomes: Outcome[] = []
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    writeFileSync(file, flipped(bytes, bit))
    let answer: string
    try {
      const read = (await readPage(file)) as unknown as Record<string, unknown>
      // A flip in the name of the checksum leaves the rest as it was.
      const known = Object.fromEntries(Object.keys(page).map((name) => [name, read[name]]))
      answer = JSON.stringify(known) === expected ? 'same' : 'different'
    } catch (error) {
      answer = answerOf(error)
    }
    outcomes.push({ what: `bit ${bit}`, answer, damage: [] })
  }
  return outcomes
}
