// What shown code rests on, in one line: the values of the project's constants it uses, and the project's functions it calls.
import type { Library } from '../../answer/library.js'
import { placeOf } from '../../answer/library.js'
import {
  knownFile,
  type ProjectListing,
  roleIn,
  rootOf,
  symbolsOf,
  type TextFile,
} from '../../answer/project-texts.js'
import type { FileSymbol } from '../../parse/file-symbols.js'
import { formatOf } from '../../parse/formats.js'
import { isSideRole } from '../../text/file-role.js'
import { terms } from '../../text/terms.js'
import { cutLine, range } from './lines.js'
import type { Unit } from './units.js'

const mostNames = 6
const longestRow = 420
const names = { title: 0, headings: 0, names: 1, body: 0 }

export async function restsOn(library: Library, listing: ProjectListing, unit: Unit): Promise<string[]> {
  const text = unit.lines.join('\n')
  const own = unit.name.slice(unit.name.lastIndexOf('.') + 1)
  const constants = [...new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{4,}\b/g) ?? [])]
  const calls = [
    ...text.matchAll(/(?:(?<![\w$])([A-Za-z_$][\w$]*)(?:\.|::|->))?(?<![\w$])([A-Za-z_$][\w$]{3,})\s*\(/g),
  ]
  const called = new Map(calls.map(([, receiver, name]) => [name!, receiver]))
  for (const name of [own, ...keywords, ...constants]) called.delete(name)
  const isShown = ({ file, symbol }: Place) =>
    file.path === unit.path && symbol.line >= unit.first && symbol.endLine <= unit.last
  const found: string[] = []
  const calledRows: string[] = []
  for (const name of constants.slice(0, mostNames)) {
    const place = await definitionInIndex(library, listing, name, unit)
    if (place && !isShown(place))
      found.push(`${valueText(place)} (${place.file.path}:${place.symbol.nameLine})`)
  }
  for (const [name, receiver] of [...called].slice(0, 3 * mostNames)) {
    if (calledRows.length >= mostNames) break
    const place = await definitionInIndex(library, listing, name, unit)
    if (place && belongsTo(place, receiver, unit.path) && !isShown(place))
      calledRows.push(
        `${place.symbol.qualified} (${place.file.path}:${range(place.symbol.line, place.symbol.endLine)})`,
      )
  }
  const row = [
    ...(found.length > 0 ? [`uses: ${found.join(', ')}`] : []),
    ...(calledRows.length > 0 ? [`calls: ${calledRows.join(', ')}`] : []),
  ].join(' · ')
  return row === '' ? [] : [cutLine(row, longestRow)]
}

/**
 * Whether a call may mean this declaration: `fmt.Errorf` is no function `Errorf` of this project, and `file.close()` hardly
 * its `Queue.close`. A method counts by its own object, by its type, in its own file, or by a name of several words.
 */
function belongsTo({ file, symbol }: Place, receiver: string | undefined, path: string): boolean {
  if (notCallable.has(symbol.kind)) return false
  const isOwn = receiver !== undefined && /^(?:this|self|super|cls)$/.test(receiver)
  const owner = symbol.qualified.split('.').at(-2)
  if (owner === undefined)
    return receiver === undefined || isOwn || file.path.split(/[/.]/).includes(receiver)
  if (isOwn || file.path === path) return true
  return (
    receiver?.toLowerCase() === owner.toLowerCase() ||
    (receiver !== undefined && severalWords.test(symbol.name))
  )
}

const notCallable = new Set(['key', 'table', 'rule', 'heading', 'field', 'attribute', 'property'])
const severalWords = /[a-z\d][A-Z]|\w_\w/

const keywords = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'await',
  'super',
  'typeof',
  'print',
  'range',
  'len',
  'list',
  'dict',
  'self',
  'String',
  'Number',
  'Array',
  'Promise',
  'Error',
  'require',
  'import',
  'make',
  'append',
  'panic',
  'push',
  'filter',
  'join',
  'slice',
  'includes',
  'test',
  'exec',
  'then',
  'isinstance',
  'format',
])

interface Place {
  file: TextFile
  symbol: FileSymbol
}

/** A definition of this exact name that the index knows: in the same file first, then in the best other one. */
async function definitionInIndex(
  library: Library,
  listing: ProjectListing,
  name: string,
  unit: Unit,
): Promise<Place | null> {
  const near = knownFile(rootOf(library), unit.path)
  const own = near && (await symbolsOf(library, near)).symbols.find((one) => one.name === name)
  if (near && own) return { file: near, symbol: own }
  const found = terms(name)
  const whole = found.find((one) => one.whole) ?? found[0]
  if (!whole) return null
  const { ranks } = await library.store.rank({
    terms: [{ term: whole.term, weight: 1, required: true }],
    ...{ weights: names, scope: { kinds: ['code'] }, limit: 8 },
  })
  const chunks = await library.store.chunks(ranks.map(({ chunk }) => chunk))
  const sources = new Map(library.sources.map((source) => [source.id, source]))
  const paths = chunks
    .filter(({ symbols }) => symbols.some((symbol) => symbol === name || symbol.endsWith(`.${name}`)))
    .flatMap(({ ref }) => {
      const source = sources.get(ref.source)
      const place = source ? placeOf(library, source) : null
      return place === null ? [] : [place === '' ? ref.path : `${place}/${ref.path}`]
    })
    .filter((path) => !isSideRole(roleIn(listing, path)) && isCallable(path, unit.path))
  const path = meantPath([...new Set(paths)], unit)
  const file = path === undefined ? null : knownFile(rootOf(library), path)
  if (!file) return null
  const { symbols } = await symbolsOf(library, file)
  const symbol = symbols.find((one) => one.name === name)
  return symbol ? { file, symbol } : null
}

/** A call means a function of the same language, or of one that is compiled with it: a shell script may use the same name. */
function isCallable(path: string, from: string): boolean {
  const [there, here] = [path, from].map((one) => formatOf(one)?.language ?? '')
  return there === here || families.some((family) => family.includes(there!) && family.includes(here!))
}

const families = [
  ['javascript', 'typescript', 'vue', 'svelte', 'astro'],
  ['c', 'cpp', 'objectivec'],
  ['java', 'kotlin', 'scala', 'groovy'],
]

/** Imports are among so many first characters of a file. */
const importCharacters = 5_000

/** Of several files that declare a name: the only one, one in the same folder, or one that the unit's file names. */
function meantPath(paths: readonly string[], { path: from, text }: Unit): string | undefined {
  if (paths.length < 2) return paths[0]
  const folder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
  const imported = new Set(text.slice(0, importCharacters).match(/[\w-]+/g))
  const isNamed = (path: string) => imported.has(path.slice(folder(path).length).replace(/\..*/, ''))
  return paths.find((path) => folder(path) === folder(from)) ?? paths.find(isNamed)
}

function valueText({ file, symbol }: Place): string {
  const line = file.text.split('\n')[symbol.nameLine - 1]?.trim() ?? symbol.name
  const value = /=\s*(.+?)[;,]?\s*$/.exec(line)?.[1]
  return value ? `${symbol.name} = ${cutLine(value, 60)}` : symbol.name
}
