// One of several processes that add packages at once, to one project or, by its own file, to one user, and take some of
// them out again.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagePlaces } from '../../src/answer/configured-packages.js'
import { openLibrary } from '../../src/app/open.js'
import { addPackage, removePackage } from '../../src/toolsets/packages/configured.js'
import { settingsFor } from '../support/world.js'

const [root, name, count, own] = process.argv.slice(2) as [string, string, string, string?]
const settings = settingsFor(root)
const contexts = { ...settings.contexts, ...(own && { global: own }) }
const library = await openLibrary({ ...settings, contexts, sources: [] })
const places = packagePlaces(library)
for (let i = 0; i < Number(count); i++) {
  const alias = `${name}${i}`
  mkdirSync(join(own ? dirname(own) : root, alias), { recursive: true })
  await addPackage(library, places, { url: `./${alias}`, alias, global: own !== undefined })
  if (i % 2 === 1) await removePackage(library, places, alias)
}
await library.close()
