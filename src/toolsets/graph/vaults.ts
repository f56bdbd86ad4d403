// The notes of every folder as graphs in memory. `refreshVaults` loads them from the store; after the first time it loads
// only documents that were indexed again since. Nothing else changes a vault: all others get a read-only view.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documentIdOf, isDocumentId, pathInside } from '../../answer/addresses.js'
import { type Library, libraryState, placeOf } from '../../answer/library.js'
import {
  emptyGraph,
  type Graph,
  type GraphNote,
  type MutableGraph,
  type NoteChange,
} from '../../graph/graph.js'
import { noteEnding, withoutEnding } from '../../graph/names.js'
import { notesCalled } from '../../graph/resolve.js'
import type { NotedDocument } from '../../model/document.js'
import type { FolderSettings } from '../../model/settings.js'
import type { Source } from '../../model/source.js'
import { createYielder } from '../../runtime/yield.js'
import { normalForms, sameName } from '../../text/normal-forms.js'
import { invalid } from './files.js'

export interface Vault {
  readonly source: Source
  readonly folder: FolderSettings
  /** Where the folder lies below the project's root; null when it lies elsewhere. */
  readonly below: string | null
  /** Whether its paths are ids as they are, without an alias. */
  readonly isDefault: boolean
  /** Of all vaults, as they are compared. */
  readonly aliases: ReadonlySet<string>
  readonly graph: Graph
  /** The state of each note in the store when it was loaded. */
  readonly known: ReadonlyMap<string, Known>
  /** The id of the document at a path. Computed once for each path. */
  documentId(path: string): string
}

export type Known = Readonly<Pick<NotedDocument, 'hash' | 'stamp' | 'readAt' | 'notes'>>

interface LoadedVault extends Vault {
  readonly graph: MutableGraph
  readonly known: Map<string, Known>
}

/** A note and where it is. */
export interface Spot {
  vault: Vault
  path: string
}

interface LoadedVaults {
  readonly vaults: readonly LoadedVault[]
  /** The version of the store that they were loaded from; null before the first time. */
  version: string | null
  loading: Promise<void> | null
}

const loadedVaults = libraryState(
  'vaults',
  (library): LoadedVaults => ({ vaults: createVaults(library), version: null, loading: null }),
)

/** The vaults as they were last loaded; their graphs may be empty or behind the store. */
export function vaultsOf(library: Library): readonly Vault[] {
  return loadedVaults(library).vaults
}

/** Brings the graphs up to date with the store. Returns the vaults, which are the same objects every time. */
export async function refreshVaults(library: Library): Promise<readonly Vault[]> {
  const loaded = loadedVaults(library)
  // A caller that comes during a load waits for it, and then checks whether the load was late enough.
  while (loaded.loading) await loaded.loading
  const version = await library.store.version()
  if (loaded.loading) return refreshVaults(library)
  if (version !== loaded.version) {
    loaded.loading = loadAll(library, loaded, version).finally(() => {
      loaded.loading = null
    })
    await loaded.loading
  }
  return loaded.vaults
}

/** Keeps the new time stamps of a file that was only touched, unless its note was loaded again meanwhile. */
export function restampNote(
  library: Library,
  { vault, path, known }: Spot & { known: Known },
  seen: Partial<Pick<Known, 'stamp' | 'readAt'>>,
): void {
  const loaded = loadedVaults(library).vaults.find((one) => one === vault)
  if (loaded?.known.get(path) === known) loaded.known.set(path, { ...known, ...seen })
}

/**
 * A note's id: its path, with its vault's alias in front unless the vault is the default one. There, too, a path that reads
 * like an alias and a path gets the alias, so that no two notes share an id.
 */
export function idOf({ vault: { source, isDefault, aliases }, path }: Spot): string {
  return isDefault && !aliases.has(aliasIn(path)) ? path : `${source.name}:${path}`
}

/** The text before the first colon, in the form in which aliases are compared. */
function aliasIn(written: string): string {
  return sameName(written.slice(0, Math.max(0, written.indexOf(':'))))
}

