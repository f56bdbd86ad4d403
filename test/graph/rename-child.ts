// Renames notes of a vault one after the other until it is killed. Says so when it is ready.
import { openLibrary } from '../../src/app/open.js'
import { updateNode } from '../../src/services/graph/writing.js'
import { settingsFor } from '../support/world.js'

const [root, start] = process.argv.slice(2)
const library = await openLibrary(settingsFor(root!))
process.stdout.write('ready\n')
for (let i = Number(start); ; i++) {
  await updateNode(library, { id: `hub-${i}.md`, title: `Hub ${i + 1}` })
  process.stdout.write(`${i + 1}\n`)
}
