import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { docx, endlessPdf, paragraph, pdf, sheetRows, xlsx } from '../../../test/support/office-files.js'
import { standStill } from '../../../test/support/stand-still.js'
import { temporaryFolder } from '../../../test/support/world.js'
import { Problem } from '../../model/problem.js'
import { hashOf } from '../../text/hash.js'
import { unpack } from '../task.js'
import { type ConvertPool, convertPool } from './convert-pool.js'
import type { ConvertTask } from './convert-task.js'

const hello: ConvertTask = { bytes: docx(paragraph('Hello there')), path: 'a.docx', format: 'docx' }
const small: ConvertTask = { bytes: Buffer.from('a,b\n1,2\n'), path: 'a.csv', format: 'csv' }
const endless: ConvertTask = { bytes: endlessPdf(), path: 'endless.pdf', format: 'pdf' }

describe('a pool of converting processes', () => {
  test('converts bytes and files', async (t) => {
    const pool = open(t)
    const file = join(temporaryFolder(t), 'b.docx')
    writeFileSync(file, docx(paragraph('From a file')))
    assert.equal((await pool.convert(hello)).text, 'Hello there')
    assert.equal((await pool.convert({ file, path: 'b.docx', format: 'docx' })).text, 'From a file')
  })

  test('hands back more documents than it has processes, each to its caller', async (t) => {
    const pool = open(t)
    const all = Array.from({ length: 12 }, (_, i) => `document ${i}`)
    const found = await Promise.all(
      all.map((text) => pool.convert({ bytes: docx(paragraph(text)), path: 'a.docx', format: 'docx' })),
    )
    assert.deepEqual(
      found.map(({ text }) => text),
      all,
    )
  })

  test('kills a conversion that takes too long, without harm to the next document', async (t) => {
    const pool = open(t, { processes: 1, timeMs: 1_200, memoryMb: 4_096 })
    const [slow, next] = await Promise.allSettled([pool.convert(endless), pool.convert(small)])
    assert.deepEqual(reason(slow), ['too_slow', 'Reading it took longer than 1.2 s.'])
    assert.equal(next.status, 'fulfilled')
  })

  test('does not count the time during which this process is suspended', async (t) => {
    const pool = open(t, { processes: 1, timeMs: 1_000 })
    await pool.convert(small)
    await nextTurn()
    const converted = pool.convert(small)
    standStill(2_200)
    assert.equal((await converted).format, (await pool.convert(small)).format)
  })

  test('kills a conversion that takes too much native memory, which no limit of the engine sees', async (t) => {
    const pool = open(t, { processes: 1, memoryMb: 160 })
    const [large, next] = await Promise.allSettled([pool.convert(endless), pool.convert(small)])
    assert.deepEqual(reason(large), ['too_much_memory', 'Reading it took more than 160 MB of memory.'])
    assert.equal(next.status, 'fulfilled')
  })

  test('survives a document whose conversion fills the heap', async (t) => {
    const pool = open(t, { processes: 1, memoryMb: 200 })
    const body = Array.from({ length: 150_000 }, (_, i) => paragraph(`word ${i}`)).join('')
    const large: ConvertTask = { bytes: docx(body), path: 'large.docx', format: 'docx' }
    const [filled, next] = await Promise.allSettled([pool.convert(large), pool.convert(small)])
    assert.equal(reason(filled)[0], 'too_much_memory')
    assert.equal(next.status, 'fulfilled')
  })

  test('rejects with the reason when a file cannot be read, is a link, or is too large', async (t) => {
    const pool = open(t, { inputBytes: 10_000 })
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'large.pdf'), Buffer.alloc(20_000))
    symlinkSync('/etc/passwd', join(folder, 'link.pdf'))
    const convert = (name: string) => pool.convert({ file: join(folder, name), path: name, format: 'pdf' })
    const bytes = pool.convert({ bytes: Buffer.alloc(20_000), path: 'a.pdf', format: 'pdf' })
    const tried = await Promise.allSettled([
      convert('nowhere.pdf'),
      convert('link.pdf'),
      convert('large.pdf'),
      bytes,
    ])
    assert.deepEqual(
      tried.map((one) => reason(one)[1]),
      [
        'It is not there any more.',
        'It leads out of the folder through a link.',
        'It is larger than the limit of 0.0 MB that limits.documentSize sets (0.0 MB).',
        'It is larger than the limit of 0.0 MB that limits.documentSize sets (0.0 MB).',
      ],
    )
  })

  test('cuts a text that is too long, and the structure that points into it, with a note', async (t) => {
    const pool = open(t, { outputBytes: 5_000 })
    const body = Array.from({ length: 400 }, (_, i) => paragraph(`Grüße number ${i}`)).join('')
    const { text, blocks, notes } = await pool.convert({ bytes: docx(body), path: 'a.docx', format: 'docx' })
    assert.ok(Buffer.byteLength(text) <= 5_000 && Buffer.byteLength(text) > 4_000)
    assert.ok(blocks.every(({ end, endLine }) => end <= text.length && endLine <= text.split('\n').length))
    assert.match(notes[0]!.message, /^Only the first \d+ of \d+ bytes of its text are kept\.$/)
  })

  test('reads a file of a folder as a parsing thread does: ready for the store', async (t) => {
    const pool = open(t)
    const root = temporaryFolder(t)
    const bytes = xlsx({
      Ferries: sheetRows([
        ['Name', 'Seats'],
        ['Marta', 120],
      ]),
    })
    writeFileSync(join(root, 'fleet.xlsx'), bytes)
    writeFileSync(join(root, 'bad.docx'), 'nothing')
    writeFileSync(join(root, 'old.rtf'), '{\\rtf1 x}')
    const task = { root, source: 's', maxBytes: 1e6, knownHash: null }
    const reading = await pool.read({ ...task, path: 'fleet.xlsx' })
    assert.ok(reading.state === 'read')
    const document = unpack(reading.document)
    assert.equal(document.format, 'xlsx')
    assert.equal(document.hash, hashOf(bytes))
    assert.equal(document.title, 'Fleet')
    assert.ok(document.words.includes('marta'))
    assert.equal((await pool.read({ ...task, path: 'fleet.xlsx', knownHash: hashOf(bytes) })).state, 'same')
    assert.deepEqual(await pool.read({ ...task, path: 'bad.docx' }), {
      state: 'skipped',
      reason: 'The file says .docx, but it is plain text.',
    })
    assert.equal((await pool.read({ ...task, path: 'old.rtf' })).state, 'skipped')
    assert.deepEqual(await pool.read({ ...task, path: 'gone.pdf' }), { state: 'gone' })
  })

  test('prepares bytes that came without a file, whatever their name', async (t) => {
    const pool = open(t)
    const raw = {
      ref: { source: 's', path: 'downloads/42' },
      bytes: pdf([[[11, 'Hello there']]]),
      stamp: null,
      readAt: 1,
    }
    const document = await pool.prepare({ ...raw, title: 'Mine', metadata: { url: 'x' } })
    assert.deepEqual(
      [document.title, document.format, document.metadata.url, document.metadata.pages],
      ['Mine', 'pdf', 'x', 1],
    )
  })

  test('stops one document or all at once on request', async (t) => {
    const pool = open(t, { processes: 1 })
    const stop = new AbortController()
    const running = pool.convert(endless, stop.signal)
    const waiting = pool.convert(endless, stop.signal)
    const other = pool.convert(hello)
    setTimeout(() => stop.abort(new Error('enough')), 300)
    await assert.rejects(running, /enough/)
    await assert.rejects(waiting, /enough/)
    assert.equal((await other).text, 'Hello there')
    const last = pool.convert(endless)
    await pool.close()
    await assert.rejects(last, (error) => error instanceof Problem && error.code === 'stopped')
    await assert.rejects(pool.convert(hello), (error) => error instanceof Problem && error.code === 'stopped')
  })

  test('ends with the process that opened it, idle or at work, and does not keep it alive', async (t) => {
    for (const state of ['idle', 'busy', 'killed'] as const) {
      const folder = temporaryFolder(t)
      const parent = await runParent(folder, state)
      await eventually(
        () => parent.children.every((pid) => !isAlive(pid)),
        `${state}: a process outlived its parent`,
      )
    }
  })

  test('gives its processes nothing of the environment and no folder of ours', {
    skip: !existsSync('/proc/self/environ') && 'needs /proc',
  }, async (t) => {
    process.env.CARREL_TEST_SECRET = 'hush'
    t.after(() => delete process.env.CARREL_TEST_SECRET)
    const pool = open(t, { processes: 1 })
    await pool.convert(hello)
    const [child] = childrenOf(process.pid).filter((pid) => commandOf(pid).includes('convert-child'))
    assert.ok(child)
    assert.deepEqual(readFileSync(`/proc/${child}/environ`, 'latin1').split('\0').filter(Boolean), ['TZ=UTC'])
  })
})

