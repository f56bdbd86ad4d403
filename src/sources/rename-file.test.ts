import assert from 'node:assert/strict'
import fs, { existsSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/support/world.js'
import { renameFile, renameFileSync } from './rename-file.js'

/** A file to be renamed; the first `times` that is tried somebody has it open. */
function heldFile(t: TestContext, times: number, code: string) {
  const folder = temporaryFolder(t)
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, 'new')
  const { rename } = fs.promises
  const { renameSync } = fs
  let left = times
  const refuse = () => {
    if (left-- > 0) throw Object.assign(new Error(code), { code })
  }
  t.after(() => {
    fs.promises.rename = rename
    fs.renameSync = renameSync
    syncBuiltinESMExports()
  })
  fs.promises.rename = async (...given) => {
    refuse()
    return rename(...given)
  }
  fs.renameSync = (...given) => {
    refuse()
    return renameSync(...given)
  }
  syncBuiltinESMExports()
  return { from, to }
}

for (const [name, work] of [
  ['renameFile', renameFile],
  ['renameFileSync', async (...given: Parameters<typeof renameFileSync>) => renameFileSync(...given)],
] as const)
  describe(name, () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY'])
      test(`waits on Windows while another program has the file open (${code})`, async (t) => {
        const { from, to } = heldFile(t, 3, code)
        await work(from, to, 'win32')
        assert.deepEqual([existsSync(from), existsSync(to)], [false, true])
      })

    test('gives up in the end, and elsewhere at once', async (t) => {
      const { from, to } = heldFile(t, 9, 'EPERM')
      await assert.rejects(work(from, to, 'linux'), { code: 'EPERM' })
      await assert.rejects(work(from, to, 'win32'), { code: 'EPERM' })
    })

    test('does not wait after an error that stays', async (t) => {
      const { from, to } = heldFile(t, 1, 'ENOENT')
      await assert.rejects(work(from, to, 'win32'), { code: 'ENOENT' })
    })
  })
