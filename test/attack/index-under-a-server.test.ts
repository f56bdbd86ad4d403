import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/world.js'

const program = fileURLToPath(new URL('./harm-child.js', import.meta.url))

/** What is said then. A file that is cut or overwritten may be noticed by SQLite or by a checksum. */
const harms: Record<string, RegExp> = {
  'cut to nothing': /^store_(damaged|io)$/,
  'cut to its first page': /^store_(damaged|io)$/,
  'cut in half': /^store_(damaged|io)$/,
  'cut while it is read': /^store_(damaged|io)$/,
  'overwritten with zeros': /^store_(damaged|io)$/,
  removed: /^store_replaced$/,
  'replaced by another': /^store_replaced$/,
}

describe('an index file under a running server', { concurrency: 2 }, () => {
  for (const [harm, code] of Object.entries(harms))
    test(`that is ${harm} gives every caller a Problem, never another answer, and the process lives`, async (t) => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, harm, temporaryFolder(t)], {
        timeout: 60_000,
        killSignal: 'SIGKILL',
      })
      const { wrong, problems } = JSON.parse(stdout) as { wrong: string[]; problems: string[] }
      assert.deepEqual(wrong, [])
      assert.ok(problems.length > 0, 'it is noticed')
      for (const problem of problems) assert.match(problem, code)
    })
})
