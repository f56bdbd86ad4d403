// One of several processes that add packages to one project at once, and take some of them out again.
import { openLibrary } from '../../src/app/open.js'
import { addPackage, removePackage } from '../../src/services/packages/configured.js'
import { settingsFor } from '../support/world.js'

const [root, name, count] = process.argv.slice(2) as [string, string, string]
const library = await openLibrary({ ...settingsFor(root), sources: [] })
const places = {
  project: `${root}/context.json`,
  global: `${root}/own/context.json`,
  allow: { outside: true, network: false },
}
for (let i = 0; i < Number(count); i++) {
  const alias = `${name}${i}`
  await addPackage(library, places, { url: `./${alias}`, alias })
  if (i % 2 === 1) await removePackage(library, places, alias)
}
await library.close()
