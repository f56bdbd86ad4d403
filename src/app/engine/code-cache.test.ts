import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openCodeCache } from './code-cache.js'

const code = Buffer.from('compiled code')

describe('compiled code', { skip: process.platform === 'win32' && 'is not kept on Windows' }, () => {
  test('is there for the next process', (t) => {
    const { folder, script } = savedCode(t)
    assert.deepEqual(openCodeCache(folder, script)?.read(), code)
  })

  refused('of another version of the script', ({ script }) => utimesSync(script, 1, 1))
  refused('that was damaged', ({ file }) => {
    const bytes = readFileSync(file)
    bytes[bytes.length - 3]! ^= 1
    writeFileSync(file, bytes)
  })
  refused('that was cut short', ({ file }) => writeFileSync(file, readFileSync(file).subarray(0, 20)))
  refused('that others can write', ({ file }) => chmodSync(file, 0o660))
  refused('in a folder that others can write', ({ folder }) => chmodSync(folder, 0o770))
  refused('behind a link', ({ file }) => {
    renameSync(file, `${file}.elsewhere`)
    symlinkSync(`${file}.elsewhere`, file)
  })
  refused('in a folder behind a link', ({ folder }) => {
    renameSync(folder, `${folder}.elsewhere`)
    symlinkSync(`${folder}.elsewhere`, folder)
  })

  test('is not kept in a folder that others can write', (t) => {
    const { folder, script } = place(t)
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    openCodeCache(folder, script)?.write(code)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is kept for eight scripts, the latest', (t) => {
    const { folder, script } = place(t)
    for (let time = 1; time <= 10; time++) {
      utimesSync(script, time, time)
      openCodeCache(folder, script)?.write(code)
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1)
    }
    assert.equal(readdirSync(folder).length, 8)
    assert.deepEqual(openCodeCache(folder, script)?.read(), code)
  })
})

function refused(what: string, change: (place: { folder: string; script: string; file: string }) => void) {
  test(`is not used ${what}`, (t) => {
    const place = savedCode(t)
    change(place)
    assert.equal(openCodeCache(place.folder, place.script)?.read(), null)
  })
}

function savedCode(t: TestContext) {
  const { folder, script } = place(t)
  openCodeCache(folder, script)?.write(code)
  const [name = ''] = readdirSync(folder)
  return { folder, script, file: join(folder, name) }
}

function place(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'carrel-code-'))
  t.after(() => rmSync(home, { recursive: true }))
  const script = join(home, 'script.js')
  writeFileSync(script, '0')
  return { folder: join(home, 'code'), script }
}
