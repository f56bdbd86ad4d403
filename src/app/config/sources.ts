// The configured folders, each with a real path and a name of its own.
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { isMemoryName } from '../../answer/memory/records.js'
import { type Note, Problem } from '../../model/problem.js'
import type { FolderSettings } from '../../model/settings.js'
import { leadsElsewhere } from '../../sources/other-machine.js'
import { neverSource } from '../../sources/path-rules.js'
import { didYouMean } from '../../text/nearest.js'
import { wholeCharacters } from '../../text/truncate.js'
import { allSettings, type Layer, type Setting } from './layers.js'
import { isWithin, locate } from './place.js'
import type { SourceEntry } from './schema.js'

export interface Ground {
  root: string
  home: string
  outside: boolean
}

/** The sources in effect. The user's own are added to the project's; where two have one name, the project's stays. */
export async function settleSources(layers: readonly Layer[], ground: Ground): Promise<FolderSettings[]> {
  const settings = allSettings<SourceEntry[]>(layers, 'sources')
  const chosen = settings.findLast(({ layer }) => layer.whose !== 'user')
  const own = settings.find(({ layer }) => layer.whose === 'user')
  const exclude = excludedEverywhere(layers)
  const first = chosen
    ? await settleAll(chosen.value, chosen.layer, { ...ground, exclude })
    : [wholeRoot(ground.root, exclude)]
  // Flags and environment are for this run alone: they replace the lists of all files.
  const added = own && (!chosen || chosen.layer.whose === 'project') ? own : null
  const second = added ? await settleAll(added.value, added.layer, { ...ground, exclude }) : []
  return [...first, ...second.filter((source) => !first.some((one) => clash(one, source)))]
}

export function excludedEverywhere(layers: readonly Layer[]): string[] {
  return allSettings<string[]>(layers, 'exclude').flatMap(({ value }) => value)
}

/**
 * A project may have only uploads, crawled pages and packages. But an index that loses its folders must not do so silently.
 */
export function noFolders(setting: Setting | undefined): Note {
  const where = setting?.layer.where(['sources']) ?? 'the configuration'
  return {
    code: 'no_sources',
    message: `"sources" (${where}) is an empty list: no folder is indexed, and what was indexed of one leaves the index.`,
  }
}

/** Every folder that some layer lets files be added from. A project's own file cannot reach beyond the root. */
export async function settleUploadFolders(layers: readonly Layer[], ground: Ground): Promise<string[]> {
  const folders = new Set<string>()
  for (const { value, layer } of allSettings<string[]>(layers, 'uploadFolders'))
    for (const [i, written] of value.entries()) {
      const where = layer.where(['uploadFolders', i])
      folders.add(await allowedFolder(written, { layer, where, ground, what: 'upload folder' }))
    }
  return [...folders]
}

/** A name people can type: letters and digits of any script, ".", "_" and "-". */
export function simpleName(folder: string): string {
  const plain = basename(folder)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, '')
  return wholeCharacters(plain, 64) || 'library'
}

/** A folder with the name of the project's memory gets another name. */
function nameFor(folder: string): string {
  const name = simpleName(folder)
  return isMemoryName(name) ? `${name}-folder` : name
}

/** A name that no other source has. */
export function freeName(folder: string, others: readonly FolderSettings[]): string {
  const name = nameFor(folder)
  const used = new Set(others.map((one) => one.name.toLowerCase()))
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : `${name}-${i}`
    if (!used.has(free.toLowerCase())) return free
  }
}

function wholeRoot(root: string, exclude: string[]): FolderSettings {
  return { name: nameFor(root), path: root, include: [], exclude }
}

async function settleAll(
  entries: readonly SourceEntry[],
  layer: Layer,
  ground: Ground & { exclude: string[] },
): Promise<FolderSettings[]> {
  const settled: FolderSettings[] = []
  for (const [i, entry] of entries.entries()) {
    const where = layer.where(['sources', i])
    const given = typeof entry === 'string' ? { path: entry } : entry
    if (given.name !== undefined && isMemoryName(given.name)) throw reserved(given.name, where)
    const path = await allowedFolder(given.path, { layer, where, ground, what: 'source' })
    const source = {
      name: given.name?.normalize('NFC') ?? nameFor(path),
      path,
      ...(given.description ? { description: given.description } : {}),
      include: given.include ?? [],
      exclude: [...ground.exclude, ...(given.exclude ?? [])],
    }
    const twin = settled.find((one) => clash(one, source))
    if (twin) throw twice(twin, source, where)
    settled.push(source)
  }
  return settled
}

function clash(a: FolderSettings, b: FolderSettings): boolean {
  return a.path === b.path || a.name.toLowerCase() === b.name.toLowerCase()
}

interface Named {
  layer: Layer
  where: string
  ground: Ground
  what: string
}

/** Its real path. A folder that a project's own file names must be in the project; others are not even looked at. */
async function allowedFolder(written: string, { layer, where, ground, what }: Named): Promise<string> {
  const bound = layer.whose === 'project' && !ground.outside
  if (bound && leadsElsewhere(locate(written, ground), [ground.root])) throw leaves(written, where, what)
  const path = await realFolder(written, where, ground)
  if (bound && !isWithin(ground.root, path)) throw leaves(written, where, what)
  const rule = bound ? neverSource(relative(ground.root, path)) : null
  if (rule !== null) throw holdsSecrets(written, where, { what, rule })
  return path
}

async function realFolder(path: string, where: string, ground: Ground): Promise<string> {
  const absolute = locate(path, ground)
  const found = await stat(absolute).catch(() => null)
  if (!found)
    throw new Problem(
      'bad_configuration',
      `The source ${JSON.stringify(path)} (${where}) has no folder at ${absolute}.`,
      didYouMean(basename(absolute), await siblingFolders(absolute)),
    )
  if (!found.isDirectory())
    throw new Problem(
      'bad_configuration',
      `The source ${JSON.stringify(path)} (${where}) is a file, not a folder.`,
      'Name its folder, and the file under "include".',
    )
  return realpath(absolute)
}

async function siblingFolders(path: string): Promise<string[]> {
  const entries = await readdir(dirname(path), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

function leaves(path: string, where: string, what: string): Problem {
  return new Problem(
    'bad_configuration',
    `The ${what} ${JSON.stringify(path)} (${where}) lies outside the root, and a project's file cannot reach there by itself.`,
    'Allow it with --allow-outside (or CARREL_ALLOW_OUTSIDE=1), or name the folder in your own configuration file.',
  )
}

function holdsSecrets(path: string, where: string, { what, rule }: { what: string; rule: string }): Problem {
  return new Problem(
    'bad_configuration',
    `The ${what} ${JSON.stringify(path)} (${where}) lies in "${rule}", which may hold secrets, and a project's file cannot name it by itself.`,
    'Allow it with --allow-outside (or CARREL_ALLOW_OUTSIDE=1), or name the folder in your own configuration file.',
  )
}

function reserved(name: string, where: string): Problem {
  return new Problem(
    'bad_configuration',
    `No source can be named "${name}" (${where}): it is the name of a collection of the project’s memory.`,
    `Give it another "name", such as "${name}-folder".`,
  )
}

function twice(first: FolderSettings, second: FolderSettings, where: string): Problem {
  if (first.path === second.path)
    return new Problem('bad_configuration', `The folder ${second.path} is a source twice (${where}).`)
  return new Problem(
    'bad_configuration',
    `Two sources are named "${second.name}" (${where}): ${first.path} and ${second.path}.`,
    'Give one of them a "name" of its own.',
  )
}
