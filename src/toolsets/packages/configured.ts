// The packages of a project and of its user, by alias. The project's alias wins, and so does its name for a package that
// both have.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  areOne,
  type Configured,
  configuredPackages,
  locationOf,
  type PackagePlaces,
} from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { isMemoryName } from '../../answer/memory/records.js'
import { isConfigured, ownSources } from '../../answer/source-records.js'
import { Problem } from '../../model/problem.js'
import { type Consents, readConsents, writeConsents } from '../../sources/package/consent-file.js'
import { aliasForm, changeContext, readLock, writeLock } from '../../sources/package/context-file.js'
import type { Web } from '../../sources/package/download-cache.js'
import {
  isSelfContained,
  type Location,
  readLocation,
  repositoryPath,
  seenFrom,
} from '../../sources/package/location.js'
import { neverSource } from '../../sources/path-rules.js'
import { isInside } from '../../sources/safe-file.js'
import { isThisMachine } from '../../sources/web/web-url.js'
import { lockFile } from '../../store/sqlite/file-lock.js'
import { didYouMean } from '../../text/nearest.js'
import { forgetAlias, lockContext } from './projects.js'

/** The same package under an earlier alias; null if there is none. */
export function twinOf(all: readonly Configured[], one: Configured): Configured | null {
  return all.find((other) => other.alias < one.alias && areOne(other, one)) ?? null
}

function oneOf(alias: string, { alias: other }: Configured): Problem {
  return new Problem(
    'alias_twice',
    `"${alias}" is the package that "${other}" is already.`,
    `Use it as "${other}", or take that one out with "carrel remove ${other}".`,
  )
}

export interface PackageRequest {
  url: string
  alias: string
  global?: boolean
  /** The folder that a relative path starts from. Default: the folder of the context.json. */
  from?: string
}

/** Adds a package to a context.json after a look at its address. Nothing is fetched. */
export async function addPackage(
  library: Library,
  places: PackagePlaces,
  { url: written, alias, global = false, from }: PackageRequest,
): Promise<Configured> {
  if (!aliasForm.test(alias))
    throw new Problem(
      'bad_alias',
      `"${alias}" cannot be an alias.`,
      'Use letters, digits, ".", "_", "-" and "@".',
    )
  await requireFreeAlias(library, alias)
  const file = global ? places.global : places.project
  const base = dirname(file)
  readLocation(written, from ?? base)
  // A project may move together with its folders, so its paths stay relative. The user's own file is elsewhere.
  const url = from === undefined ? written : seenFrom(written, { from, base, absolute: global })
  const added = { alias, url, file, global }
  return lockContext(library, file, () => {
    const others = configuredPackages(places).filter((other) => other.alias !== alias && areOne(other, added))
    const twin = others.find((other) => global || !other.global)
    if (twin) throw oneOf(alias, twin)
    changeContext(file, (before) => ({ ...before, [alias]: { url } }))
    return added
  })
}

/** Two collections of one name would hide one another. */
export async function requireFreeAlias(library: Library, alias: string) {
  const problem = (reason: string) =>
    new Problem('alias_taken', `"${alias}" is ${reason}.`, 'Give the package another alias.')
  const alike = ({ name }: { name: string }) => name.toLowerCase() === alias.toLowerCase()
  const folder = library.settings.sources.find(alike)
  if (folder) throw problem(`the folder ${folder.path}`)
  if (isMemoryName(alias)) throw problem('the name of what this project remembers')
  const rows = (await library.store.sources()).filter((source) => !isConfigured(source))
  const own = [...(await ownSources(library)), ...rows].find(alike)
  if (own) throw problem(`the name of another collection (${own.id})`)
}

/** Takes a package out of the context.json that names it, with everything indexed of it. */
export async function removePackage(
  library: Library,
  places: PackagePlaces,
  alias: string,
): Promise<Configured> {
  const all = configuredPackages(places)
  const found = all.find((one) => one.alias === alias)
  if (!found) {
    const names = all.map((one) => one.alias)
    throw new Problem(
      'unknown_collection',
      `There is no package "${alias}".`,
      didYouMean(alias, names) ?? (names.length ? `There are: ${names.join(', ')}.` : 'None is configured.'),
    )
  }
  await lockContext(library, found.file, () => {
    changeContext(found.file, (before) => without(before, alias))
    if (existsSync(join(dirname(found.file), 'context.lock')))
      writeLock(found.file, without(readLock(found.file), alias))
  })
  const location = locationOf(found)
  if (!found.global && location) await withdrawConsent(library, places, location)
  await forgetAlias(library, alias)
  return found
}

