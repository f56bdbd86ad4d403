import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../test/golden')

/**
 * Compares words with the ones that were agreed on. `GOLDEN=write npm test -- NAME` accepts new ones; read the
 * difference before committing it.
 */
export function checkGolden(name: string, text: string) {
  const path = join(folder, name)
  if (process.env.GOLDEN === 'write') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return
  }
  assert.ok(existsSync(path), `There is no golden file test/golden/${name}. Run once with GOLDEN=write.`)
  assert.equal(
    text,
    readFileSync(path, 'utf8'),
    `test/golden/${name} says something else. If that is meant: GOLDEN=write npm test -- FILE, then read the diff.`,
  )
}
