// Writes on every road at once until it is killed. Each line it prints is an acknowledgement: [road, name].
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packagePlaces } from '../../src/answer/configured-packages.js'
import { setupClient } from '../../src/surfaces/cli/setup/setup.js'
import { rememberDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { updateNode } from '../../src/toolsets/graph/writing.js'
import { importSource } from '../../src/toolsets/knowledge/bundle/import-source.js'
import { addDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { addAndSync } from '../../src/toolsets/packages/add.js'
import { removePackage } from '../../src/toolsets/packages/configured.js'
import { syncPackages } from '../../src/toolsets/packages/sync.js'
import { openForTest, settingsFor, write } from '../support/world.js'

const [root, round, hub] = process.argv.slice(2) as [string, string, string]
const library = await openForTest(settingsFor(root))
const places = packagePlaces(library)
const say = (road: string, name: string) => process.stdout.write(`${JSON.stringify([road, name])}\n`)

type Road = (name: string, n: number) => Promise<void>

const roads: Record<string, Road> = {
  async setup(name) {
    const home = join(root, '..', 'home')
    setupClient({ client: 'windsurf', home, cwd: join(root, name), command: ['carrel'], env: {} })
    say('setup', name)
  },
  async packages(name, n) {
    const outside = join(root, '..', 'packages', name)
    write(outside, { 'a.md': `# Package ${name}\n` })
    await addAndSync(library, places, { url: outside, alias: name, typed: true })
    say('add', name)
    write(outside, { 'b.md': `# More of ${name}\n` })
    await syncPackages(library, places, { aliases: [name] })
    say('sync', name)
    if (n % 2 === 0) return
    // Said before, since a kill may come between the removal and its acknowledgement.
    say('removing', name)
    await removePackage(library, places, name)
    say('remove', name)
  },
  async memory(name) {
    const content = `The lamp of deck ${name} is lit by the watch named ${name}`
    const { discovery } = await rememberDiscovery(library, { type: 'pattern', content })
    say('memory', discovery.id)
  },
  async upload(name) {
    await addDocument(library, { title: name, content: `# ${name}\n\nUploaded as ${name}.\n` })
    say('upload', name)
  },
  async import(name) {
    await importSource(library, { file: join(root, '..', 'birds.carrel.gz'), cwd: root, as: `birds ${name}` })
    say('import', `birds ${name}`)
  },
  async rename(_name, n) {
    const at = Number(hub) + n
    await updateNode(library, { id: `hub-${at}.md`, title: `Hub ${at + 1}` })
    say('rename', String(at + 1))
  },
}

say('ready', '')
await Promise.all(
  Object.values(roads).map(async (road) => {
    for (let n = 0; ; n++) {
      await road(`r${round}n${n}`, n)
      // Some roads never wait: the others get their turn.
      await sleep(10)
    }
  }),
)
