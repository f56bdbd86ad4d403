// Packages that are configured but not in the index. Whoever asks for one is told so, and what to do.
import { Problem } from '../../model/problem.js'
import { configuredPackages, packagePlaces } from '../configured-packages.js'
import type { Library } from '../library.js'
import { libraryState } from '../library-state.js'
import { isBeingIndexed, knownSources } from './unindexed-folders.js'

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

/** A context.json that cannot be read is told of by whoever takes in what it names. */
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
  const untaken = `The package "${alias}" is configured but not taken in yet`
  return isIndexed
    ? `${untaken}, and indexing is under way: ask again in a moment.`
    : `${untaken}: run "carrel sync".`
}
