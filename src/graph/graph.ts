// The notes of one vault and the links between them, updated note by note: the cost of a change depends on what it
// affects.
import type { Link } from '../model/document.js'
import { sameName } from '../text/normal-forms.js'
import { addNames, candidatesOf, type NameIndex, removeNames, withChanges } from './name-index.js'
import { byText } from './names.js'
import {
  type Candidates,
  lookupWordsOf,
  type Names,
  type NoteCandidates,
  type NoteFacts,
  namesNote,
  namesOf,
  onceEach,
  type Resolution,
  resolve,
} from './resolve.js'

export interface GraphNote {
  facts: NoteFacts
  names: Names
  /** The resolution of each of the note's links, in order. */
  resolved: readonly Resolution[]
  /** The notes that this one links to, each once, in the order of its links, without itself. */
  out: readonly string[]
}

/** Facts add or change a note; null removes it. */
export type NoteChange = readonly [path: string, facts: NoteFacts | null]

/** Resolves links to notes. */
export interface Resolver {
  /** Resolves a link as if it were in the note `from`. */
  resolve(from: string, link: Link): Resolution
  candidates: Candidates
}

/** For readers. A graph changes in place: to copy the maps of 20,000 notes for each edit would take about 90 ms. */
export interface Graph extends Resolver {
  readonly notes: ReadonlyMap<string, GraphNote>
  /** Increases with every change. */
  readonly version: number
  /** The note at a path; else the first note whose path differs only in case. */
  find(path: string): GraphNote | undefined
  /** All notes whose path matches without regard to case and extension, in order. */
  named(path: string): readonly GraphNote[]
  /** What links would mean after changes, without making them. */
  supposing(changes: readonly NoteChange[]): Resolver
  incoming(path: string): ReadonlySet<string>
  /** The notes with a link that one of these words could resolve. */
  linking(words: Iterable<string>): Set<string>
  /** The paths of notes with this tag or a tag below it, in order. */
  tagged(tag: string): readonly string[]
  hasTag(path: string, tag: string): boolean
  /** All paths, in order. */
  paths(): readonly string[]
}

/** For the owner of a graph. */
export interface MutableGraph extends Graph {
  /** Adds, changes (facts) or removes (null) notes. */
  change(changes: readonly NoteChange[]): void
  /** The same in small steps, so that other work can run in between. The graph is inconsistent until the last step. */
  changing(changes: readonly NoteChange[]): Iterable<void>
}

export function emptyGraph(): MutableGraph {
  return openGraph({
    notes: new Map(),
    incoming: new Map(),
    byWord: new Map(),
    linkers: new Map(),
    byFolded: new Map(),
    tags: new Map(),
    version: 0,
    ordered: null,
    orderedTags: new Map(),
  })
}

interface Inside {
  notes: Map<string, GraphNote>
  incoming: Map<string, Set<string>>
  /** Notes by their lookup words, and by the lookup words of their links. */
  byWord: NameIndex
  linkers: Map<string, Set<string>>
  byFolded: Map<string, Set<string>>
  tags: Map<string, Set<string>>
  version: number
  ordered: string[] | null
  orderedTags: Map<string, string[]>
}

function openGraph(inside: Inside): MutableGraph {
  return {
    notes: inside.notes,
    get version() {
      return inside.version
    },
    find: (path) => inside.notes.get(path) ?? namedFolded(inside, path)[0],
    named: (path) => namedFolded(inside, path),
    change(changes) {
      for (const _ of changing(inside, changes));
    },
    changing: (changes) => changing(inside, changes),
    ...resolver((word) => candidatesFor(inside, word)),
    supposing: (changes) => resolver(namesSupposing(inside, changes)),
    incoming: (path) => inside.incoming.get(path) ?? nobody,
    linking: (words) => union(inside.linkers, words),
    tagged: (tag) => ordered(inside, sameName(tag)),
    hasTag: (path, tag) => inside.tags.get(sameName(tag))?.has(path) ?? false,
    paths() {
      // Without a compare function, engines sort strings much faster, and in the same order.
      inside.ordered ??= [...inside.notes.keys()].sort()
      return inside.ordered
    },
  }
}

function resolver(candidates: Candidates): Resolver {
  return { candidates, resolve: (from, link) => resolve(candidates, from, link) }
}

const nobody: ReadonlySet<string> = new Set()

function namedFolded({ byFolded, notes }: Inside, path: string): GraphNote[] {
  return [...(byFolded.get(sameName(path)) ?? [])].sort(byText).flatMap((one) => notes.get(one) ?? [])
}

// Updates all names first, then the links, so that a batch is resolved against its final state. Links in other notes
// are resolved again only if the set of notes for one of their lookup words changed. So an edit of a text costs only
// its own links.
function* changing(inside: Inside, changes: readonly NoteChange[]): Iterable<void> {
  const words = new Set<string>()
  const again = new Set<string>()
  let done = 0
  for (const [path, facts] of changes) {
    for (const word of yield* put(inside, path, facts)) words.add(word)
    if (facts) again.add(path)
    else again.delete(path)
    if (++done % stepNotes === 0) yield
  }
  for (const word of words) {
    for (const path of inside.linkers.get(word) ?? []) again.add(path)
    if (++done % (10 * stepNotes) === 0) yield
  }
  for (const path of again) {
    yield* connect(inside, path)
    if (++done % stepNotes === 0) yield
  }
  inside.version++
  inside.ordered = null
}

const stepNotes = 50
const stepLinks = 500

/**
 * Adds, changes or removes a note, without its links. Returns the lookup words whose links may now resolve differently.
 */
