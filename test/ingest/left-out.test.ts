// Answers report what the index lacks: skipped files, and files that were written since the last run.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { world, write } from '../support/world.js'

const codes = (notes: readonly { code: string }[]) => notes.map(({ code }) => code)

describe('a file over a limit', () => {
  test('is named by status and by an answer that finds nothing, with the limit and its setting', async (t) => {
    const w = await world(t, {
      'huge.md': 'word '.repeat(500_000),
      'good.md': '# Good\n\nStill found.',
      'logo.png': 'x',
    })
    await indexAll(w.library, {})
    const reason = 'It is larger than the limit of 2.0 MB that limits.fileSize sets (2.5 MB).'
    const source = w.library.sources[0]!.name
    assert.deepEqual((await status(w.library)).lastSkipped, [{ source, path: 'huge.md', reason }])
    const nothing = await search(w.library, { query: 'xylophone', mode: 'text' })
    assert.deepEqual(codes(nothing.notes), ['skipped_files'])
    assert.match(nothing.notes[0]!.message, /huge\.md \(It is larger than .*limits\.fileSize.*carrel status/)
    const found = await search(w.library, { query: 'still found', mode: 'text' })
    assert.deepEqual(codes(found.notes), [])
  })

  test('is no longer named when it is gone', async (t) => {
    const w = await world(t, { 'huge.md': 'word '.repeat(500_000), 'good.md': 'Still found.' })
    await indexAll(w.library, {})
    rmSync(join(w.root, 'huge.md'))
    await indexAll(w.library, {})
    assert.deepEqual((await status(w.library)).lastSkipped, [])
    assert.deepEqual((await search(w.library, { query: 'xylophone', mode: 'text' })).notes, [])
  })
})

describe('a search that is not watching', () => {
  const answer = (w: Awaited<ReturnType<typeof world>>) =>
    search(w.library, { query: 'lantern', mode: 'text', limit: 100, lookForNew: true })
  const ask = async (w: Awaited<ReturnType<typeof world>>) => (await answer(w)).notes

  test('finds files that were written since the last run', async (t) => {
    const w = await world(t, { 'a.md': 'a lantern', 'b.md': 'another', 'logo.png': 'x' })
    await indexAll(w.library, {})
    assert.deepEqual(await ask(w), [])
    write(w.root, { 'new.md': 'a lantern too', 'b.md': 'another lantern', 'new.png': 'y' })
    const { hits, notes } = await answer(w)
    assert.deepEqual(notes, [])
    assert.deepEqual(hits.map(({ document }) => document).sort(), ['a.md', 'b.md', 'new.md'])
  })

  test('reports files that were written since the last run if there are many, and none in an unchanged tree', async (t) => {
    const w = await world(t, { 'a.md': 'a lantern', 'b.md': 'another', 'logo.png': 'x' })
    await indexAll(w.library, {})
    const many = Array.from({ length: 51 }, (_, i) => [`new/${10 + i}.md`, 'a lantern too'])
    write(w.root, { ...Object.fromEntries(many), 'new.png': 'y' })
    const [note, ...others] = await ask(w)
    assert.equal(note?.code, 'new_files')
    assert.equal(
      note?.message,
      'new/10.md, new/11.md, new/12.md and 48 more were written and are not indexed yet: run "carrel index".',
    )
    assert.deepEqual(others, [])
    await indexAll(w.library, {})
    assert.deepEqual(await ask(w), [])
  })

  test('does not count files that were refused, nor a folder that was never indexed', async (t) => {
    const w = await world(t, { 'a.md': 'a lantern', 'fake.md': Uint8Array.from([0, 1, 2, 0, 255, 0, 7]) })
    assert.deepEqual(codes(await ask(w)), ['empty_index'])
    await indexAll(w.library, {})
    assert.deepEqual(await ask(w), [])
  })
})
