#!/usr/bin/env node
// The launcher: keeps start-up small and says what to do when the program has not been compiled yet.
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [first, ...others] = process.argv.slice(2)
if ((first === '--version' || first === '-V') && others.length === 0) printVersion()
else await start()

// The answer is in package.json: nothing of the program is loaded for it.
function printVersion() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
}

async function start() {
  const door = new URL('../dist/bundle/door.js', import.meta.url)
  if (!existsSync(fileURLToPath(door))) {
    process.stderr.write(
      'Carrel is not compiled yet. Run "npm run build" in its folder once, or "npm start".\n',
    )
    process.exit(1)
  }
  // Node has it from 22.1 on.
  module.enableCompileCache?.()
  const { start: run } = await import(door.href)
  await run(process.argv.slice(2))
}
