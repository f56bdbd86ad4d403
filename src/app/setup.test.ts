import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { lastingNode } from './setup.js'

test('a client is told of Node by a name that outlives its next upgrade', (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-node-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const folder = (...parts: string[]) => {
    const path = join(root, ...parts)
    mkdirSync(path, { recursive: true })
    return path
  }
  const [cellar, other, shell, linked] = [
    folder('cellar', 'node', '22.1.0', 'bin'),
    folder('other'),
    folder('fnm_multishells', '1_2', 'bin'),
    folder('bin'),
  ] as const
  const running = join(cellar, 'node')
  writeFileSync(running, 'this one')
  writeFileSync(join(other, 'node'), 'another one')
  for (const place of [shell, linked]) symlinkSync(running, join(place, 'node'))
  const path = (...folders: string[]) => lastingNode({ PATH: folders.join(delimiter) }, running)
  assert.equal(path(other, shell, linked, cellar), join(linked, 'node'))
  assert.equal(path(other, shell), running, 'a link for one shell, and another Node')
  assert.equal(path('', '.', 'bin', join(root, 'gone')), running)
  assert.equal(lastingNode({}, running), running)
})