function* put(inside: Inside, path: string, facts: NoteFacts | null): Generator<void, readonly string[]> {
  const old = inside.notes.get(path)
  const [wordsBefore, wordsNow] = [old && (yield* linkWords(old.facts)), facts && (yield* linkWords(facts))]
  if (old) disconnect(inside, old)
  const unchangedNames = old && facts && namedAlike(old.facts, facts) ? old.names : null
  const names = unchangedNames ?? (facts && namesOf(facts))
  if (facts) inside.notes.set(path, { facts, names: names!, resolved: [], out: [] })
  else inside.notes.delete(path)
  exchange(inside.linkers, path, wordsBefore, wordsNow)
  for (const tag of exchange(inside.tags, path, old && tagsOf(old.facts), facts && tagsOf(facts)))
    inside.orderedTags.delete(tag)
  if (unchangedNames) return []
  exchange(inside.byFolded, path, old?.names.exact, names?.exact)
  if (old) removeNames(inside.byWord, old.names)
  if (names) addNames(inside.byWord, names)
  return [...(old?.names.words ?? []), ...(names?.words ?? [])]
}

function namedAlike(a: NoteFacts, b: NoteFacts): boolean {
  return (
    a.title === b.title &&
    a.aliases.length === b.aliases.length &&
    a.aliases.every((alias, i) => alias === b.aliases[i])
  )
}

/** Moves a path from some keys to others. Returns the keys that changed. */
function exchange(
  map: Map<string, Set<string>>,
  path: string,
  before: Iterable<string> | null | undefined,
  after: Iterable<string> | null | undefined,
): Set<string> {
  const [old, now] = [new Set(before ?? []), new Set(after ?? [])]
  for (const key of old) if (!now.has(key)) drop(map, key, path)
  for (const key of now) if (!old.has(key)) add(map, key, path)
  return new Set([...old, ...now].filter((key) => old.has(key) !== now.has(key)))
}

/** Resolves a note's links again. */
function* connect(inside: Inside, path: string): Generator<void> {
  const note = inside.notes.get(path)
  if (!note) return
  disconnect(inside, note)
  const { links } = note.facts
  const meaning = onceEach(links, (link) => resolve((word) => candidatesFor(inside, word), path, link))
  const resolved: Resolution[] = []
  for (const [i, link] of links.entries()) {
    resolved.push(meaning(link, i))
    if (i % stepLinks === stepLinks - 1) yield
  }
  const targets = resolved.flatMap((one) => (one && one.path !== path ? one.path : []))
  const out = [...new Set(targets)]
  for (const target of out) add(inside.incoming, target, path)
  inside.notes.set(path, { ...note, resolved, out })
}

function disconnect({ incoming }: Inside, { facts, out }: GraphNote) {
  for (const target of out) drop(incoming, target, facts.path)
}

function candidatesFor({ byWord }: Inside, word: string): NoteCandidates {
  return candidatesOf(byWord.get(word))
}

function namesSupposing(inside: Inside, changes: readonly NoteChange[]): Candidates {
  const changed = new Map(changes)
  const without = new Set(changed.keys())
  const added = [...changed.values()].flatMap((facts) => (facts ? namesOf(facts) : []))
  const known = new Map<string, NoteCandidates>()
  return (word) => {
    const near = known.get(word) ?? withChanges(candidatesFor(inside, word), without, answering(added, word))
    known.set(word, near)
    return near
  }
}

function answering(all: readonly Names[], word: string): Names[] {
  return all.filter(({ words }) => words.includes(word))
}

function* linkWords({ links }: NoteFacts): Generator<void, Set<string>> {
  const words = new Set<string>()
  const add = onceEach(links, (link) => {
    for (const word of lookupWordsOf(link)) words.add(word)
  })
  for (const [i, link] of links.entries()) {
    add(link, i)
    if (i % stepLinks === stepLinks - 1) yield
  }
  return words
}

/** A tag and its parents: `a/b` is also found under `a`. */
function tagsOf({ tags }: NoteFacts): Set<string> {
  const all = new Set<string>()
  for (const tag of tags) {
    const parts = sameName(tag).split('/')
    for (let depth = 1; depth <= parts.length; depth++) all.add(parts.slice(0, depth).join('/'))
  }
  return all
}

function ordered({ tags, orderedTags }: Inside, tag: string): readonly string[] {
  const known = orderedTags.get(tag)
  if (known) return known
  const paths = [...(tags.get(tag) ?? [])].sort()
  if (paths.length > 0) orderedTags.set(tag, paths)
  return paths
}

function add(map: Map<string, Set<string>>, key: string, value: string) {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

function drop(map: Map<string, Set<string>>, key: string, value: string) {
  const known = map.get(key)
  if (known?.delete(value) && known.size === 0) map.delete(key)
}

function union(map: Map<string, Set<string>>, keys: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const key of keys) for (const value of map.get(key) ?? []) all.add(value)
  return all
}

const mostMeanings = 20

/** Warnings for links that resolve to no note or to several; at most some of the latter. */
export function linkWarnings(note: GraphNote): {
  broken: Link[]
  ambiguous: { link: Link; paths: string[] }[]
} {
  const broken: Link[] = []
  const ambiguous: { link: Link; paths: string[] }[] = []
  for (const [i, link] of note.facts.links.entries()) {
    const found = note.resolved[i]
    if (!found && namesNote(link)) broken.push(link)
    if (found && found.others.length > 0)
      ambiguous.push({ link, paths: [found.path, ...found.others.slice(0, mostMeanings - 1)] })
  }
  return { broken, ambiguous }
}
