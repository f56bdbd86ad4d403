// Projects with packages, as the tests of packages need them.
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listDocuments } from '../../src/answer/collections.js'
import type { PackagePlaces } from '../../src/answer/configured-packages.js'
import { isMiss } from '../../src/answer/find-passages.js'
import { search } from '../../src/answer/search.js'
import { addAndSync } from '../../src/toolsets/packages/add.js'
import { type PackageReport, syncPackages } from '../../src/toolsets/packages/sync.js'
import { runOn } from '../cli-stage.js'
import { type Files, openForTest, settingsFor, temporaryFolder, world, write } from '../support/world.js'

export async function project(t: TestContext, files: Files, allow = { outside: true, network: false }) {
  const { root, library } = await world(t, files, { sources: [] })
  const places: PackagePlaces = {
    project: join(root, 'context.json'),
    global: join(root, 'own/context.json'),
    allow,
  }
  const sync = (options: Parameters<typeof syncPackages>[2] = {}) => syncPackages(library, places, options)
  const add = (url: string, alias = 'docs') => addAndSync(library, places, { url, alias })
  const ids = async (collection = 'docs') => {
    const list = await listDocuments(library, { collection, offset: 0, limit: 100 })
    return isMiss(list) ? list.miss : list.documents.map(({ path }) => path)
  }
  /** A command line, as somebody types it in the project. */
  const typed = (...argv: string[]) => {
    const settings = { ...library.settings, allow: { ...library.settings.allow, ...allow } }
    return runOn(
      { services: { open: async () => ({ ...library, settings, close: async () => {} }) } },
      ...argv,
    )
  }
  return { root, library, places, sync, add, ids, typed }
}

/** Projects that keep their index in one folder. */
export async function sharing(
  t: TestContext,
  ...projects: { files: Files; packages: Record<string, string> }[]
) {
  const folder = temporaryFolder(t)
  return Promise.all(
    projects.map(async ({ files, packages }, n) => {
      const root = join(folder, `p${n}`)
      const collections = Object.fromEntries(Object.entries(packages).map(([alias, url]) => [alias, { url }]))
      write(root, { ...files, 'context.json': JSON.stringify({ collections }) })
      const library = await openForTest({ ...settingsFor(root), data: join(folder, 'data'), sources: [] })
      t.after(() => library.close())
      const places = {
        project: join(root, 'context.json'),
        global: join(root, 'own/context.json'),
        allow: { outside: true, network: false },
      }
      const names = async () => (await library.store.sources()).map(({ name }) => name).sort()
      const found = async () =>
        (await search(library, { query: 'yak' })).hits
          .map(({ collection, document }) => `${collection}:${document}`)
          .sort()
      return { root, library, places, names, found, sync: () => syncPackages(library, places) }
    }),
  )
}

export const manifest = (sources: unknown, more: object = {}) =>
  JSON.stringify({ name: 'handbook', version: '1.0.0', description: 'How we work', sources, ...more })

export const counts = ({ added, updated, unchanged, removed }: PackageReport) => [
  added,
  updated,
  unchanged,
  removed,
]
