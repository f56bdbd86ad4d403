// Prints which room imports which, and fails when an import points up, when two folders import each other
// (a folder and its own subfolders aside), when one toolset imports another, or when a module hides state of a library.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { root } from './setup.mjs'

// From the bottom up: a room may import rooms on lower lines. Rooms on one line do not know each other.
const floors = [
  ['model'],
  ['text', 'runtime'],
  ['sources', 'parse', 'chunk', 'embed', 'store'],
  ['retrieve', 'graph', 'ingest'],
  ['answer'],
  ['server'],
  ['toolsets'],
  ['surfaces'],
  ['app'],
]

const src = join(root, 'src')
const imports = [...sourceFiles(src)].flatMap((file) =>
  importsOf(file).map((target) => ({ from: relative(src, file), to: relative(src, target) })),
)
const problems = [...upward(), ...mutual(), ...betweenToolsets(), ...hiddenState()]
for (const room of floors.flat()) {
  const targets = new Set(imports.filter(({ from }) => roomOf(from) === room).map(({ to }) => roomOf(to)))
  targets.delete(room)
  targets.delete(null)
  console.log(`${room.padEnd(10)} → ${[...targets].sort().join(', ') || '(nothing)'}`)
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
  const parts = path.split(sep)
  return parts.length > 1 && parts[0] !== '..' ? parts[0] : null
}

function upward() {
  const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])))
  return imports.flatMap(({ from, to }) => {
    const [high, low] = [floorOf.get(roomOf(from)), floorOf.get(roomOf(to))]
    if (roomOf(from) === null || roomOf(from) === roomOf(to)) return []
    if (to.startsWith('..')) return [`${from} imports ${to}, which is not part of the program.`]
    if (high === undefined || low === undefined)
      return [`${from} → ${to}: add the room to scripts/rooms.mjs.`]
    return low >= high ? [`${from} → ${to} points up.`] : []
  })
}

function mutual() {
  const arrows = new Map()
  for (const { from, to } of imports) {
    const [a, b] = [dirname(from), dirname(to)]
    if (a === b || a.startsWith(`${b}${sep}`) || b.startsWith(`${a}${sep}`)) continue
    arrows.set(`${a} → ${b}`, [...(arrows.get(`${a} → ${b}`) ?? []), from])
  }
  return [...arrows.keys()].flatMap((arrow) => {
    const [a, b] = arrow.split(' → ')
    const back = arrows.get(`${b} → ${a}`)
    if (a > b || !back) return []
    const files = [...new Set([...arrows.get(arrow), ...back])].sort()
    return [`${a} and ${b} import each other (${files.join(', ')}).`]
  })
}

/** A toolset is a slice of its own: what two of them need lies below them. */
function betweenToolsets() {
  const slice = (path) => (path.startsWith(`toolsets${sep}`) ? path.split(sep).slice(1, -1)[0] : undefined)
  return imports.flatMap(({ from, to }) =>
    slice(from) && slice(to) && slice(from) !== slice(to)
      ? [`${from} → ${to}: toolsets do not import each other.`]
      : [],
  )
}

/** A map at the top level of a module that is keyed by a library or its store: such state belongs to the library. */
function hiddenState() {
  const keyedByLibrary =
    /^(?:export )?(?:const|let) (\w+)\b.*\b(?:Weak)?(?:Map|Set)<\s*(?:Library|Store|Vault)\b/gm
  return [...sourceFiles(src)].flatMap((file) => {
    const path = relative(src, file)
    // The mutex becomes an object of the library in a change of its own.
    return [...readFileSync(file, 'utf8').matchAll(keyedByLibrary)].map(
      ([, name]) =>
        `${path}: "${name}" keeps state of a library in a module. Declare it with libraryState() (src/answer/library.ts).`,
    )
  })
}
