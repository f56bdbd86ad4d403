import { dirname } from 'node:path'
import { Problem } from '../model/problem.js'
import type { Allowances } from '../model/settings.js'
import { readContext } from '../sources/package/context-file.js'
import { type Location, packageId, readLocation } from '../sources/package/location.js'
import type { Library } from './library.js'

/** The two files, and what the user allows a project's file to name. */
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
