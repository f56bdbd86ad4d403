// The sources of the knowledge toolset. Those that people make (uploads, crawls, programs) are records of our own and
// outlive the index; configured folders, packages and what the project remembers are sources too, since there is one
// index for all.
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { Problem } from '../model/problem.js'
import type { Source, SourceKind } from '../model/source.js'
import { nearest } from '../text/nearest.js'
import { wholeCharacters } from '../text/truncate.js'
import { checkedTitle, checkedUrl } from './checked-fields.js'
import type { Library } from './library.js'
import { isMemoryName } from './memory/records.js'
import { knownSources } from './notes/index-state.js'

export type OwnType = 'upload' | 'crawl' | 'api'

export interface KnowledgeSource {
  /** `src_…` of our own; a configured source goes by the id it has everywhere. */
  id: string
  title: string
  /** The collection's name in every other tool; that of a configured source is its title. */
  name?: string
  url: string | null
  type: OwnType | 'folder' | 'package' | 'memory'
  status: 'active'
  createdAt: string
  updatedAt: string
}

/** The record of a source that a user or a tool created. */
export interface SourceRecord extends KnowledgeSource {
  type: OwnType
  /** The title, or the title with a number if another source has that name. */
  name: string
}

export const sourceKind = 'knowledge-source'

/** Where documents go whose maker names no source. */
export const defaultSource = { id: 'src_uploads', title: 'Uploads', type: 'upload' } as const

export interface NewSource {
  title: string
  url?: string | null
  type: OwnType
  /** Only for a source that is always the same one. */
  id?: string
}

export function createSource(library: Library, given: NewSource): Promise<SourceRecord> {
  return lockSources(library, () => makeSource(library, given))
}

/** One looks which sources and names there are, and makes one, at a time. */
export function lockSources<T>(library: Library, work: () => Promise<T>): Promise<T> {
  return library.mutex.withLock('sources', work)
}

/** The caller must hold the lock. */
export async function makeSource(library: Library, given: NewSource): Promise<SourceRecord> {
  const title = checkedTitle(given.title, longestTitle)
  const url = given.url ? checkedUrl(given.url) : null
  const now = new Date().toISOString()
  const id = given.id ?? `src_${randomBytes(8).toString('hex')}`
  const name = await freeName(library, title, id)
  const made: SourceRecord = {
    id,
    title,
    url,
    type: given.type,
    status: 'active',
    createdAt: now,
    updatedAt: now,
    name,
  }
  const stored = await library.store.records.update<SourceRecord>(sourceKind, id, (before) => before ?? made)
  await keepRow(library, stored!)
  return stored!
}

/** A folder keeps the name that the configuration gives it: a source of ours by that name gets another, as if it came second. */
export async function makeWay(library: Library): Promise<void> {
  const folders = new Set(library.sources.map(({ name }) => name.toLowerCase()))
  for (const { id, title, name } of await ownSources(library)) {
    if (!folders.has(name.toLowerCase())) continue
    const stored = await lockSources(library, async () => {
      const free = await freeName(library, title, id)
      return library.store.records.update<SourceRecord>(
        sourceKind,
        id,
        (before) => before && { ...before, name: free },
      )
    })
    if (stored) await keepRow(library, stored)
  }
}

/** The source that documents without one go to, made when it is first needed. */
export async function openDefaultSource(library: Library): Promise<SourceRecord> {
  const found = await library.store.records.get<SourceRecord>(sourceKind, defaultSource.id)
  if (!found) return createSource(library, defaultSource)
  await keepRow(library, found)
  return found
}

export async function hasDefaultSource({ store }: Library): Promise<boolean> {
  return (await store.records.get<SourceRecord>(sourceKind, defaultSource.id)) !== null
}

/** Every source: the configured ones by name, then our own by age, then what the project remembers. */
export async function allSources(library: Library): Promise<KnowledgeSource[]> {
  const own = await ownSources(library)
  const others = (await knownSources(library)).filter((row) => !isMade(row)).map(asKnowledge)
  const named = others.sort((a, b) => compare(a.title, b.title) || compare(a.id, b.id))
  return [
    ...named.filter(({ type }) => type !== 'memory'),
    ...own.sort(byAge),
    ...named.filter(({ type }) => type === 'memory'),
  ]
}

