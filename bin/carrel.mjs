#!/usr/bin/env node
// The launcher: keeps start-up small and says what to do when the program has not been compiled yet.
import './require-node.mjs'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/src/app/main.js', import.meta.url)
if (!existsSync(fileURLToPath(main))) {
  process.stderr.write(
    'Carrel is not compiled yet. Run "npm run build" in its folder once, or "npm start".\n',
  )
  process.exit(1)
}
const { main: run } = await import(main.href)
await run(process.argv.slice(2))
