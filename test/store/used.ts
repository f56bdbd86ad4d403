// A project that was used: indexed, with a record of the user's own.
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { openForTest, type settingsFor, world, write } from '../support/world.js'

/** An indexed project with a record of the user's own, closed again. */
export async function used(t: TestContext) {
  const w = await world(t)
  for (let n = 0; n < 60; n++)
    write(w.root, { [`p${n}.md`]: `# Page ${n}\n\n${`lantern word${n} `.repeat(120)}\n` })
  await indexAll(w.library, {})
  await w.library.store.records.put('keepsake', 'd1', { content: 'wicks burn at both ends' })
  await w.library.close()
  return { ...w, file: join(w.settings.data, 'index.sqlite') }
}

export async function index(settings: ReturnType<typeof settingsFor>) {
  const library = await openForTest(settings)
  try {
    await indexAll(library, {})
    const { hits } = await search(library, { query: 'lantern' })
    return {
      hits: hits.length,
      record: await library.store.records.get<{ content: string }>('keepsake', 'd1'),
    }
  } finally {
    await library.close()
  }
}