/** Where a configured package is, if it has no other alias and the user lets a project's file go there. */
export function permittedLocation(library: Library, places: PackagePlaces, one: Configured): Location {
  const location = readLocation(one.url, dirname(one.file))
  const twin = twinOf(configuredPackages(places), one)
  if (twin) throw oneOf(one.alias, twin)
  if (places.offline && (location.kind === 'web' || (location.kind === 'git' && !location.local)))
    throw new Problem(
      'offline',
      `"${one.alias}" comes from the network, which a server with --read-only does not use.`,
      `Take it in yourself: carrel sync ${one.alias}.`,
    )
  if (one.global) return location
  if (location.kind === 'web' || (location.kind === 'git' && !location.local)) {
    if (places.allow.network || location.local) return location
    throw new Problem('not_allowed', `"${one.alias}" is on a server beyond this machine.`, networkHint)
  }
  if (places.allow.outside || hasConsent(library, places, location)) return location
  const path = localPath(location)
  const rule = path === null ? null : neverSource(relative(library.settings.root, path))
  if (rule !== null)
    throw new Problem(
      'not_allowed',
      `"${one.alias}" lies in "${rule}", which may hold secrets.`,
      'With --allow-outside, a project can name such a place.',
    )
  if (!liesOutside(library, location)) return location
  const inside = path !== null && isInside(library.settings.root, path)
  throw new Problem(
    'not_allowed',
    inside
      ? `"${one.alias}" is a git repository that may read files outside the project: it has links, alternates or a git folder elsewhere.`
      : `"${one.alias}" lies outside the project.`,
    `The project's context.json cannot allow that. If you trust it, say so: carrel add ${one.url} --as ${one.alias} (or --allow-outside for one run).`,
  )
}

/** Whether a location on this machine is not in the project's folder, or reads files that are not. */
export function liesOutside({ settings: { root } }: Library, location: Location): boolean {
  if (location.kind === 'web' || (location.kind === 'git' && !location.local)) return false
  const path = localPath(location)
  if (path === null || !isInside(root, path)) return true
  return location.kind === 'git' && !isSelfContained(path)
}

/** The real path of a location on this machine; null where it has none. */
function localPath(location: Location): string | null {
  if (location.kind === 'web') return null
  return location.kind === 'git' ? repositoryPath(location) : location.path
}

/** The web as a configured package may ask it: a project's own names no server beyond this machine by itself. */
export function webFor({ fetcher }: Library, { allow, offline }: PackagePlaces, { global }: Configured): Web {
  const checkUrl = (url: URL) => {
    if (offline) return `${url.host} is not asked by a server with --read-only.`
    const isAllowed = global || allow.network || isThisMachine(url)
    return isAllowed ? null : `${url.host} is a server beyond this machine. ${networkHint}`
  }
  return { fetcher, mayAsk: checkUrl }
}

const networkHint = 'A project can name one when you say --allow-network.'

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

// A command that a person types is consent: `carrel add /elsewhere --as x` lets this project read that place from then on.
// The same line in a project's context.json does not.

function hasConsent(library: Library, places: PackagePlaces, { canonical }: Location): boolean {
  return consentsOf(library, readConsents(consentFile(places))).includes(canonical)
}

/** Returns whether the consent is new. */
export function giveConsent(library: Library, places: PackagePlaces, { canonical }: Location) {
  return change(library, places, (before) => (before.includes(canonical) ? before : [...before, canonical]))
}

export function withdrawConsent(library: Library, places: PackagePlaces, { canonical }: Location) {
  return change(library, places, (before) => before.filter((one) => one !== canonical))
}

async function change(library: Library, places: PackagePlaces, to: (before: string[]) => string[]) {
  const file = consentFile(places)
  return lockFile(places.global, () => {
    const all = readConsents(file)
    const before = consentsOf(library, all)
    const after = to(before)
    if (after.length === before.length) return false
    const { [library.settings.root]: _own, ...others } = all
    writeConsents(file, after.length > 0 ? { ...others, [library.settings.root]: after } : others)
    return true
  })
}

function consentsOf({ settings: { root } }: Library, all: Consents): string[] {
  return Object.hasOwn(all, root) ? all[root]! : []
}

function consentFile({ global }: PackagePlaces): string {
  return join(dirname(global), 'allowed-packages.json')
}
