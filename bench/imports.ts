// How quickly imports are read: cold, in the processes that read them, per second of processor time; and a whole read_file
// again. `npm run bench -- imports [--files 1500] [--json]`
// Processor seconds are those of this process and of the ones it started: what a core takes while others are busy.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Library } from '../src/answer/library.js'
import { openLibrary } from '../src/app/open.js'
import { importPool } from '../src/ingest/import-pool.js'
import { readFile } from '../src/toolsets/context/read-file.js'
import { projectRoot, settingsFor } from '../test/support/world.js'
import { cpuMs } from './processor-time.js'

const { values: options } = parseArgs({
  options: { files: { type: 'string', default: '1500' }, json: { type: 'boolean', default: false } },
})
const wanted = Number(options.files)
const own = sourceFiles()
const figures: Record<string, string | number> = {
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} threads, Node ${process.versions.node}`,
}
const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-bench-')))

try {
  const files = copies()
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0)
  figures.files = `${files.length} TypeScript files of this repository, ${(bytes / 1e6).toFixed(1)} MB`
  await cold(files)
  const library = await openLibrary({ ...settingsFor(root), embedding: { provider: 'none' } })
  await repeated(library, files.slice(0, 200))
  await library.close()
} finally {
  rmSync(root, { recursive: true, force: true })
}
for (const [name, value] of Object.entries(figures))
  if (!options.json) console.log(`${name.padEnd(52)} ${value}`)
if (options.json) console.log(JSON.stringify(figures))

interface Sample {
  path: string
  text: string
}

/** Each text once: the pool remembers texts, not files. */
async function cold(files: readonly Sample[]) {
  const pool = importPool({ workers: 2 })
  const start = performance.now()
  await pool.read({ root, ...files[0]! })
  figures['first file, process start included, ms'] = rounded(performance.now() - start)
  const [from, spent] = [performance.now(), cpuMs()]
  await Promise.all(files.slice(1).map((file) => pool.read({ root, ...file })))
  figures['cold, files per processor second'] = Math.round(files.length / ((cpuMs() - spent) / 1e3))
  figures['cold, files per second on the clock'] = Math.round(
    files.length / ((performance.now() - from) / 1e3),
  )
  const again = performance.now()
  await Promise.all(files.slice(1).map((file) => pool.read({ root, ...file })))
  figures['texts that are known, files per second'] = Math.round(
    files.length / ((performance.now() - again) / 1e3),
  )
  await pool.close()
}

async function repeated(library: Library, files: readonly Sample[]) {
  const ask = (path: string, includeDeps: boolean) => readFile(library, { path, includeDeps, maxDepth: 1 })
  for (const { path } of files) await ask(path, false)
  for (const includeDeps of [false, true]) {
    const times: number[] = []
    for (const { path } of files) {
      const start = performance.now()
      await ask(path, includeDeps)
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    const what = includeDeps ? 'read_file again, with contents' : 'read_file again'
    figures[`${what}, p50, ms`] = rounded(times[times.length >> 1]!)
    figures[`${what}, p95, ms`] = rounded(times[Math.floor(times.length * 0.95)]!)
  }
}

/** The repository's own files, over and over with a word changed, until there are enough. */
function copies(): Sample[] {
  writeFileSync(join(root, 'tsconfig.json'), readFileSync(join(projectRoot, 'tsconfig.json')))
  return Array.from({ length: wanted }, (_, i) => {
    const { path, text } = own[i % own.length]!
    const copy = { path: `copy-${Math.floor(i / own.length)}/${path}`, text: `${text}\n// Copy ${i}.\n` }
    mkdirSync(dirname(join(root, copy.path)), { recursive: true })
    writeFileSync(join(root, copy.path), copy.text)
    return copy
  })
}

function sourceFiles(): Sample[] {
  return readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: file.slice(projectRoot.length + 1), text: readFileSync(file, 'utf8') }))
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
