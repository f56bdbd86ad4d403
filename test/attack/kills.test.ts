// A process that writes on every road is killed at random moments. What it acknowledged is there afterwards; no file is
// half written, and nothing is left beside the files.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listDocuments } from '../../src/answer/collections.js'
import { packagePlaces } from '../../src/answer/configured-packages.js'
import type { Library } from '../../src/answer/library.js'
import { allDiscoveries } from '../../src/answer/memory/records.js'
import { allSources } from '../../src/answer/source-records.js'
import { indexAll } from '../../src/app/index-all.js'
import { readConsents } from '../../src/sources/package/consent-file.js'
import { readContext } from '../../src/sources/package/context-file.js'
import { setupClient } from '../../src/surfaces/cli/setup/setup.js'
import { recoverRenames } from '../../src/toolsets/graph/journal.js'
import { blobFolder, blobPath } from '../../src/toolsets/knowledge/blob-store.js'
import { exportSource } from '../../src/toolsets/knowledge/bundle/export-source.js'
import { documentRecords } from '../../src/toolsets/knowledge/document-records.js'
import { addDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { syncPackages } from '../../src/toolsets/packages/sync.js'
import { seeded } from '../support/seeded.js'
import { openForTest, settingsFor, temporaryFolder, write } from '../support/world.js'

const kills = Number(process.env.CARREL_KILLS ?? 6)
const random = seeded(4711)
/** In each round the kill comes some moments after a write of another one. */
const roads = ['remove', 'sync', 'import', 'rename', 'add', 'upload', 'memory', 'setup']
const child = join(dirname(fileURLToPath(import.meta.url)), 'kills-child.js')
const clientFile = '.codeium/windsurf/mcp_config.json'

test('killed at any moment of any write, nothing acknowledged is lost and no file is half written', async (t) => {
  const desk = await prepare(t)
  const acknowledged = new Map<string, Set<string>>()
  for (let round = 0; round < kills; round++) {
    await writeUntilKilled(desk.root, round, acknowledged)
    checkFiles(desk, acknowledged)
  }
  const library = await openForTest(settingsFor(desk.root))
  t.after(() => library.close())
  await checkIndex(library, acknowledged)
  await checkWritable(library, desk)
  for (const road of roads)
    assert.ok(acknowledged.get(road)?.size, `nothing was acknowledged on the road "${road}"`)
  t.diagnostic([...acknowledged].map(([road, { size }]) => `${road} ${size}`).join(', '))
})

interface Desk {
  root: string
  home: string
}

async function prepare(t: TestContext): Promise<Desk> {
  const folder = temporaryFolder(t)
  const [root, home] = [join(folder, 'project'), join(folder, 'home')]
  write(root, { 'hub-0.md': '# Hub 0\n\nText.\n', 'n.md': '[[hub-0|label]]\n' })
  mkdirSync(dirname(join(home, clientFile)), { recursive: true })
  writeFileSync(join(home, clientFile), '{\n  "theirs": true\n}\n')
  const library = await openForTest(settingsFor(root))
  await indexAll(library, {})
  await addDocument(library, { title: 'Heron', content: '# Heron\n\nThe heron stands in the reeds.\n' })
  await exportSource(library, { source: 'Uploads', file: join(folder, 'birds.carrel.gz'), cwd: root })
  await library.close()
  return { root, home }
}

/** Lets the child write for a while, then kills it. */
async function writeUntilKilled(root: string, round: number, acknowledged: Map<string, Set<string>>) {
  const hub = await hubNumber(root)
  const writing = spawn(process.execPath, [child, root, String(round), String(hub)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => writing.once('close', resolve))
  const lines = createInterface({ input: writing.stdout })
  const awaited = roads[round % roads.length]
  const reached = new Promise((resolve) => {
    lines.on('line', (line) => {
      const [road, name] = JSON.parse(line) as [string, string]
      if (road === awaited) resolve(road)
      acknowledged.set(road, (acknowledged.get(road) ?? new Set()).add(name))
    })
    writing.once('close', resolve)
  })
  await reached
  await sleep(random() * 300)
  assert.equal(writing.exitCode, null, 'the process was still writing')
  writing.kill('SIGKILL')
  await ended
}

/** Finishes a rename that a kill interrupted, and gives the number that the note has now. */
async function hubNumber(root: string): Promise<number> {
  const library = await openForTest(settingsFor(root))
  await recoverRenames(library)
  await library.close()
  const hubs = readdirSync(root).filter((name) => name.startsWith('hub-'))
  assert.equal(hubs.length, 1, `one hub, not ${hubs}`)
  const at = Number(/\d+/.exec(hubs[0]!)![0])
  assert.equal(readFileSync(join(root, hubs[0]!), 'utf8'), `# Hub ${at}\n\nText.\n`)
  assert.equal(readFileSync(join(root, 'n.md'), 'utf8'), `[[hub-${at}|label]]\n`)
  return at
}

/** The files that a process replaces: each can be read, and has what was acknowledged. */
function checkFiles({ root, home }: Desk, acknowledged: Map<string, Set<string>>) {
  const of = (road: string) => [...(acknowledged.get(road) ?? [])]
  const client = JSON.parse(readFileSync(join(home, clientFile), 'utf8'))
  assert.equal(client.theirs, true)
  const names = Object.keys(client.mcpServers ?? {})
  for (const name of of('setup')) assert.ok(names.includes(`carrel-${name}`), `${name} in ${names}`)

  const collections = Object.keys(readContext(join(root, 'context.json')))
  const removing = new Set(of('removing'))
  for (const name of of('add')) if (!removing.has(name)) assert.ok(collections.includes(name), name)
  for (const name of of('remove')) assert.ok(!collections.includes(name), name)
  const consents = join(root, 'own/allowed-packages.json')
  if (existsSync(consents)) assert.ok(readConsents(consents)[root], readFileSync(consents, 'utf8'))
}

async function checkIndex(library: Library, acknowledged: Map<string, Set<string>>) {
  const of = (road: string) => [...(acknowledged.get(road) ?? [])]
  const found = new Set((await allDiscoveries(library)).map(({ id }) => id))
  for (const id of of('memory')) assert.ok(found.has(id), `discovery ${id}`)

  const sources = await allSources(library)
  const records = await documentRecords(library)
  for (const name of of('upload')) {
    const record = records.find(({ title, source }) => title === name && source === 'src_uploads')
    assert.ok(record, `upload ${name}`)
    const bytes = readFileSync(join(blobFolder(library), blobPath(record)), 'utf8')
    assert.equal(bytes, `# ${name}\n\nUploaded as ${name}.\n`)
  }
  for (const name of of('import')) {
    const source = sources.find(({ title }) => title === name)
    assert.ok(source, `imported ${name}`)
    assert.ok(
      records.some((record) => record.source === source.id),
      `the document of ${name}`,
    )
  }
  const at = await hubNumber(library.settings.root)
  for (const n of of('rename')) assert.ok(at >= Number(n), `renamed to ${n}, found ${at}`)
  const removing = new Set(of('removing'))
  for (const name of of('sync').filter((one) => !removing.has(one))) {
    const list = await listDocuments(library, { collection: name, offset: 0, limit: 10 })
    assert.ok('documents' in list && list.documents.length === 2, `the files of ${name}`)
  }
}

/** After the kills every road can be taken again, and the leftovers of the killed are gone. */
async function checkWritable(library: Library, { root, home }: Desk) {
  const places = packagePlaces(library)
  setupClient({ client: 'windsurf', home, cwd: join(root, 'last'), command: ['carrel'], env: {} })
  const failed = (await syncPackages(library, places)).filter(({ state }) => state === 'failed')
  assert.deepEqual(failed, [])
  await addDocument(library, { title: 'Last', content: '# Last\n\nThe last upload.\n' })
  const folder = dirname(join(home, clientFile))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.new-')),
    [],
  )
}