/**
 * The note an id names. Case is ignored, and the ending may be left out. A document's id names its note too, and so does the
 * path below the project's root by which files are named.
 */
export function spotOf(vaults: readonly Vault[], id: string): NamedSpot | null {
  return spotOfId(vaults, id) ?? spotBelowRoot(vaults, id)
}

/** The same, and where no id fits, the one note with that title, file name or alias. */
export function spotNamed(vaults: readonly Vault[], name: string): NamedSpot | null {
  const byId = spotOf(vaults, name)
  if (byId) return byId
  const [spot, ...others] = spotsCalled(vaults, name)
  return spot && others.length === 0 ? spot : null
}

const longestTitle = 1000

/** All notes with a title, file name or alias; in one vault, where an alias of that stands in front. */
export function spotsCalled(vaults: readonly Vault[], name: string): NamedSpot[] {
  // A name that ends like a file is an id: the id of a deleted file must not find another note.
  if (noteEnding(name) !== '' || name.length > longestTitle || name.trim() === '') return []
  const place = vaultFor(vaults, name)
  const places = place && place.path !== name ? [place] : vaults.map((vault) => ({ vault, path: name }))
  const files = new Map<string, NamedSpot>()
  for (const { vault, path: title } of places) {
    const found = notesCalled(vault.graph.candidates, title.trim())
    for (const path of found ? [found.path, ...found.others] : []) {
      const [file, note] = [join(vault.folder.path, path), vault.graph.notes.get(path)]
      // Where one source lies inside another, a file is a note of both.
      if (note && !files.has(file)) files.set(file, { vault, path, note })
    }
  }
  return [...files.values()]
}

/**
 * The same for changing the note. A path below the root is accepted only if the first vault has no folder of that name.
 * Folders stay when a note is deleted, so a repeated deletion does not find another note under the same name.
 */
export function spotToChange(vaults: readonly Vault[], id: string, find = findAny): NamedSpot | null {
  const named = spotOfId(vaults, id, find)
  if (named || !vaults[0] || existsSync(join(vaults[0].folder.path, dirname(id)))) return named
  return spotBelowRoot(vaults, id)
}

/**
 * The same for deleting the note or replacing its text. The meaning of an id must not depend on which notes were deleted:
 * an id with an ending is exactly that path, and one without is refused if several notes have it.
 */
export function spotToLose(vaults: readonly Vault[], id: string): NamedSpot | null {
  return spotToChange(vaults, id, findOnly)
}

/** The folder for a new note, by the same rule. */
export function spotToFill(vaults: readonly Vault[], directory: string): Spot | null {
  const named = vaultFor(vaults, directory)
  const folder = withoutDots(directory)
  if (named?.path !== directory || existsSync(join(named.vault.folder.path, folder.split('/', 1)[0]!)))
    return named
  for (const vault of vaults) {
    const path = vault.below ? pathInside(vault.below, `${folder.replace(/\/+$/, '')}/`) : null
    if (path !== null) return { vault, path: path.replace(/\/$/, '') }
  }
  return named
}

type NamedSpot = Spot & { note: GraphNote }

function spotOfId(vaults: readonly Vault[], id: string, find = findAny): NamedSpot | null {
  if (isDocumentId(id)) return spotOfDocument(vaults, id)
  const place = vaultFor(vaults, id)
  const note = place && find({ vault: place.vault, path: withoutDots(place.path) })
  return note ? { vault: place.vault, path: note.facts.path, note } : null
}

function findAny({ vault: { graph }, path }: Spot): GraphNote | undefined {
  const note = graph.find(path)
  return note && hasTwoEndings(note.facts.path, path) ? undefined : note
}

function findOnly({ vault, path }: Spot): GraphNote | undefined {
  const { graph } = vault
  if (noteEnding(path) !== '') return normalForms(path).flatMap((form) => graph.notes.get(form) ?? [])[0]
  const [note, ...others] = graph.named(path)
  if (!note || others.length === 0) return note
  const ids = [note, ...others].map(({ facts }) => idOf({ vault, path: facts.path }))
  throw invalid(`"${path}" may be ${ids.slice(0, 5).join(' or ')}.`, 'Give the whole id.')
}

