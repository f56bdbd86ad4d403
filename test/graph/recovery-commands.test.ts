// A rename that a killed process left half done is finished by the next command, whichever it is.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderId } from '../../src/sources/folder.js'
import { hashOf } from '../../src/text/hash.js'

const program = fileURLToPath(new URL('../../../bin/carrel.mjs', import.meta.url))
const [old, renamed, linking] = ['# Hub\n', '# Hub a\n', 'See [[Hub]].\n']

async function carrel(home: string, root: string, ...argv: string[]): Promise<string> {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('CARREL_'))
  const child = spawn(
    process.execPath,
    [program, '--root', root, '--set', 'embedding.provider=none', ...argv],
    {
      env: { ...Object.fromEntries(plain), XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  return output
}

/** An indexed folder in which the note has its new name and the links have not. */
async function killed(t: TestContext) {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'carrel-killed-')))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const [home, root] = [join(folder, 'home'), join(folder, 'notes')]
  mkdirSync(home)
  mkdirSync(root)
  writeFileSync(join(root, 'hub.md'), old)
  writeFileSync(join(root, 'a.md'), linking)
  await carrel(home, root, 'index')
  const page = {
    source: folderId(root),
    from: 'hub.md',
    to: 'hub-a.md',
    title: 'Hub a',
    before: hashOf(Buffer.from(old)),
    after: hashOf(Buffer.from(renamed)),
    mark: '0123456789ab',
    files: [{ path: 'a.md', swaps: [['[[Hub]]', '[[Hub a]]']] }],
  }
  const renames = join(root, '.carrel/renames')
  mkdirSync(renames)
  writeFileSync(join(renames, '0.json'), JSON.stringify(page))
  rmSync(join(root, 'hub.md'))
  writeFileSync(join(root, 'hub-a.md'), renamed)
  return { home, root, renames }
}

const commands = [['status'], ['search', 'hub'], ['index'], ['tool', 'documents_list_collections', '{}']]

for (const command of commands)
  test(`carrel ${command.slice(0, 2).join(' ')} finishes it`, async (t) => {
    const { home, root, renames } = await killed(t)
    await carrel(home, root, ...command)
    assert.equal(readFileSync(join(root, 'a.md'), 'utf8'), 'See [[Hub a]].\n')
    assert.deepEqual(readdirSync(renames), [])
  })
