import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsFor, temporaryFolder } from '../../test/support/world.js'
import { Problem } from '../model/problem.js'
import { makeDataFolder } from '../store/data-files.js'
import { explainDisk } from './disk-errors.js'

const errno = (code: string, path?: string) => Object.assign(new Error(code), { code, path })

test('explains errors of the disk in a sentence, and lets bugs through', (t) => {
  const root = join(temporaryFolder(t), 'project')
  const settings = settingsFor(root)
  mkdirSync(settings.data, { recursive: true })
  const codeOf = (error: unknown) => {
    const explained = explainDisk(settings, error)
    return explained instanceof Problem ? explained.code : explained === error && 'as it was'
  }
  assert.equal(codeOf(errno('ENOSPC')), 'disk_full')
  assert.equal(codeOf(errno('EDQUOT', join(settings.data, 'x'))), 'disk_full')
  assert.equal(codeOf(errno('EROFS', join(settings.data, 'uploads/x'))), 'store_readonly')
  const others = [errno('EACCES', '/elsewhere'), errno('ENOENT', join(root, 'a')), new TypeError('x'), null]
  for (const other of others) assert.equal(codeOf(other), 'as it was')
  const problem = new Problem('not_found', 'There is none.')
  assert.equal(explainDisk(settings, problem), problem)
  const replaced = new Problem('store_replaced', 'The index is another one.')
  assert.equal(codeOf(replaced), 'store_replaced')
  rmSync(settings.data, { recursive: true })
  assert.equal(codeOf(errno('ENOENT', join(settings.data, 'records.jsonl'))), 'no_data_folder')
  assert.equal(codeOf(replaced), 'no_data_folder')
  rmSync(root, { recursive: true })
  assert.equal(codeOf(errno('ENOENT')), 'no_folder')
  writeFileSync(root, 'a file')
  assert.equal(codeOf(errno('ENOTDIR')), 'no_folder')
})

test('a folder in the data folder is made, the data folder itself never', (t) => {
  const data = join(realpathSync(temporaryFolder(t)), 'data')
  assert.throws(() => makeDataFolder(data, 'uploads', 'ab'), { code: 'ENOENT' })
  mkdirSync(data)
  assert.equal(makeDataFolder(data, 'uploads', 'ab'), join(data, 'uploads', 'ab'))
  assert.equal(makeDataFolder(data, 'uploads', 'ab'), join(data, 'uploads', 'ab'))
})
