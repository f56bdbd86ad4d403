import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { lastingNode, portableCommand } from './setup.js'

test('a client gets a path of Node that survives its next upgrade', (t) => {
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

test('a file of the project names the program without a place on this machine', (t) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-portable-')))
  t.after(() => rmSync(top, { recursive: true, force: true }))
  const package_ = (folder: string) => {
    const file = join(top, folder, 'node_modules/carrel/bin/carrel.mjs')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, folder)
    return file
  }
  const [own, global] = [package_('project'), package_('lib')]
  const root = join(top, 'project')
  const [bin, runner] = [join(top, 'bin'), join(root, 'node_modules/.bin')]
  for (const folder of [bin, runner]) mkdirSync(folder)
  symlinkSync(global, join(bin, 'carrel'))
  symlinkSync(own, join(runner, 'carrel'))
  const env = { PATH: [runner, bin].join(delimiter) }
  assert.deepEqual(portableCommand(env, { launcher: global, root }), ['carrel'])
  assert.deepEqual(portableCommand(env, { launcher: own, root }), ['node', own])
  assert.equal(portableCommand({ PATH: runner }, { launcher: global, root }), undefined)
})
