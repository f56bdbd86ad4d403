// The configuration, read once: flags, environment, the project's carrel.json, the user's own file, defaults.
import { availableParallelism } from 'node:os'
import { basename, relative, resolve } from 'node:path'
import { type Note, Problem } from '../../model/problem.js'
import type {
  ArchitectureSettings,
  Configuration,
  FolderSettings,
  Limits,
  ToolSettings,
} from '../../model/settings.js'
import { chooseDataFolder, stateFolder } from '../data-trust.js'
import { withArchitecture } from './architecture-folders.js'
import { besideData } from './data-folder.js'
import { allSettings, type InEffect, type Layer, merge } from './layers.js'
import { findData, findRoot, isWithin, userFile } from './place.js'
import { settleEmbedding, settleRerank } from './providers.js'
import { type Environment, isOn, readAssignments, readConfigFile, readEnvironment } from './read.js'
import { sizeInBytes } from './size.js'
import { excludedEverywhere, noFolders, settleSources, settleUploadFolders } from './sources.js'
import { settleWorktrees } from './worktrees.js'

/** The parts of a command line that concern the configuration. */
export interface SettingsFlags {
  root?: string | undefined
  data?: string | undefined
  config?: string | undefined
  allowOutside?: boolean | undefined
  allowNetwork?: boolean | undefined
  allowPrivateNetwork?: boolean | undefined
  allowAgentFiles?: boolean | undefined
  /** `KEY=VALUE`, any key of carrel.json. */
  set?: readonly string[] | undefined
  /** The same for keys with their own option, such as `--toolsets`. */
  chosen?: readonly string[] | undefined
}

export interface Given {
  flags: SettingsFlags
  env: Environment
  cwd: string
  home: string
}

/** The settings, and notes on them. An invalid configuration is a Problem. */
export async function loadSettings({ flags, env, cwd, home }: Given): Promise<{
  settings: Configuration
  notes: Note[]
}> {
  const allow = {
    outside: flags.allowOutside ?? isOn(env, 'CARREL_ALLOW_OUTSIDE'),
    network: flags.allowNetwork ?? isOn(env, 'CARREL_ALLOW_NETWORK'),
    privateNetwork: flags.allowPrivateNetwork ?? isOn(env, 'CARREL_ALLOW_PRIVATE_NETWORK'),
    ...((flags.allowAgentFiles ?? isOn(env, 'CARREL_ALLOW_AGENT_FILES')) && { agentFiles: true as const }),
  }
  const root = await findRoot(cwd, flags.root ?? (env.CARREL_ROOT || undefined))
  const given = flags.data ?? (env.CARREL_DATA || undefined)
  const place = await findData(root, { cwd, given, outside: allow.outside })
  const chosen = await chooseDataFolder(place, {
    root,
    state: stateFolder(env, home),
    named: given !== undefined,
  })
  const { data } = chosen
  const files = await readFiles(root, { flags, env, cwd, home })
  const layers = [...files.map(({ layer }) => layer), ...layersForThisRun({ flags, env, files })]
  const inEffect = merge(layers)
  const notes: Note[] = [...chosen.notes]
  const around = { env, root, home, allow, notes }
  const sources = await settleSources(layers, { root, home, outside: allow.outside })
  if (sources.length === 0) notes.push(noFolders(inEffect('sources')))
  const architecture = settleArchitecture(layers)
  const state = stateFolder(env, home)
  const shared = await settleWorktrees(inEffect, {
    root,
    home,
    state,
    data,
    named: given !== undefined,
    outside: allow.outside,
    notes,
  })
  const settings: Configuration = {
    root,
    data,
    dataTrust: chosen.trust,
    ...(shared && { shared }),
    sources: await withoutData(
      await withArchitecture(sources, { root, architecture, exclude: excludedEverywhere(layers) }),
      [...new Set([place, data])],
      root,
    ),
    exclude: excludedEverywhere(layers),
    uploadFolders: await settleUploadFolders(layers, { root, home, outside: allow.outside }),
    limits: settleLimits(inEffect),
    watch: inEffect<boolean>('watch')?.value ?? true,
    embedding: await settleEmbedding(inEffect, around),
    rerank: await settleRerank(inEffect, around),
    showWeak: inEffect<boolean>('showWeak')?.value ?? false,
    architecture,
    tools: settleTools(layers, inEffect),
    engineMinutes: inEffect<number>('engine.idleMinutes')?.value ?? (env.CI && env.CI !== 'false' ? 0 : 10),
    allow,
    contexts: { project: resolve(root, 'context.json'), global: userFile(env, home, 'context.json') },
    chromium: env.CARREL_CHROMIUM || null,
    files: files.map(({ path }) => path),
  }
  return { settings, notes }
}

