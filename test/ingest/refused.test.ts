// A file that could not be read is left alone until it changes, unless the reason was not in the file.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { indexAll } from '../../src/app/index-all.js'
import { openReaders, type Readers } from '../../src/ingest/readers.js'
import { reread } from '../../src/ingest/reread.js'
import { type World, world, write } from '../support/world.js'

/** How a changed file is read by a run and by a question about it, one after the other. */
const roads = {
  'a run': async ({ library }: World, readers: Readers) => {
    const { failures } = await indexAll({ ...library, readers }, {})
    return failures[0]?.reason
  },
  'a question': async ({ library, root, settings: { limits } }: World, readers: Readers) => {
    const source = (await library.store.sources())[0]!.id
    const known = (await library.store.fingerprints(source)).get('a.md')!
    const file = { source, path: 'a.md', folder: { path: root }, limits, known }
    const reading = await reread({ ...library, readers }, file)
    return reading.state === 'stale' ? reading.reason : undefined
  },
}

async function changed(t: TestContext): Promise<World> {
  const w = await world(t, { 'a.md': 'alpha' })
  await indexAll(w.library, {})
  write(w.root, { 'a.md': 'gamma rays' })
  return w
}

function withLimit(w: World, fileMs: number): World {
  const settings = { ...w.settings, limits: { ...w.settings.limits, fileMs } }
  return { ...w, settings, library: { ...w.library, settings } }
}

for (const [road, read] of Object.entries(roads))
  describe(`a file that ${road} reads`, () => {
    test('is read again after Carrel was stopped meanwhile', async (t) => {
      const w = await changed(t)
      const readers = openReaders(w.settings.limits)
      await readers.close()
      assert.equal(await read(w, readers), 'Reading was stopped.')
      assert.equal(await read(w, w.library.readers), undefined)
    })

    test('is read again after it took too long, once it may take longer', async (t) => {
      const w = await changed(t)
      const [hasty, patient] = [1, 2].map((fileMs) => withLimit(w, fileMs))
      const readers = openReaders(hasty!.settings.limits)
      t.after(() => readers.close())
      const reason = 'It took longer than 0 s. Raise limits.fileSeconds to give it more.'
      assert.equal(await read(hasty!, readers), reason)
      assert.equal(await read(hasty!, w.library.readers), reason, 'it is not even tried')
      // Right after it was written, no look at it is certain.
      await sleep(100)
      assert.equal(await read(patient!, w.library.readers), undefined)
      assert.equal(await read(hasty!, readers), undefined, 'what was read in the end is not refused')
    })
  })

test('a file that is read while the threads are stopped may be tried again', async (t) => {
  const { root, settings } = await world(t, { 'a.md': 'alpha' })
  const readers = openReaders(settings.limits)
  const reading = readers.read({ root, path: 'a.md', source: 'x', maxBytes: 1000, knownHash: null })
  await readers.close()
  assert.deepEqual(await reading, { state: 'failed', reason: 'Reading was stopped.', passing: true })
})
