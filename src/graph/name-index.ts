// An index of notes by lookup word. A word with few notes is searched linearly. A word with hundreds of notes (a README
// in every folder) also has an index by name and a cache of resolutions.
import { byText, lastSegment } from './names.js'
import type { MatchKind, Names, NoteCandidates, Resolution } from './resolve.js'

/** A plain object, because there is one for every word, and most have one note. */
export interface WordEntry {
  all: Map<string, Names>
  byName: Map<string, Names | Set<Names>> | null
  found: Map<string, Resolution> | null
}

export type NameIndex = Map<string, WordEntry>

/** Searching more notes than this linearly takes longer than an index by name. */
const few = 32

/** Adds a note under each of its lookup words. */
export function addNames(index: NameIndex, names: Names) {
  for (const word of names.words) {
    const entry = index.get(word) ?? { all: new Map(), byName: null, found: null }
    entry.all.set(names.path, names)
    if (entry.byName) for (const key of keysOf(names)) enter(entry.byName, key, names)
    else if (entry.all.size > few) entry.byName = byNameOf(entry.all.values())
    entry.found = null
    index.set(word, entry)
  }
}

export function removeNames(index: NameIndex, names: Names) {
  for (const word of names.words) {
    const entry = index.get(word)
    if (!entry?.all.delete(names.path)) continue
    if (entry.byName) for (const key of keysOf(names)) leave(entry.byName, key, names)
    if (entry.all.size <= few / 2) entry.byName = null
    entry.found = null
    if (entry.all.size === 0) index.delete(word)
  }
}

export function candidatesOf(entry: WordEntry | undefined): NoteCandidates {
  if (!entry) return nothing
  return {
    has: (path) => entry.all.has(path),
    find(way, name) {
      const near = entry.byName ? (entry.byName.get(keyOf(name)) ?? []) : entry.all.values()
      if (!(near instanceof Set)) return best('path' in near ? [near] : [...near], way, name)
      entry.found ??= new Map()
      return once(entry.found, near.size, way, name, () => best([...near], way, name))
    },
  }
}

/** The same candidates without the notes at some paths, and with others added. */
export function withChanges(
  near: NoteCandidates,
  without: ReadonlySet<string>,
  added: readonly Names[],
): NoteCandidates {
  const found = new Map<string, Resolution>()
  return {
    has: (path) => added.some((names) => names.path === path) || (!without.has(path) && near.has(path)),
    find(way, name) {
      const known = near.find(way, name)
      const now = () => {
        const paths = known ? [known.path, ...known.others].filter((path) => !without.has(path)) : []
        return inOrder([...paths, ...pathsThatFit(added, way, name)])
      }
      return once(found, known?.others.length ?? 0, way, name, now)
    },
  }
}

const nothing: NoteCandidates = { has: () => false, find: () => null }

function once(
  found: Map<string, Resolution>,
  size: number,
  way: MatchKind,
  name: string,
  work: () => Resolution,
): Resolution {
  if (size < few) return work()
  const key = `${way} ${name}`
  const known = found.get(key)
  if (known !== undefined) return known
  const now = work()
  found.set(key, now)
  return now
}

function best(near: readonly Names[], way: MatchKind, name: string): Resolution {
  return inOrder(pathsThatFit(near, way, name))
}

function pathsThatFit(near: readonly Names[], way: MatchKind, name: string): string[] {
  return near.filter((names) => fits[way](names, name)).map(({ path }) => path)
}

/** The shortest path wins, then the first in order. */
function inOrder(paths: string[]): Resolution {
  if (paths.length === 0) return null
  const [path, ...others] = paths.sort((a, b) => a.length - b.length || byText(a, b))
  return { path: path!, others }
}

const fits: Record<MatchKind, (names: Names, name: string) => boolean> = {
  path: ({ exact }, name) => exact.includes(name),
  'loose path': ({ loose }, name) => loose.includes(name),
  title: ({ titles }, name) => titles.includes(name),
  'file name': ({ exact }, name) => exact.some((path) => lastSegment(path) === name),
  alias: ({ aliases }, name) => aliases.includes(name),
  'loose name': ({ loose, looseTitles }, name) => loose.includes(name) || looseTitles.includes(name),
  'loose file name': ({ loose }, name) => loose.some((path) => lastSegment(path) === name),
  'loose alias': ({ looseAliases }, name) => looseAliases.includes(name),
  end: ({ exact }, name) => exact.some((path) => path.endsWith(`/${name}`)),
  'loose end': ({ loose }, name) => loose.some((path) => path.endsWith(`/${name}`)),
  file: ({ exact: [file] }, name) => file === name || file!.endsWith(`/${name}`),
}

// The last folders of a long path distinguish it well enough; a key for each folder could mean thousands of keys.
const foldersInKey = 5

function keyOf(name: string): string {
  return tails(name).at(-1) ?? ''
}

/** Every name of a note, and every end of its path. */
function keysOf({ exact, loose, titles, looseTitles, aliases, looseAliases }: Names): Set<string> {
  return new Set([
    ...[...exact, ...loose].flatMap(tails),
    ...[...titles, ...looseTitles, ...aliases, ...looseAliases].map(keyOf),
  ])
}

function tails(path: string): string[] {
  const all: string[] = []
  let at = path.length
  for (let folders = 0; folders <= foldersInKey && at > 0; folders++) {
    at = path.lastIndexOf('/', at - 1)
    all.push(path.slice(at + 1))
  }
  return all
}

function byNameOf(all: Iterable<Names>) {
  const byName = new Map<string, Names | Set<Names>>()
  for (const names of all) for (const key of keysOf(names)) enter(byName, key, names)
  return byName
}

// Most keys have one note; a set for each would take most of the memory.
function enter(byName: Map<string, Names | Set<Names>>, key: string, names: Names) {
  const known = byName.get(key)
  if (known instanceof Set) known.add(names)
  else byName.set(key, known ? new Set([known, names]) : names)
}

function leave(byName: Map<string, Names | Set<Names>>, key: string, names: Names) {
  const known = byName.get(key)
  if (!(known instanceof Set)) byName.delete(key)
  else if (known.delete(names) && known.size === 0) byName.delete(key)
}
