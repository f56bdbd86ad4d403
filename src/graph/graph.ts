// The notes of one vault and the links between them, kept up to date note by note: a change costs what it touches.
import type { Link } from '../model/document.js'
import { byText, sameName } from './names.js'
import {
  type Names,
  type NoteFacts,
  namesNote,
  namesOf,
  type Resolution,
  resolve,
  wordsAsked,
} from './resolve.js'

export interface GraphNote {
  facts: NoteFacts
  names: Names
  /** One for each of the note's links, in their order. */
  resolved: readonly Resolution[]
  /** Notes this one leads to, each once, in the order of its links; never itself. */
  out: readonly string[]
}

/** Facts put or change a note, null removes it. */
export type NoteChange = readonly [path: string, facts: NoteFacts | null]

export interface Graph {
  readonly notes: ReadonlyMap<string, GraphNote>
  /** Grows with every change. */
  readonly version: number
  /** By path; case is ignored where that is not ambiguous. */
  find(path: string): GraphNote | undefined
  /** Puts, changes (facts) or removes (null) notes. */
  change(changes: readonly NoteChange[]): void
  /** The same in small steps, for whoever has other work to do in between; until the last the graph is no graph. */
  changing(changes: readonly NoteChange[]): Iterable<void>
  incoming(path: string): ReadonlySet<string>
  /** What a link would lead to if it stood in a note. */
  resolve(from: string, link: Link): Resolution
  candidates(word: string): Iterable<Names>
  /** Notes with a link that could be answered under one of the words. */
  asking(words: Iterable<string>): Set<string>
  /** Paths of notes that have the tag or one below it, in order. */
  tagged(tag: string): readonly string[]
  hasTag(path: string, tag: string): boolean
  /** All paths, in order. */
  paths(): readonly string[]
}

export function emptyGraph(): Graph {
  return openGraph({
    notes: new Map(),
    incoming: new Map(),
    byWord: new Map(),
    askers: new Map(),
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
  /** Notes by the words they answer to, and by the words their links ask for. */
  byWord: Map<string, Set<string>>
  askers: Map<string, Set<string>>
  byFolded: Map<string, Set<string>>
  tags: Map<string, Set<string>>
  version: number
  ordered: string[] | null
  orderedTags: Map<string, string[]>
}

function openGraph(inside: Inside): Graph {
  return {
    notes: inside.notes,
    get version() {
      return inside.version
    },
    find: (path) => inside.notes.get(path) ?? findFolded(inside, path),
    change(changes) {
      for (const _ of changing(inside, changes));
    },
    changing: (changes) => changing(inside, changes),
    incoming: (path) => inside.incoming.get(path) ?? nobody,
    resolve: (from, link) => resolve((word) => namesUnder(inside, word), from, link),
    candidates: (word) => namesUnder(inside, word),
    asking: (words) => union(inside.askers, words),
    tagged: (tag) => ordered(inside, tag.toLowerCase()),
    hasTag: (path, tag) => inside.tags.get(tag.toLowerCase())?.has(path) ?? false,
    paths() {
      inside.ordered ??= [...inside.notes.keys()].sort(byText)
      return inside.ordered
    },
  }
}

const nobody: ReadonlySet<string> = new Set()

function findFolded({ byFolded, notes }: Inside, path: string): GraphNote | undefined {
  const [first] = [...(byFolded.get(sameName(path)) ?? [])].sort(byText)
  return first === undefined ? undefined : notes.get(first)
}

// All names first, then the links: a batch is resolved against what it makes, not against what it passes through.
function* changing(inside: Inside, changes: readonly NoteChange[]): Iterable<void> {
  const words = new Set<string>()
  const again = new Set<string>()
  let done = 0
  for (const [path, facts] of changes) {
    for (const word of remove(inside, path)) words.add(word)
    again.delete(path)
    if (facts) {
      for (const word of insert(inside, facts)) words.add(word)
      again.add(path)
    }
    if (++done % stepNotes === 0) yield
  }
  for (const path of union(inside.askers, words)) again.add(path)
  for (const path of again) {
    connect(inside, path)
    if (++done % stepNotes === 0) yield
  }
  inside.version++
  inside.ordered = null
}

const stepNotes = 250

function remove(inside: Inside, path: string): readonly string[] {
  const note = inside.notes.get(path)
  if (!note) return []
  disconnect(inside, note)
  inside.notes.delete(path)
  for (const word of note.names.words) drop(inside.byWord, word, path)
  for (const word of asked(note.facts)) drop(inside.askers, word, path)
  for (const folded of new Set(note.names.exact)) drop(inside.byFolded, folded, path)
  for (const tag of tagsOf(note.facts)) untag(inside, tag, path)
  return note.names.words
}

function insert(inside: Inside, facts: NoteFacts): readonly string[] {
  const { path } = facts
  const names = namesOf(facts)
  inside.notes.set(path, { facts, names, resolved: [], out: [] })
  for (const word of names.words) put(inside.byWord, word, path)
  for (const word of asked(facts)) put(inside.askers, word, path)
  for (const folded of new Set(names.exact)) put(inside.byFolded, folded, path)
  for (const tag of tagsOf(facts)) {
    put(inside.tags, tag, path)
    inside.orderedTags.delete(tag)
  }
  return names.words
}

/** Works a note's links out again. */
function connect(inside: Inside, path: string) {
  const note = inside.notes.get(path)
  if (!note) return
  disconnect(inside, note)
  const resolved = note.facts.links.map((link) => resolve((word) => namesUnder(inside, word), path, link))
  const targets = resolved.flatMap((one) => (one && one.path !== path ? one.path : []))
  const out = [...new Set(targets)]
  for (const target of out) put(inside.incoming, target, path)
  inside.notes.set(path, { ...note, resolved, out })
}

function disconnect({ incoming }: Inside, { facts, out }: GraphNote) {
  for (const target of out) drop(incoming, target, facts.path)
}

function* namesUnder({ byWord, notes }: Inside, word: string): Iterable<Names> {
  for (const path of byWord.get(word) ?? []) yield notes.get(path)!.names
}

function asked({ links }: NoteFacts): Set<string> {
  return new Set(links.flatMap(wordsAsked))
}

/** `a/b` is found under `a` too. */
function tagsOf({ tags }: NoteFacts): Set<string> {
  const all = new Set<string>()
  for (const tag of tags) {
    const parts = tag.toLowerCase().split('/')
    for (let depth = 1; depth <= parts.length; depth++) all.add(parts.slice(0, depth).join('/'))
  }
  return all
}

function untag(inside: Inside, tag: string, path: string) {
  drop(inside.tags, tag, path)
  inside.orderedTags.delete(tag)
}

function ordered({ tags, orderedTags }: Inside, tag: string): readonly string[] {
  const known = orderedTags.get(tag)
  if (known) return known
  const paths = [...(tags.get(tag) ?? [])].sort(byText)
  if (paths.length > 0) orderedTags.set(tag, paths)
  return paths
}

function put(map: Map<string, Set<string>>, key: string, value: string) {
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

/** Links of a note that lead nowhere, and those that could have meant several notes. */
export function doubtsOf(note: GraphNote): { broken: Link[]; ambiguous: { link: Link; paths: string[] }[] } {
  const broken: Link[] = []
  const ambiguous: { link: Link; paths: string[] }[] = []
  for (const [i, link] of note.facts.links.entries()) {
    const found = note.resolved[i]
    if (!found && namesNote(link)) broken.push(link)
    if (found && found.others.length > 0) ambiguous.push({ link, paths: [found.path, ...found.others] })
  }
  return { broken, ambiguous }
}