export async function ownSources({ store }: Library): Promise<SourceRecord[]> {
  return (await store.records.all<SourceRecord>(sourceKind)).map(({ value }) => value)
}

/**
 * A source by its id, by the name it has as a collection, or by its title; null when there is none. Of several that people
 * gave one title none is preferred; a configured one keeps the name that it has everywhere.
 */
export async function findSource(library: Library, named: string): Promise<KnowledgeSource | null> {
  const found = await lookUp(library, named)
  if (found && isOwn(found) && found.id !== named) requireOne(await ownSources(library), found, named)
  return found
}

async function lookUp(library: Library, named: string): Promise<KnowledgeSource | null> {
  const own = await library.store.records.get<SourceRecord>(sourceKind, named)
  if (own) return own
  const rows = await knownSources(library)
  const row = rows.find(({ id }) => id === named) ?? rows.find(({ name }) => name === named)
  const made = row ? null : await titled(library, named)
  if (made) return made
  const found = row ?? folderCalled(rows, named)
  if (!found) return null
  return isMade(found) ? library.store.records.get<SourceRecord>(sourceKind, found.id) : asKnowledge(found)
}

/** One of some sources by its name as a collection, by its id, or by its title. */
export async function collectionNamed(
  library: Library,
  sources: readonly Source[],
  named: string,
): Promise<Source | undefined> {
  const found = sources.find(({ name }) => name === named) ?? sources.find(({ id }) => id === named)
  if (found) return found
  const made = await titled(library, named)
  return made ? sources.find(({ id }) => id === made.id) : folderCalled(sources, named)
}

/** A folder as it is called on disk, where its name as a collection has other signs in place of spaces and the like. */
function folderCalled(sources: readonly Source[], named: string): Source | undefined {
  const wanted = named.normalize('NFC')
  const called = ({ name, kind, location }: Source) =>
    name === wanted || (kind === 'folder' && basename(location).normalize('NFC') === wanted)
  const found = sources.filter(called)
  return found.length === 1 ? found[0] : undefined
}

/** All that a source goes by. */
export async function namesOf({ store }: Library, { id, name }: Source): Promise<string[]> {
  const made = await store.records.get<SourceRecord>(sourceKind, id)
  return [...new Set([name, id, made?.title ?? name])]
}

/** The source that somebody gave this title, which its name as a collection need not spell. */
async function titled(library: Library, title: string): Promise<SourceRecord | null> {
  const own = await ownSources(library)
  const found = own.find((source) => source.title === title)
  if (found) requireOne(own, found, title)
  return found ?? null
}

function requireOne(all: readonly KnowledgeSource[], found: KnowledgeSource, named: string) {
  const alike = all.filter(({ id, title }) => id === found.id || title === named)
  const own = alike.filter(isOwn).map(({ id }) => `'${id}'`)
  if (alike.length > 1 && own.length > 0)
    throw new Problem(
      'ambiguous_source',
      `${alike.length} sources go by the name "${short(named)}".`,
      own.length === 1
        ? `Name the one that can be changed by its id: ${own[0]}.`
        : `Name one by its id: ${own.join(', ')}.`,
    )
}

/** The same, where there has to be one. */
export async function sourceOf(library: Library, named: string): Promise<KnowledgeSource> {
  const found = await findSource(library, named)
  if (found) return found
  const all = await allSources(library)
  const close = nearest(
    named,
    all.flatMap(({ id, title }) => [id, title]),
  )
  const like = all.find(({ id, title }) => id === close || title === close)
  const meant = like ? `Did you mean source_id='${like.id}' ("${like.title}")? ` : ''
  throw new Problem(
    'unknown_source',
    `Invalid source_id: ${short(named)} not found`,
    `${meant}Use manage_source(action='list') to see available sources.`,
  )
}

/** A source that people may change: one of ours. */
export async function ownSourceOf(library: Library, named: string): Promise<SourceRecord> {
  const found = await sourceOf(library, named)
  if (found.id !== named) requireOne(await allSources(library), found, named)
  if (isOwn(found)) return found
  throw notOwn(found)
}

function notOwn({ title, type }: KnowledgeSource): Problem {
  const instead = `To keep documents of your own, use manage_source(action='create', title='…').`
  if (type === 'memory')
    return new Problem(
      'memory_source',
      `"${title}" is what this project remembers; it cannot be changed here.`,
      instead,
    )
  return new Problem(
    'configured_source',
    `"${title}" is a ${type} of the configuration; it cannot be changed here.`,
    type === 'folder'
      ? `Change its files and run "carrel index", or edit "sources" in carrel.json. ${instead}`
      : `Run "carrel remove ${title}" to take the package out. ${instead}`,
  )
}

