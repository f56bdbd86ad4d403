// The tools as the configuration exposes them: one registry and one executor for every surface of this process.

import { explainDisk } from '../answer/disk-errors.js'
import type { Library } from '../answer/library.js'
import { sessionsSource } from '../answer/memory/records.js'
import type { Check } from '../model/reports.js'
import type { Configuration } from '../model/settings.js'
import type { Changes } from '../server/changes.js'
import { executor } from '../server/executor.js'
import { composeInstructions } from '../server/instructions.js'
import { type LogLevel, stderrLog } from '../server/log.js'
import { type Registry, registry, requireKnown } from '../server/registry.js'
import { statistics } from '../server/statistics.js'
import type { Output } from '../surfaces/cli/context.js'
import type { Surface } from '../surfaces/mcp/server.js'
import { type Services, toolsets } from '../toolsets/all.js'
import { watchArchitecture } from '../toolsets/architecture/watch.js'
import { endConnection } from '../toolsets/context/sessions.js'
import { contextUris } from '../toolsets/context/tools/resources.js'
import { watchContext } from '../toolsets/context/watch.js'
import { listCollectionsTool } from '../toolsets/documents/tools/list.js'
import type { BackgroundWork } from './background.js'
import { closeEach } from './closing.js'
import { keeper } from './tool-use.js'

export interface SurfaceOptions {
  version: string
  live?: BackgroundWork
  changes?: Changes
  logLevel?: LogLevel
  /** Where the log goes, if not to this process's standard error. */
  logTo?: Output
}

export async function openSurface(
  library: Library,
  configuration: Configuration,
  options: SurfaceOptions,
): Promise<Surface<Services>> {
  const { tools } = configuration
  const exposed = expose({ library }, configuration)
  const log = stderrLog({ level: options.logLevel, to: options.logTo })
  return {
    registry: exposed,
    executor: executor({
      log,
      statistics: statistics({ keeper: keeper(library) }),
      rates: tools.rateLimits ?? false,
      explain: (error) => explainDisk(library.settings, error),
    }),
    ...(options.changes && { changes: options.changes }),
    onDisconnect: (session) => endConnection(library, session),
    info: { name: 'carrel', title: 'Carrel', version: options.version },
    instructions: await instructions(library, options.live),
  }
}

function expose(services: Services, { tools, embedding }: Configuration): Registry<Services> {
  requireLimited(Object.keys(tools.rateLimits ?? {}))
  return registry(toolsets, services, {
    toolsets: tools.toolsets ?? undefined,
    tools: tools.only ?? undefined,
    exclude: tools.exclude,
    readOnly: tools.readOnly,
    capabilities: embedding.provider === 'none' ? [] : ['embedder'],
  })
}

/** A limit on a tool that there is not would never apply. */
function requireLimited(names: readonly string[]) {
  const known = toolsets.flatMap((set) => set.tools.map(({ name }) => name))
  requireKnown('tool', names, known, {
    code: 'bad_configuration',
    where: ' to limit in rateLimits.perMinute',
  })
}

/** For `doctor`: the offered tools, and why others are not offered. Opens nothing. */
export function checkTools(configuration: Configuration): Check {
  const { tools, hidden } = expose(undefined as never, configuration)
  const reasons = new Map<string, string[]>()
  for (const { name, message } of hidden) reasons.set(message, [...(reasons.get(message) ?? []), name])
  const why = [...reasons].map(([message, names]) => `${names.join(', ')}: ${message}`)
  return { name: 'tools', state: 'ok', message: [`${tools.size} tools are offered.`, ...why].join(' ') }
}

const rememberedMs = 5_000

/** Computed from the index. Every request of the newest protocol needs it, so it is cached for a moment. */
async function instructions(library: Library, live: BackgroundWork | undefined) {
  let indexed = await look()
  let asOf = performance.now()
  const renew = async () => {
    asOf = performance.now()
    indexed = await look().catch(() => indexed)
  }
  // The instructions change most when the first indexing is done.
  void live?.indexed.then(renew)
  return ({ toolsets, tools }: Registry<Services>) => {
    if (performance.now() - asOf > rememberedMs) void renew()
    const offered = new Set([...tools.values()].map(({ toolset }) => toolset))
    const listTool = tools.has(listCollectionsTool.name) ? listCollectionsTool.name : undefined
    return composeInstructions({ toolsets: toolsets.filter((set) => offered.has(set)), listTool, ...indexed })
  }

  async function look() {
    const [sources, counts] = [await library.store.sources(), await library.store.counts()]
    const progress = live?.progress()
    const shown = sources.filter(({ id }) => id !== sessionsSource)
    return {
      collections: shown.length,
      documents: shown.reduce((sum, { id }) => sum + (counts.bySource[id]?.documents ?? 0), 0),
      pending: progress?.phase === 'reading' ? Math.max(0, progress.total - progress.done) : 0,
    }
  }
}

/** Notifies connected clients of changes. */
export function notifyOfChanges(library: Library, { executor }: Surface<Services>, news: Changes) {
  const onTrouble = (message: string) => executor.log.warn({}, message)
  const watching = [
    watchArchitecture(library, { onChange: (change) => news.publish(change), onTrouble }),
    watchContext(library, {
      onChange(change) {
        if (change.kind === 'resources') news.publish(change)
        else for (const uri of contextUris(change.modules)) news.publish({ kind: 'resource', uri })
      },
      onTrouble,
    }),
  ]
  return { close: () => closeEach(...watching.map(({ close }) => close)) }
}
