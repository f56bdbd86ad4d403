import { dirname } from 'node:path'
import { Problem } from '../model/problem.js'
import type { Allowances } from '../model/settings.js'
import { readContext } from '../sources/package/context-file.js'
import { type Location, packageId, readLocation } from '../sources/package/location.js'
import { type Library, libraryState } from './library.js'
import { isBeingIndexed, knownSources } from './notes/index-state.js'

/** The two context.json files, and the places that the user allows a project's file to name. */
export interface PackagePlaces {
  /** The project's context.json. */
  project: string
  /** The user's own, for all projects. */
  global: string
  allow: Pick<Allowances, 'outside' | 'network'>
  /** True for a server that only reads: nothing is fetched from the network. */
  offline?: boolean
}

/** As the settings have them. */
export function packagePlaces({ settings: { contexts, allow } }: Library): PackagePlaces {
  return { ...contexts, allow }
}

export interface Configured {
  alias: string
  url: string
  /** The context.json that names it. */
  file: string
  global: boolean
}

export function configuredPackages({ project, global }: PackagePlaces): Configured[] {
  const of = (file: string, isGlobal: boolean) =>
    Object.entries(readContext(file)).map(([alias, { url }]) => ({ alias, url, file, global: isGlobal }))
  const own = of(project, false)
  const names = new Set(own.map(({ alias }) => alias))
  const free = project === global ? [] : of(global, true).filter(({ alias }) => !names.has(alias))
  const shared = free.filter((one) => !own.some((other) => areOne(one, other)))
  return [...own, ...shared].sort((a, b) => (a.alias < b.alias ? -1 : 1))
}

export function areOne(a: Configured, b: Configured): boolean {
  const id = idOf(a)
  return id !== null && id === idOf(b)
}

export function idOf(one: Configured): string | null {
  const location = locationOf(one)
  return location && packageId(location)
}

/** Null: its address cannot be read. The sync reports that. */
export function locationOf({ url, file }: Configured): Location | null {
  try {
    return readLocation(url, dirname(file))
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** A package that is configured but not in the index. */
export interface UnsyncedPackage {
  alias: string
  /** Why it is not there. */
  sentence: string
}

/** The configured packages whose alias no collection has. */
export async function unsyncedPackages(library: Library): Promise<UnsyncedPackage[]> {
  const known = new Set((await knownSources(library)).map(({ name }) => name))
  const aliases = configuredAliases(library).filter((alias) => !known.has(alias))
  const isIndexed = aliases.length > 0 && (await isBeingIndexed(library))
  const errors = lastErrors(library)
  return aliases.map((alias) => ({ alias, sentence: sentenceOf(alias, errors.get(alias), isIndexed) }))
}

/** Why this process could not index a package, by alias. */
const lastErrors = libraryState('package errors', () => new Map<string, string>())

export function rememberError(library: Library, { alias, error }: { alias: string; error: string | null }) {
  if (error === null) lastErrors(library).delete(alias)
  else lastErrors(library).set(alias, error)
}

/** Empty for a context.json that cannot be read; the sync reports it. */
function configuredAliases(library: Library): string[] {
  try {
    return configuredPackages(packagePlaces(library)).map(({ alias }) => alias)
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

function sentenceOf(alias: string, error: string | undefined, isIndexed: boolean): string {
  if (error !== undefined) return `The package "${alias}" was not taken in. ${error}`
  const unsynced = `The package "${alias}" is configured but not taken in yet`
  return isIndexed
    ? `${unsynced}, and indexing is under way: ask again in a moment.`
    : `${unsynced}: run "carrel sync".`
}
