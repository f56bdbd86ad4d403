import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openDatabase } from './database.js'

function place(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-data-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function ignoredAfterOpening(folder: string): Promise<string | null> {
  await openDatabase(folder).close()
  assert.ok(readdirSync(folder).includes('index.sqlite'))
  const file = join(folder, '.gitignore')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

describe('the data folder', () => {
  test('is refused where nobody may make folders', {
    skip: !existsSync('/proc/self') && 'no /proc here',
  }, () => {
    for (const folder of ['/proc/carrel', '/proc/carrel/deep'])
      assert.throws(() => openDatabase(folder), { code: 'data_folder' })
  })

  test('is ignored when it was made for us or was empty', async (t) => {
    const folder = place(t)
    assert.equal(await ignoredAfterOpening(join(folder, 'new/deep')), '*\n')
    assert.equal(existsSync(join(folder, 'new/.gitignore')), false)
    mkdirSync(join(folder, 'empty'))
    assert.equal(await ignoredAfterOpening(join(folder, 'empty')), '*\n')
  })

  test('is for nobody else to read where it was made for us', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const folder = place(t)
    await ignoredAfterOpening(join(folder, 'new/deep'))
    const modes = ['new', 'new/deep'].map((name) => statSync(join(folder, name)).mode & 0o077)
    assert.deepEqual([modes[0] !== 0, modes[1]], [true, 0])
  })

  test('is ignored under our own name, whatever was put there before', async (t) => {
    const folder = join(place(t), '.carrel')
    mkdirSync(folder)
    writeFileSync(join(folder, 'records.jsonl'), '')
    assert.equal(await ignoredAfterOpening(folder), '*\n')
  })

  test('of somebody who has files there is not, however often it is opened', async (t) => {
    const folder = place(t)
    writeFileSync(join(folder, 'thesis.md'), '# Mine')
    assert.equal(await ignoredAfterOpening(folder), null)
    assert.equal(await ignoredAfterOpening(folder), null)
  })

  test('keeps an ignore file that is there', async (t) => {
    const folder = place(t)
    writeFileSync(join(folder, '.gitignore'), '*.tmp\n')
    assert.equal(await ignoredAfterOpening(folder), '*.tmp\n')
  })
})
