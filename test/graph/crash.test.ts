import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { indexAll } from '../../src/app/index-all.js'
import { recoverRenames } from '../../src/toolsets/graph/journal.js'
import { seeded } from '../support/seeded.js'
import { openForTest, settingsFor, temporaryFolder, write } from '../support/world.js'
import { toolsFor } from './vault.js'

const child = join(dirname(fileURLToPath(import.meta.url)), 'rename-child.js')
const linkers = 8
/** Vaults in which one process renames at the same time: a kill hits a rename in each. */
const vaults = 8
const kills = Number(process.env.CARREL_KILLS ?? 6)
const random = seeded(1117)

const files = Object.fromEntries(
  Array.from({ length: linkers }, (_, i) => [
    `n${i}.md`,
    `Before.\n\n[[hub-0|label]] and [x](hub-0.md)\n\n${'After. '.repeat(200)}end`,
  ]),
)

test('killed at any moment of a rename, every file is whole and no link is lost', async (t) => {
  const folder = temporaryFolder(t)
  const places = Array.from({ length: vaults }, (_, i) => ({ root: join(folder, `vault-${i}`), from: 0 }))
  for (const { root } of places) await makeVault(root)
  let begun = 0
  for (let kill = 0; kill < kills; kill++) {
    await killSomewhere(places)
    for (const place of places) {
      begun += pagesIn(place.root).length
      place.from = await recovered(place.root)
    }
  }
  const done = places.reduce((sum, { from }) => sum + from, 0)
  t.diagnostic(
    `${kills * vaults} renames killed, ${begun} of them after their journal was begun; ${done} renames done`,
  )
  assert.ok(done > 0 && begun > 0, 'some renames were done, and some half done')
})

async function makeVault(root: string) {
  write(root, { ...files, 'hub-0.md': '# Hub 0\n\nText.\n' })
  const library = await openForTest(settingsFor(root))
  await indexAll(library, {})
  await library.close()
}

/** Starts anew where a process was killed, and looks at every file. Gives the number the note goes by now. */
async function recovered(root: string): Promise<number> {
  const library = await openForTest(settingsFor(root))
  await recoverRenames(library)
  const names = readdirSync(root).filter((name) => name !== '.carrel')
  const hubs = names.filter((name) => name.startsWith('hub-'))
  assert.equal(hubs.length, 1, `one hub, not ${hubs}`)
  const at = Number(/\d+/.exec(hubs[0]!)![0])
  assert.equal(readFileSync(join(root, hubs[0]!), 'utf8'), `# Hub ${at}\n\nText.\n`)
  for (const [path, text] of Object.entries(files))
    assert.equal(readFileSync(join(root, path), 'utf8'), text.replaceAll('hub-0', `hub-${at}`), path)
  assert.deepEqual(pagesIn(root), [])
  assert.equal(names.length, linkers + 1, `nothing is left beside the notes: ${names}`)
  const node = await toolsFor(library, root).call('get_node', { id: `hub-${at}.md`, depth: 1 })
  assert.equal(node.incomingCount, linkers)
  await library.close()
  return at
}

function pagesIn(root: string): string[] {
  const folder = join(settingsFor(root).data, 'renames')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

/** Lets a process rename for a while, then kills it; a different while each time. */
async function killSomewhere(places: readonly { root: string; from: number }[]) {
  const args = places.map((place) => JSON.stringify(place))
  const renaming = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => renaming.once('close', resolve))
  const enough = Math.floor(random() * vaults * 2)
  let lines = -1
  const begun = new Promise<void>((resolve) => {
    renaming.stdout.on('data', (text: Buffer) => {
      lines += String(text).split('\n').length - 1
      if (lines >= enough) resolve()
    })
    renaming.once('close', () => resolve())
  })
  await begun
  await sleep(random() * 60)
  assert.equal(renaming.exitCode, null, 'the process was still renaming')
  renaming.kill('SIGKILL')
  await ended
}
