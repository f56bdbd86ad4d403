// The notes of every folder, in memory as graphs. Loaded when first asked for; afterwards, when anything in the store
// changed, only documents that were read again since are loaded again.
import { emptyGraph, type Graph, type GraphNote, type NoteChange } from '../../graph/graph.js'
import { breather } from '../../model/breather.js'
import type { NotedDocument } from '../../model/document.js'
import type { FolderSettings } from '../../model/settings.js'
import type { Source } from '../../model/source.js'
import { documentIdOf, isDocumentId } from '../document-ids.js'
import type { Library } from '../library.js'

export interface Vault {
  source: Source
  folder: FolderSettings
  /** Before the paths of every vault but the first: `alias:`. */
  prefix: string
  graph: Graph
  /** What the store said of each note when it was loaded. */
  known: Map<string, Known>
}

export type Known = Pick<NotedDocument, 'hash' | 'stamp' | 'readAt' | 'notes'>

/** A note and where it is. */
export interface Spot {
  vault: Vault
  path: string
}

interface Memory {
  version: string | null
  vaults: Vault[]
  loading: Promise<void> | null
  /** The version of each note whose warnings have been told. */
  told: Map<string, string>
}

const memories = new WeakMap<Library, Memory>()

export function memoryOf(library: Library): Memory {
  const known = memories.get(library)
  if (known) return known
  const made = { version: null, vaults: vaultsOf(library), loading: null, told: new Map<string, string>() }
  memories.set(library, made)
  return made
}

/** The vaults as the store has them now. */
export async function openVaults(library: Library): Promise<readonly Vault[]> {
  const memory = memoryOf(library)
  // Whoever comes while the graphs are being loaded waits, and then looks whether that was late enough.
  while (memory.loading) await memory.loading
  const version = await library.store.version()
  if (memory.loading) return openVaults(library)
  if (version !== memory.version) {
    memory.loading = loadAll(library, memory, version).finally(() => {
      memory.loading = null
    })
    await memory.loading
  }
  return memory.vaults
}

export function idOf({ vault, path }: Spot): string {
  return vault.prefix + path
}

/** The note an id names. Case is ignored, and the ending may be left out. A document's id names its note too. */
export function spotOf(vaults: readonly Vault[], id: string): (Spot & { note: GraphNote }) | null {
  if (isDocumentId(id)) return spotOfDocument(vaults, id)
  for (const { vault, path } of readings(vaults, id)) {
    const note = vault.graph.find(path.replace(/^(?:\.?\/)+/, ''))
    if (note) return { vault, path: note.facts.path, note }
  }
  return null
}

function spotOfDocument(vaults: readonly Vault[], id: string) {
  for (const vault of vaults)
    for (const [path, note] of vault.graph.notes)
      if (documentIdAt(vault, path) === id) return { vault, path, note }
  return null
}

const documentIds = new WeakMap<Vault, Map<string, string>>()

/** Hashed once for each note, however often ids are looked for. */
function documentIdAt(vault: Vault, path: string): string {
  const known = documentIds.get(vault) ?? new Map<string, string>()
  documentIds.set(vault, known)
  const id = known.get(path) ?? documentIdOf({ source: vault.source.id, path })
  known.set(path, id)
  return id
}

/** The vault a path lies in, by its alias before the colon, else the first. */
export function vaultFor(vaults: readonly Vault[], place: string): Spot | null {
  return readings(vaults, place).at(-1) ?? null
}

function readings(vaults: readonly Vault[], id: string): Spot[] {
  const first = vaults.slice(0, 1).map((vault) => ({ vault, path: id }))
  const colon = id.indexOf(':')
  const named = colon > 0 ? vaults.find(({ source }) => source.name === id.slice(0, colon)) : undefined
  return named ? [...first, { vault: named, path: id.slice(colon + 1) }] : first
}

function vaultsOf({ sources, settings }: Library): Vault[] {
  const folders = sources.flatMap((source) => {
    const folder = settings.sources.find(({ name }) => name === source.name)
    return folder && source.kind === 'folder' ? [{ source, folder }] : []
  })
  return folders.map((one, i) => ({
    ...one,
    prefix: i === 0 ? '' : `${one.source.name}:`,
    graph: emptyGraph(),
    known: new Map(),
  }))
}

async function loadAll({ store }: Library, memory: Memory, version: string) {
  for (const vault of memory.vaults) {
    if (memory.version === null) await take(vault, await store.noted(vault.source.id))
    else {
      const { changed, gone } = await changes(store, vault)
      await take(vault, await store.noted(vault.source.id, changed), gone)
    }
  }
  memory.version = version
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

// Other formats are in the fingerprints too, and asked for in vain each time unless they are told apart by name.
function isNew(path: string): boolean {
  return /\.(?:md|markdown|mdown|mkd|mdx|mdc|qmd|rmd)$/i.test(path)
}

const manyChanges = 100

async function take({ graph, known }: Vault, noted: NotedDocument[], gone: string[] = []) {
  const changes: NoteChange[] = gone.map((path) => [path, null])
  const breathe = breather()
  for (const { path, title, aliases, tags, links, hash, stamp, readAt, notes } of noted) {
    known.set(path, { hash, stamp, readAt, notes })
    changes.push([path, { path, title, aliases, tags, links }])
  }
  for (const path of gone) known.delete(path)
  if (changes.length === 0) return
  if (changes.length < manyChanges) graph.change(changes)
  else for (const _ of graph.changing(changes)) await breathe()
}
