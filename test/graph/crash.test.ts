import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLibrary } from '../../src/app/open.js'
import { recoverRenames } from '../../src/services/graph/journal.js'
import { toolsFor, vault } from './vault.js'

const child = join(dirname(fileURLToPath(import.meta.url)), 'rename-child.js')
const linkers = 12
const kills = Number(process.env.CARREL_KILLS ?? 8)

test('killed at any moment of a rename, every file is whole and no link is lost', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: linkers }, (_, i) => [
      `n${i}.md`,
      `Before.\n\n[[hub-0|label]] and [x](hub-0.md)\n\n${'After. '.repeat(200)}end`,
    ]),
  )
  const { root, settings, library } = await vault(t, { ...files, 'hub-0.md': '# Hub 0\n\nText.\n' })
  await library.close()
  let at = 0
  let halfDone = 0
  for (let kill = 0; kill < kills; kill++) {
    await killSomewhere(root, at, kill)
    halfDone += pagesIn(settings.data).length
    const again = await openLibrary(settings)
    await recoverRenames(again)
    const hubs = readdirSync(root).filter((name) => name.startsWith('hub-'))
    assert.equal(hubs.length, 1, `one hub, not ${hubs}`)
    at = Number(/\d+/.exec(hubs[0]!)![0])
    assert.equal(readFileSync(join(root, hubs[0]!), 'utf8'), `# Hub ${at}\n\nText.\n`)
    for (const [path, text] of Object.entries(files))
      assert.equal(readFileSync(join(root, path), 'utf8'), text.replaceAll('hub-0', `hub-${at}`), path)
    assert.deepEqual(pagesIn(settings.data), [])
    const node = await toolsFor(again, root).call('get_node', { id: `hub-${at}.md`, depth: 1 })
    assert.equal(node.incomingCount, linkers)
    await again.close()
  }
  assert.ok(at > 0, 'some renames were done')
  t.diagnostic(`${at} renames, ${halfDone} of them finished or undone after ${kills} kills`)
})

function pagesIn(data: string): string[] {
  const folder = join(data, 'renames')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

/** Lets a process rename for a while, then kills it; a different while each time. */
async function killSomewhere(root: string, from: number, kill: number) {
  const renaming = spawn(process.execPath, [child, root, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => renaming.once('close', resolve))
  let renames = 0
  const begun = new Promise<void>((resolve) => {
    renaming.stdout.on('data', (said: Buffer) => {
      renames += String(said).split('\n').length - 1
      if (renames > kill % 3) resolve()
    })
    renaming.once('close', () => resolve())
  })
  await begun
  await sleep((kill * 37) % 190)
  renaming.kill('SIGKILL')
  await ended
}