/** Whether an id is one that `createSource` gives. */
export function isOwnId(id: string): boolean {
  return id === defaultSource.id || /^src_[0-9a-f]{16}$/.test(id)
}

export function isOwn(source: KnowledgeSource): source is SourceRecord {
  return source.type === 'upload' || source.type === 'crawl' || source.type === 'api'
}

export async function updateSource(
  library: Library,
  named: string,
  change: { title?: string | undefined; url?: string | null | undefined },
): Promise<SourceRecord> {
  const { id } = await ownSourceOf(library, named)
  const title = change.title === undefined ? undefined : checkedTitle(change.title, longestTitle)
  const url = change.url ? checkedUrl(change.url) : change.url
  const updatedAt = new Date().toISOString()
  const stored = await lockSources(library, async () => {
    const called = title === undefined ? {} : { title, name: await freeName(library, title, id) }
    const at = url === undefined ? {} : { url: url || null }
    return library.store.records.update<SourceRecord>(
      sourceKind,
      id,
      (before) => before && { ...before, ...called, ...at, updatedAt },
    )
  })
  if (!stored) return sourceOf(library, named) as never
  await keepRow(library, stored)
  return stored
}

/** Notes that a source's documents changed. */
export async function touchSource({ store }: Library, id: string): Promise<void> {
  const updatedAt = new Date().toISOString()
  await store.records.update<SourceRecord>(sourceKind, id, (before) => before && { ...before, updatedAt })
}

/** The row under which the store keeps a source's documents. Written only when something about it is new. */
export async function keepRow(library: Library, source: SourceRecord): Promise<void> {
  const { store } = library
  const { id, name, url, createdAt, updatedAt } = source
  const before = (await store.sources()).find((row) => row.id === id)
  const location = url ?? `${source.type}:${id}`
  if (before?.name === name && before.location === location) return
  const kind = rowKinds[source.type]
  await store.putSource({ id, name, kind, location, createdAt, updatedAt, details: before?.details ?? {} })
  const now = await store.records.get<SourceRecord>(sourceKind, id)
  // If the record was deleted while we wrote, the row has no owner. If it was changed, the other writer may have been first.
  if (!now) await store.forgetSource(id)
  else if (now.name !== name || now.url !== url) await keepRow(library, now)
}

const rowKinds: Record<OwnType, SourceKind> = { upload: 'uploads', crawl: 'web', api: 'api' }

/** Whether the configuration brings a source. */
export function isConfigured({ kind }: Source): boolean {
  return kind === 'folder' || kind === 'package'
}

/** Whether somebody made a source through a tool, rather than the configuration or the project's memory. */
function isMade({ kind }: Source): boolean {
  return Object.values(rowKinds).includes(kind)
}

function asKnowledge({ id, name, kind, location, createdAt, updatedAt }: Source): KnowledgeSource {
  const url = kind !== 'memory' && /^[a-z+]+:\/\//i.test(location) ? location : null
  return {
    id,
    title: name,
    url,
    type: kind as 'folder' | 'package' | 'memory',
    status: 'active',
    createdAt,
    updatedAt,
  }
}

const longestTitle = 500
const longestName = 100

// Two collections of one name would hide one another in the other tools. The name stays free while the lock is held.
async function freeName(library: Library, title: string, id: string): Promise<string> {
  const used = new Set(
    [...(await library.store.sources()), ...(await ownSources(library)), ...library.sources]
      .filter((other) => other.id !== id)
      .map(({ name }) => name.toLowerCase()),
  )
  // A colon parts a collection from a path where both are written as one word.
  const plain = wholeCharacters(title.replaceAll(':', ' -'), longestName).trim()
  for (let n = 1; ; n++) {
    const name = n === 1 ? plain : `${plain} (${n})`
    if (!used.has(name.toLowerCase()) && !isMemoryName(name)) return name
  }
}

export function short(name: string): string {
  return name.length > 200 ? `${wholeCharacters(name, 200)}…` : name
}

function byAge(a: SourceRecord, b: SourceRecord): number {
  return compare(a.createdAt, b.createdAt) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
