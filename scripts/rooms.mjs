// Prints which room imports which, and fails when two rooms need each other or an import points up.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { root } from './setup.mjs'

// From the bottom up: a room may import rooms on lower lines. Rooms on one line do not know each other. The page (web)
// is read by browsers: it knows the HTTP API, and nobody imports it.
const floors = [
  ['model', 'web'],
  ['text'],
  ['sources', 'parse', 'chunk', 'embed', 'store'],
  ['retrieve', 'graph', 'ingest'],
  ['services'],
  ['present'],
  ['tools'],
  ['surfaces'],
  ['app'],
]

const src = join(root, 'src')
const arrows = new Map()
for (const file of sourceFiles(src)) {
  const from = roomOf(file)
  for (const target of importsOf(file)) {
    const to = roomOf(target)
    if (!from || !to || from === to) continue
    if (!arrows.has(from)) arrows.set(from, new Map())
    const files = arrows.get(from).get(to) ?? []
    arrows.get(from).set(to, [...files, relative(root, file)])
  }
}

const problems = [...upward(), ...cycles()]
for (const room of floors.flat()) {
  const targets = [...(arrows.get(room)?.keys() ?? [])].sort()
  console.log(`${room.padEnd(10)} → ${targets.join(', ') || '(nothing)'}`)
}
for (const problem of problems) console.error(`\n${problem}`)
process.exit(problems.length ? 1 : 0)

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourceFiles(path)
    else if (/\.[jt]s$/.test(entry.name) && !/\.test\.ts$/.test(entry.name)) yield path
  }
}

function importsOf(file) {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)['"](\.[^'"]+)['"]/g)].map((m) =>
    resolve(dirname(file), m[1]),
  )
}

function roomOf(path) {
  const parts = relative(src, path).split(sep)
  return parts.length > 1 && parts[0] !== '..' ? parts[0] : null
}

function upward() {
  const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])))
  const found = []
  for (const [from, targets] of arrows)
    for (const [to, files] of targets) {
      const [high, low] = [floorOf.get(from), floorOf.get(to)]
      if (high === undefined || low === undefined)
        found.push(`Unknown room in ${from} → ${to}: add it to scripts/rooms.mjs.`)
      else if (low >= high) found.push(`${from} → ${to} points up (${[...new Set(files)].join(', ')}).`)
    }
  return found
}

function cycles() {
  const found = []
  for (const [a, targets] of arrows)
    for (const b of targets.keys())
      if (a < b && arrows.get(b)?.has(a)) found.push(`${a} and ${b} import each other.`)
  return found
}