function open(t: TestContext, options: Partial<Parameters<typeof convertPool>[0]> = {}): ConvertPool {
  const pool = convertPool({ processes: 2, timeMs: 30_000, ...options })
  t.after(() => pool.close())
  return pool
}

function reason(settled: PromiseSettledResult<unknown>): [string, string] {
  assert.ok(settled.status === 'rejected' && settled.reason instanceof Problem, JSON.stringify(settled))
  return [settled.reason.code, settled.reason.message]
}

// --- A process of its own that opens a pool, and what became of the processes that it started.

async function runParent(folder: string, state: 'idle' | 'busy' | 'killed'): Promise<{ children: number[] }> {
  writeFileSync(join(folder, 'hello.docx'), docx(paragraph('Hello there')))
  writeFileSync(join(folder, 'endless.pdf'), endlessPdf())
  const program = `
    const { convertPool } = await import(${JSON.stringify(new URL('./convert-pool.js', import.meta.url).href)})
    const pool = convertPool({ processes: 1, timeMs: 60000, memoryMb: 4096 })
    await pool.convert({ file: ${JSON.stringify(join(folder, 'hello.docx'))}, path: 'hello.docx', format: 'docx' })
    process.stdout.write('ready')
    if (${JSON.stringify(state)} !== 'idle') {
      setTimeout(() => process.exit(0), ${state === 'busy' ? 300 : 60_000})
      await pool.convert({ file: ${JSON.stringify(join(folder, 'endless.pdf'))}, path: 'endless.pdf', format: 'pdf' })
    }`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(parent, 'exit')
  await once(parent.stdout, 'data')
  const children = existsSync('/proc') ? childrenOf(parent.pid!) : []
  if (state === 'killed') {
    await sleep(300)
    parent.kill('SIGKILL')
  }
  await exit
  return { children }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid)
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

async function eventually(isTrue: () => boolean, message: string) {
  for (let i = 0; i < 200 && !isTrue(); i++) await sleep(50)
  assert.ok(isTrue(), message)
}
