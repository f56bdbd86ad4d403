// Makes a fresh clone ready: installs the locked packages when they are missing or old, and compiles.
// Everything it says goes to stderr, so that a caller's stdout stays the program's own.
import '../bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export function setUp() {
  install()
  compile()
}

// The stamp holds the lock file's hash: an install that was cut short, or an older lock, is done again.
function install() {
  // A linked folder is somebody else's to fill: npm would empty it through the link.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return
  const stamp = join(root, 'node_modules', '.carrel-installed')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  say('Installing packages (once) …')
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  writeFileSync(stamp, lock)
}

export function compile() {
  if (!existsSync(join(root, 'dist', '.tsbuildinfo'))) say('Compiling (once; takes up to a minute) …')
  mkdirSync(join(root, 'dist'), { recursive: true })
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', root])
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs')])
}

export function run(command, args, options = {}) {
  const windows = process.platform === 'win32' && command === 'npm'
  const done = spawnSync(windows ? 'npm.cmd' : command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: windows,
    ...options,
  })
  if (done.error) fail(`Could not run ${command}: ${done.error.message}`)
  if (done.status !== 0) process.exit(done.status ?? 1)
}

export function say(text) {
  process.stderr.write(`${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}
