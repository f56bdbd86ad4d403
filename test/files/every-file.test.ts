// Broken, locked, fuzzed and ordinary files from other projects' test suites: each is read, or refused with a reason.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type ConvertPool, convertPool } from '../../src/ingest/convert/convert-pool.js'
import type { Parsed } from '../../src/model/document.js'
import { Problem } from '../../src/model/problem.js'
import { officeFormatOf } from '../../src/parse/formats.js'
import { parse } from '../../src/parse/parse.js'
import { projectRoot } from '../support/world.js'

const folder = join(projectRoot, '../shared/data/files')
const limits = { timeMs: 30_000, memoryMb: 512 }

interface Verdict {
  path: string
  found: Parsed | Problem
  ms: number
}

describe('every file of the public collection', {
  skip: !existsSync(folder) && 'the public data is not here',
}, () => {
  const verdicts: Verdict[] = []
  const largest = { rss: 0 }

  before(async () => {
    const pool = convertPool({ processes: 2, ...limits })
    const watch = setInterval(() => {
      largest.rss = Math.max(largest.rss, ...childrenRss())
    }, 100)
    verdicts.push(...(await Promise.all(allFiles(folder).map((path) => judge(pool, path)))))
    clearInterval(watch)
    await pool.close()
  })

  test('is read, or refused with a reason in a sentence', () => {
    assert.ok(verdicts.length > 150)
    for (const { path, found } of verdicts) {
      if (!(found instanceof Problem)) continue
      assert.match(found.message, /^[A-Z].{8,}\.$/s, path)
      assert.ok(refusals.has(found.code), `${path}: ${found.code} ${found.message}`)
    }
  })

  test('takes neither more time nor more memory than it may', () => {
    for (const { path, ms } of verdicts) assert.ok(ms < limits.timeMs + 5_000, `${path} took ${ms} ms`)
    // The watchdog looks twenty times a second, and this test ten times.
    assert.ok(largest.rss < limits.memoryMb * 1_048_576 * 1.25, `${Math.round(largest.rss / 1e6)} MB`)
  })

  test('opens where Poppler opens it, with as many pages and about as much text', () => {
    const rows = popplerRows().filter(({ exit }) => exit === '0')
    assert.ok(rows.length > 20)
    for (const { name, pages, chars } of rows) {
      const { found } = verdicts.find(({ path }) => basename(path) === name)!
      assert.ok(!(found instanceof Problem), `${name}: ${found instanceof Problem && found.message}`)
      assert.equal(found.metadata.pages, pages, name)
      if (chars > 0) assert.ok(found.text.trim() !== '', `${name} has no text`)
      if (chars > 1000)
        assert.ok(Math.abs(found.text.length / chars - 1) < 0.15, `${name}: ${found.text.length} of ${chars}`)
      if (found.text === '') assert.ok(found.notes.length > 0, `${name} does not say that it has no text`)
    }
  })

  test('says so when it is protected by a password', () => {
    const rows = popplerRows().filter(({ error }) => error.includes('Incorrect password'))
    for (const name of [
      ...rows.map((row) => row.name),
      'bug53475-password-is-pass.docx',
      'protected_normal_case.docx',
    ]) {
      const { found } = verdicts.find(({ path }) => basename(path) === name)!
      assert.ok(found instanceof Problem && found.message === 'It is protected by a password.', name)
    }
  })

  test('shows nothing of a file that an entity in it asks for', () => {
    for (const { found } of verdicts) assert.ok(found instanceof Problem || !found.text.includes('root:x:'))
  })
})

const refusals = new Set(['damaged', 'protected', 'unsupported', 'too_large', 'empty', 'binary'])

async function judge(pool: ConvertPool, path: string): Promise<Verdict> {
  const format = officeFormatOf(path)
  const started = Date.now()
  const reading = format
    ? pool.convert({ file: path, path, format })
    : parse({ path, bytes: readFileSync(path) })
  const found = await reading.catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })
  return { path, found, ms: format ? Date.now() - started : 0 }
}

function allFiles(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function popplerRows() {
  const [, ...rows] = readFileSync(join(folder, 'bad-input/expected-poppler.tsv'), 'utf8').trim().split('\n')
  return rows.map((row) => {
    const [path, , exit, pages, chars, , error] = row.split('\t')
    return { name: basename(path!), exit, pages: Number(pages), chars: Number(chars), error: error ?? '' }
  })
}

/** What the processes that we started take, where the system says so. */
function childrenRss(): number[] {
  if (!existsSync('/proc/self/statm')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return parent === process.pid
          ? [Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096]
          : []
      } catch {
        return []
      }
    })
}