/** The sources without the data folder that was named and the one that is used in its place. */
async function withoutData(sources: FolderSettings[], folders: readonly string[], root: string) {
  let remaining = sources
  for (const data of folders) remaining = await besideData(remaining, { data, root })
  return remaining
}

interface ReadFile {
  path: string
  layer: Layer
}

async function readFiles(root: string, { flags, env, cwd, home }: Given): Promise<ReadFile[]> {
  const own = userFile(env, home)
  const named = flags.config ?? (env.CARREL_CONFIG || undefined)
  const project = named === undefined ? resolve(root, 'carrel.json') : resolve(cwd, named)
  const read: ReadFile[] = []
  const first = own === project ? null : await readConfigFile(own, { whose: 'user', name: own })
  if (first) read.push({ path: own, layer: first })
  const name = (isWithin(root, project) && relative(root, project)) || project
  const second = await readConfigFile(project, { whose: 'project', name })
  if (second) read.push({ path: project, layer: second })
  else if (named !== undefined)
    throw new Problem(
      'usage',
      `There is no configuration file ${project}.`,
      `--config FILE (or CARREL_CONFIG) is read in place of ${basename(root)}/carrel.json.`,
    )
  return read
}

/** The layers for this run: the environment, then the flags. */
function layersForThisRun({
  flags,
  env,
  files,
}: {
  flags: SettingsFlags
  env: Environment
  files: ReadFile[]
}): Layer[] {
  const assigned = readAssignments(flags.set ?? [], flags.chosen ?? [])
  const names = [...files.map(({ layer }) => layer), assigned].flatMap(({ values }) => [
    values.embedding?.keyFrom,
    values.rerank?.keyFrom,
  ])
  const keyNames = [...names, env.CARREL_EMBEDDING_KEY_FROM, env.CARREL_RERANK_KEY_FROM]
  return [readEnvironment(env, new Set(keyNames.filter((name) => name !== undefined))), assigned]
}

function settleLimits(inEffect: InEffect): Limits {
  return {
    fileBytes: sizeInBytes(inEffect<string | number>('limits.fileSize')?.value ?? '2 MB')!,
    documentBytes: sizeInBytes(inEffect<string | number>('limits.documentSize')?.value ?? '50 MB')!,
    workers: inEffect<number>('limits.workers')?.value ?? Math.min(8, availableParallelism()),
    fileMs: (inEffect<number>('limits.fileSeconds')?.value ?? 20) * 1000,
    crawlPauseMs: inEffect<number>('limits.crawlPauseMs')?.value ?? 250,
  }
}

function settleArchitecture(layers: readonly Layer[]): ArchitectureSettings {
  const all = (kind: 'guidelines' | 'patterns' | 'adr') =>
    layers.flatMap(({ values }) => values.architecture?.[kind] ?? [])
  return { guidelines: all('guidelines'), patterns: all('patterns'), adr: all('adr') }
}

function settleTools(layers: readonly Layer[], inEffect: InEffect): ToolSettings {
  for (const name of ['toolsets', 'tools'] as const) refuseMore(layers, name)
  refuseWriting(layers)
  const perMinute = layers.map(({ values }) => values.rateLimits?.perMinute ?? {})
  return {
    toolsets: inEffect<string[]>('toolsets')?.value ?? null,
    only: inEffect<string[]>('tools')?.value ?? null,
    exclude: [...new Set(allSettings<string[]>(layers, 'excludeTools').flatMap(({ value }) => value))],
    readOnly: inEffect<boolean>('readOnly')?.value ?? false,
    rateLimits:
      inEffect<boolean>('rateLimits.enabled')?.value === false ? null : Object.assign({}, ...perMinute),
  }
}

// A project cannot enable tools that the user has disabled for all projects.
function refuseMore(layers: readonly Layer[], name: 'toolsets' | 'tools') {
  const [own, project] = (['user', 'project'] as const).map((whose) =>
    layers.find((one) => one.whose === whose),
  )
  const allowed: readonly string[] | undefined = own?.values[name]
  const extra = allowed && project?.values[name]?.find((one) => !allowed.includes(one))
  if (extra && project)
    throw new Problem(
      'bad_configuration',
      `"${name}" (${project.where([name])}) asks for "${extra}", which your own configuration file leaves out.`,
      `Add it there, or say --set ${name}=${extra} for this run.`,
    )
}

function refuseWriting(layers: readonly Layer[]) {
  const [own, project] = (['user', 'project'] as const).map((whose) =>
    layers.find((one) => one.whose === whose),
  )
  if (own?.values.readOnly === true && project?.values.readOnly === false)
    throw new Problem(
      'bad_configuration',
      `"readOnly" (${project.where(['readOnly'])}) is false, but your own configuration file says that nothing is written.`,
      'Change it there, or say --set readOnly=off for this run.',
    )
}
