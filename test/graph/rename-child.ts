// Renames a note in each of several vaults, over and over and all at once, until it is killed. Says when it is ready, and
// every rename that is done.
import { updateNode } from '../../src/toolsets/graph/writing.js'
import { openForTest, settingsFor } from '../support/world.js'

const starts = process.argv.slice(2).map((arg) => JSON.parse(arg) as { root: string; from: number })
const libraries = await Promise.all(starts.map(({ root }) => openForTest(settingsFor(root))))
process.stdout.write('ready\n')
for (const [i, { from }] of starts.entries()) void renameOn(libraries[i]!, from)

async function renameOn(library: Parameters<typeof updateNode>[0], from: number) {
  for (let at = from; ; at++) {
    await updateNode(library, { id: `hub-${at}.md`, title: `Hub ${at + 1}` })
    process.stdout.write(`${at + 1}\n`)
  }
}