function withoutDots(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '')
}

function spotBelowRoot(vaults: readonly Vault[], written: string): NamedSpot | null {
  for (const vault of vaults)
    for (const path of normalForms(pathInside(vault.below, withoutDots(written)) ?? '')) {
      const note = vault.graph.notes.get(path)
      if (note) return { vault, path, note }
    }
  return null
}

/** An id with an ending is complete: `a.md` does not mean `a.md.md`, even after `a.md` was deleted. */
function hasTwoEndings(path: string, written: string): boolean {
  return noteEnding(written) !== '' && sameName(withoutEnding(path)) === sameName(written)
}

function spotOfDocument(vaults: readonly Vault[], id: string) {
  for (const vault of vaults)
    for (const [path, note] of vault.graph.notes)
      if (vault.documentId(path) === id) return { vault, path, note }
  return null
}

/**
 * The vault of a path: by the alias before the colon, else the first vault. The alias always wins, so that a repeated
 * deletion does not find another note under the same id.
 */
export function vaultFor(vaults: readonly Vault[], place: string): Spot | null {
  const alias = aliasIn(place)
  const named = vaults.find(({ source }) => sameName(source.name) === alias)
  if (named) return { vault: named, path: place.slice(place.indexOf(':') + 1) }
  return vaults[0] ? { vault: vaults[0], path: place } : null
}

function createVaults({ sources, settings }: Library): LoadedVault[] {
  const folders = sources.flatMap((source) => {
    const folder = settings.sources.find(({ name }) => name === source.name)
    return folder && source.kind === 'folder' ? [{ source, folder }] : []
  })
  const aliases = new Set(folders.map(({ source }) => sameName(source.name)))
  return folders.map((one, i) => ({
    ...one,
    below: placeOf({ settings }, one.source),
    isDefault: i === 0,
    aliases,
    graph: emptyGraph(),
    known: new Map(),
    documentId: cachedDocumentIds(one.source.id),
  }))
}

function cachedDocumentIds(source: string): Vault['documentId'] {
  const ids = new Map<string, string>()
  return (path) => {
    const id = ids.get(path) ?? documentIdOf({ source, path })
    ids.set(path, id)
    return id
  }
}

async function loadAll({ store }: Library, loaded: LoadedVaults, version: string) {
  for (const vault of loaded.vaults) {
    if (loaded.version === null) await load(vault, await store.noted(vault.source.id))
    else {
      const { changed, gone } = await changes(store, vault)
      await load(vault, await store.noted(vault.source.id, changed), gone)
    }
  }
  loaded.version = version
}

async function changes(store: Library['store'], { source, known }: Vault) {
  const now = await store.fingerprints(source.id)
  const changed: string[] = []
  for (const [path, { hash, readAt }] of now) {
    const before = known.get(path)
    if (before ? before.hash !== hash || before.readAt !== readAt : isNew(path)) changed.push(path)
  }
  return { changed, gone: [...known.keys()].filter((path) => !now.has(path)) }
}

// The fingerprints list other formats too. Without this test by name, each of them would be loaded in vain every time.
function isNew(path: string): boolean {
  return /\.(?:md|markdown|mdown|mkd|mdx|mdc|qmd|rmd)$/i.test(path)
}

// One note may concern the links of thousands of others: a README, where every folder has one.
async function load({ graph, known }: LoadedVault, noted: NotedDocument[], gone: string[] = []) {
  const changes: NoteChange[] = gone.map((path) => [path, null])
  const yieldIfDue = createYielder()
  for (const { path, title, aliases, tags, links, hash, stamp, readAt, notes } of noted) {
    known.set(path, { hash, stamp, readAt, notes })
    changes.push([path, { path, title, aliases, tags, links }])
  }
  for (const path of gone) known.delete(path)
  if (changes.length === 0) return
  for (const _ of graph.changing(changes)) await yieldIfDue()
}
