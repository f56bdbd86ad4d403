// Runs one compiled program of bench/ or evals/: `npm run bench -- words --quick`. Without a name, lists them.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, say, setUp } from './setup.mjs'

setUp()
const [folder, name, ...rest] = process.argv.slice(2)
const programs = readdirSync(join(root, folder))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3))
const file = join(root, 'dist', folder, `${name}.js`)
if (!name || !existsSync(file)) {
  say(`Usage: npm run ${folder} -- NAME [options]. NAME is one of: ${programs.join(', ')}.`)
  process.exit(2)
}
process.exit(spawnSync(process.execPath, [file, ...rest], { stdio: 'inherit' }).status ?? 1)
