// Converts every page of a folder to Markdown and says what that took, the start of this process included.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '../src/parse/parse.js'

const folder = process.argv[2]!
let chars = 0
for (const name of readdirSync(folder).sort()) {
  const { text } = await parse({ path: name, bytes: readFileSync(join(folder, name)) })
  if (text.trim() === '') throw new Error(`${name} came out empty.`)
  chars += text.length
}
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ chars, cpu: (user + system) / 1000 }))
