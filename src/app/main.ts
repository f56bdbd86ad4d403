// Where everything is put together and the command line starts. Nothing heavy is imported at the top:
// `carrel --help` must answer before a native module could even be loaded.

import type { Check } from '../model/reports.js'
import type { Configuration, Settings } from '../model/settings.js'
import type { Context, GlobalFlags, Services } from '../surfaces/cli/context.js'
import { runProgram } from '../surfaces/cli/program.js'
import { startsEngine } from './engine/command-line.js'
import { homeFolder } from './home.js'
import { leaveWhenUnread, listenForInterruption } from './interruption.js'
import type { McpPlace } from './mcp.js'
import { version } from './version.js'

/** Runs the command line and sets the exit code of the process. */
export async function main(argv: readonly string[], place: McpPlace = {}): Promise<void> {
  leaveWhenUnread()
  const interruption = listenForInterruption(process.stderr)
  let configured: { settings: Configuration; flags: GlobalFlags } | null = null
  const context: Context = {
    version: version(),
    out: process.stdout,
    err: process.stderr,
    env: process.env,
    signal: interruption.signal,
    services: {
      ...services,
      mcp: async (configure, options) =>
        (await import('./mcp.js')).mcp(configure, {
          ...options,
          ...place,
          argv,
          again: (another) => main(argv, another),
        }),
    },
    stdin: process.stdin,
    async settings(flags) {
      const { loadSettings } = await import('./config/load.js')
      const loaded = await loadSettings({ flags, env: process.env, cwd: process.cwd(), home: homeFolder() })
      configured = { settings: loaded.settings, flags }
      return loaded
    },
    exit(code) {
      process.exitCode = interruption.code() ?? code
    },
  }
  await runProgram(context, argv)
  interruption.end()
  if (configured && !interruption.signal.aborted && startsEngine(argv))
    (await import('./engine/start-engine.js')).startEngine(configured)
}

/** Exported for tests that type many command lines in one process. */
export const services: Services = {
  open: async (...given) => (await import('./open.js')).openForCommand(...given),
  indexAll: async (...given) => (await import('./index-all.js')).indexAll(...given),
  syncNewPackages: async (...given) =>
    (await import('../toolsets/packages/first-sync.js')).syncNewPackages(...given),
  search: async (library, request) =>
    (await import('../answer/search.js')).search(library, { ...request, lookForNew: true }),
  async status(library) {
    const [{ status }, { toolUse }] = [await import('./status.js'), await import('./tool-use.js')]
    const { askEngine } = await import('./engine/client.js')
    const [disk, tools] = [await library.store.diskUse(), await toolUse(library)]
    return {
      ...(await status(library)),
      engine: await askEngine(library.settings.data, 'about'),
      disk,
      tools,
    }
  },
  async doctor(given, options) {
    const { trustDataFolder } = await import('./trust-folder.js')
    const trusted = options.trust ? await trustDataFolder(given) : null
    const settings = trusted?.settings ?? given
    const [{ doctor }, { checkTools }] = [await import('./doctor.js'), await import('./surface.js')]
    const { checkModels } = await import('./check-models.js')
    const { checkEngine } = await import('./engine/check-engine.js')
    const engine = await checkEngine(settings.data, options)
    const before = trusted ? [trusted.check] : untrustedCheck(settings)
    const checks = [...before, ...(await doctor(settings, options)), ...(await checkModels(settings))]
    return [...checks, engine, checkTools(settings as Configuration)]
  },
  async evaluate(settings, options) {
    const { evaluate } = await import('./evaluate/evaluate.js')
    const { openSqliteStore } = await import('../store/sqlite/store.js')
    const { openEmbedder, openReranker } = await import('./embedder.js')
    const embedder = options.mode === 'text' ? null : openEmbedder(settings.embedding)
    const reranker = options.mode === 'rerank' ? openReranker(settings.rerank) : null
    try {
      return await evaluate((folder) => openSqliteStore({ folder }), { embedder, reranker }, options)
    } finally {
      await embedder?.close()
      await reranker?.close()
    }
  },
  serve: async (...given) => (await import('./serve.js')).serve(...given),
  mcp: async (...given) => (await import('./mcp.js')).mcp(...given),
  async engine(settings, { action, ...options }) {
    const { askEngine } = await import('./engine/client.js')
    if (action === 'show') return askEngine(settings.data, 'about')
    if (action === 'stop') return (await import('./engine/check-engine.js')).stopEngine(settings.data)
    await (await import('./engine/serve-commands.js')).serveCommands(settings, options)
    return null
  },
  tool: async (...given) => (await import('./tool.js')).tool(...given),
  setup: async (...given) => (await import('./setup.js')).setup(...given),
  embedBehind: async (...given) => (await import('./engine/embed-behind.js')).embedBehind(...given),
  fillVectors: async (...given) => (await import('../answer/vectors.js')).fillVectors(...given),
}

function untrustedCheck({ data, dataTrust }: Settings): Check[] {
  if (!dataTrust?.untrusted) return []
  const message = `${dataTrust.untrusted} is not known to be yours and is not used; the data is kept in ${data}.`
  const hint = '"carrel doctor --trust" takes it over with all its records; delete it if it is not yours.'
  return [{ name: 'trust', state: 'warning', message, hint }]
}
