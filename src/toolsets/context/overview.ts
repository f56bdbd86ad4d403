// A project at a glance: its modules, their discoveries, and the files that were read most.
import { basename } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cachedPerIndexVersion, fileOf, type Library, moduleIn } from '../../answer/library.js'
import { allDiscoveries, type Discovery } from '../../answer/memory/records.js'
import { unindexedFoldersNotes } from '../../answer/notes/index-state.js'
import { type DiscoveryType, discoveryTypes } from '../../model/discovery.js'
import type { ContextItem, MemoryStatus } from '../../model/reports.js'
import { isInModule, moduleName } from '../../text/module.js'
import { sameName } from '../../text/normal-forms.js'
import { contextItems } from './accesses.js'
import { allSessions } from './sessions.js'

export interface ModuleFacts {
  name: string
  files: number
}

export interface ModuleView {
  name: string
  files: string[]
  /** How many there are in all. */
  fileCount: number
  discoveries: Discovery[]
  context: ContextItem[]
}

export interface Overview {
  name: string
  documents: number
  /** A sentence on what the index lacks. */
  lacks: string | null
  modules: (ModuleFacts & { discoveries: number })[]
  /** Those that hold, the latest first. */
  discoveries: Discovery[]
  superseded: number
  context: ContextItem[]
}

const most = { discoveries: 20, context: 10, files: 100, modules: 100 }

export async function overviewOf(library: Library): Promise<Overview> {
  const [modules, discoveries] = [await modulesOf(library), await allDiscoveries(library)]
  const active = latest(discoveries.filter(({ supersededBy }) => supersededBy === null))
  const known = (name: string) => active.filter(({ module }) => isCalled(module, name)).length
  return {
    name: basename(library.settings.root),
    documents: (await library.store.counts()).documents,
    lacks: (await unindexedFoldersNotes(library))[0]?.message ?? null,
    modules: modules.slice(0, most.modules).map((one) => ({ ...one, discoveries: known(one.name) })),
    discoveries: active.slice(0, most.discoveries),
    superseded: discoveries.length - active.length,
    context: (await contextItems(library)).slice(0, most.context),
  }
}

/** Null when there is nothing by that name. */
export async function moduleNamed(library: Library, given: string): Promise<ModuleView | null> {
  const name = moduleName(given)
  if (name === null) return null
  const files = await filesIn(library, name)
  const discoveries = latest((await allDiscoveries(library)).filter(({ module }) => isCalled(module, name)))
  if (!files && discoveries.length === 0) return null
  const items = await contextItems(library)
  return {
    name: files?.name ?? discoveries[0]!.module!,
    files: files?.paths.slice(0, most.files) ?? [],
    fileCount: files?.paths.length ?? 0,
    discoveries: discoveries.slice(0, most.discoveries),
    context: items.filter(({ module }) => isCalled(module, name)).slice(0, most.context),
  }
}

/** Of a module, or of a part of one that is named by its path. */
async function filesIn(library: Library, name: string): Promise<Files | null> {
  const modules = await filesByModule(library)
  const whole = modules.get(sameName(name))
  if (whole) return whole
  const paths = [...modules.values()].flatMap((module) =>
    module.paths.filter((path) => isInModule(path, name)),
  )
  return paths.length > 0 ? { name, paths } : null
}

/** Those of the sources and those that discoveries name, by name. */
export async function moduleNames(library: Library): Promise<string[]> {
  const names = new Map((await modulesOf(library)).map(({ name }) => [sameName(name), name]))
  for (const { module } of await allDiscoveries(library))
    if (module && !names.has(sameName(module))) names.set(sameName(module), module)
  return [...names.values()].sort()
}

async function modulesOf(library: Library): Promise<ModuleFacts[]> {
  const all = [...(await filesByModule(library)).values()]
  return all
    .map(({ name, paths }) => ({ name, files: paths.length }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1))
}

interface Files {
  name: string
  paths: string[]
}

/** By the module's name in lower case. Cached, because it walks every path. */
const filesByModule = cachedPerIndexVersion('files by module', async (library) => {
  const modules = new Map<string, Files>()
  for (const source of library.sources) {
    let i = 0
    for (const path of [...(await library.store.fingerprints(source.id)).keys()].sort()) {
      add(modules, moduleIn(library, source, path), fileOf(library, source, path))
      if (++i % 2_000 === 0) await nextTurn()
    }
  }
  return modules
})

function add(modules: Map<string, Files>, name: string | null, path: string) {
  if (name === null) return
  const known = modules.get(sameName(name))
  if (known) known.paths.push(path)
  else modules.set(sameName(name), { name, paths: [path] })
}

function latest(discoveries: readonly Discovery[]): Discovery[] {
  return [...discoveries].sort((a, b) =>
    a.updatedAt > b.updatedAt ? -1 : a.updatedAt < b.updatedAt ? 1 : a.id < b.id ? -1 : 1,
  )
}

function isCalled(module: string | null, name: string): boolean {
  return module !== null && sameName(module) === sameName(name)
}

const mostItems = 10

export async function memoryStatus(library: Library): Promise<MemoryStatus> {
  const [discoveries, sessions] = [await allDiscoveries(library), await allSessions(library)]
  const of = (type: DiscoveryType) => discoveries.filter((one) => one.type === type).length
  return {
    discoveries: {
      total: discoveries.length,
      superseded: discoveries.filter(({ supersededBy }) => supersededBy !== null).length,
      byType: Object.fromEntries(discoveryTypes.map((type) => [type, of(type)])) as Record<
        DiscoveryType,
        number
      >,
    },
    sessions: {
      total: sessions.length,
      open: sessions.filter(({ endedAt }) => endedAt === null).length,
      last: sessions[0] ? new Date(sessions[0].startedAt).toISOString() : null,
    },
    context: (await contextItems(library))
      .slice(0, mostItems)
      .map(({ path, score, accesses }) => ({ path, score, accesses })),
  }
}
