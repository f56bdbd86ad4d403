#!/usr/bin/env node
// The launcher: keeps start-up small and says what to do when the program has not been compiled yet.
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
  const door = fileURLToPath(new URL('../dist/bundle/door.cjs', import.meta.url))
  if (!existsSync(door)) {
    process.stderr.write(
      'Carrel is not compiled yet. Run "npm run build" in its folder once, or "npm start".\n',
    )
    process.exit(1)
  }
  const { start: run } = createRequire(import.meta.url)(door)
  await run(process.argv.slice(2))
}
