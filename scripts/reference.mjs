// Writes docs/reference/ from the tools' records; with --check, only says whether it is up to date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say, setUp } from './setup.mjs'

setUp()
const from = (path) => import(pathToFileURL(join(root, 'dist/src', path)).href)
const { referencePages } = await from('server/reference.js')
const { toolsets } = await from('toolsets/all.js')
const folder = join(root, 'docs/reference')
const pages = await referencePages(toolsets, undefined)
const stale = pages.filter(({ file, text }) => {
  const path = join(folder, file)
  return !existsSync(path) || readFileSync(path, 'utf8') !== text
})
if (process.argv.includes('--check')) {
  for (const { file } of stale) say(`docs/reference/${file} is out of date. Run: node scripts/reference.mjs`)
  process.exit(stale.length ? 1 : 0)
}
mkdirSync(folder, { recursive: true })
for (const { file, text } of stale) writeFileSync(join(folder, file), text)
say(`${pages.length} pages, ${stale.length} written.`)
