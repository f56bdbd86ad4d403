// The whole check: set up, lint, the page's types, rooms, then every compiled test. `npm test -- PATTERN` runs the files whose path has one of the patterns.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say, setUp } from './setup.mjs'

// By the processor time they take, those that wait a lot first of all.
const longest = [
  'test/processes',
  'test/engine',
  'test/context',
  'test/graph',
  'test/e2e',
  'test/tools',
  'test/crawl',
  'test/attack',
  'test/web',
  'test/architecture',
  'src/toolsets',
  'src/parse',
  'src/store',
  'test/conformance',
  'src/sources',
  'src/embed',
  'test/knowledge',
  'test/packages',
  'test/surfaces',
  'test/desk',
  'test/search',
  'test/store',
]

setUp()
const patterns = process.argv.slice(2)
if (patterns.length === 0)
  await Promise.all(
    [
      ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', root],
      ['node_modules/typescript/bin/tsc', '-p', join(root, 'src/surfaces/page')],
      ['scripts/rooms.mjs'],
      ['scripts/reference.mjs', '--check', '--compiled'],
    ].map(([script, ...args]) => check(join(root, script), args)),
  )
sayWhatIsLeftOut()
const files = tests().filter(
  (file) => patterns.length === 0 || patterns.some((p) => slashed(relative(root, file)).includes(slashed(p))),
)
if (files.length === 0) {
  say(`No test file matches ${patterns.join(' ')}.`)
  process.exit(2)
}
// Imported: a drive's letter would pass for the scheme of a url.
const reporter = pathToFileURL(join(root, 'scripts/test-reporter.mjs')).href
const args = [
  '--test',
  // Many tests wait for timers and processes.
  `--test-concurrency=${Math.min(8, 2 * availableParallelism() + 1)}`,
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
]
const done = spawnSync(process.execPath, [...args, ...(patterns.length > 0 ? files : byFolder(files))], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  // Several test files run at a time: each of the servers they start gets by with one parsing thread.
  // What they remember of data folders is not the user's.
  env: {
    ...process.env,
    NODE_ENV: 'test',
    NO_COLOR: '1',
    CARREL_LIMITS_WORKERS: '1',
    CARREL_ENGINE_IDLE_MINUTES: '0',
    CARREL_STATE: state(),
  },
})
process.exit(done.status ?? 1)

/** Ends the run when the script finds something. */
async function check(script, args) {
  const checking = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  const [status] = await once(checking, 'exit')
  if (status !== 0) process.exit(status ?? 1)
}

function state() {
  const folder = join(root, 'dist/.test-state')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * The tests of a room, or of a folder of tests, run in one process: most are done in less time than a process takes to
 * start. Those that take longest begin first.
 */
function byFolder(files) {
  const folders = new Map()
  for (const file of files) {
    const folder = relative(join(root, 'dist'), dirname(file)).split(sep).slice(0, 2).join('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const home = join(root, 'dist/.tests')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const place = (folder) => longest.indexOf(folder) >>> 0
  return [...folders.keys()]
    .sort((a, b) => place(a) - place(b))
    .map((folder, i) => {
      // Node runs them in the order of their names.
      const entry = join(home, `${String(i).padStart(2, '0')}-${folder.replaceAll('/', '-')}.mjs`)
      const imports = folders
        .get(folder)
        .map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)})\n`)
      writeFileSync(entry, imports.join(''))
      return entry
    })
}

function slashed(path) {
  return path.replaceAll(sep, '/')
}

// Only what has a source: a compiled test whose source was deleted or renamed must not linger.
function tests() {
  return ['src', 'test', 'evals', 'bench'].flatMap((folder) => walk(join(root, folder)))
}

function walk(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return walk(path)
      return name.endsWith('.test.ts')
        ? [join(root, 'dist', relative(root, path)).replace(/\.ts$/, '.js')]
        : []
    })
}

function sayWhatIsLeftOut() {
  if (existsSync(join(root, '../shared/data'))) return
  say('The public data sets (../shared/data) are not here: tests that read them are left out.')
}
