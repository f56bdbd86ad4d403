// Where everything is put together and the command line starts. Nothing heavy is imported at the top:
// `carrel --help` must answer before a native module could even be loaded.

import type { Check } from '../model/reports.js'
import type { Configuration, Settings } from '../model/settings.js'
import type { Context, Output, Services } from '../surfaces/cli/context.js'
import { runProgram } from '../surfaces/cli/program.js'
import { homeFolder } from './home.js'
import { version } from './version.js'

/** Runs the command line and sets the exit code of the process. */
export async function main(argv: string[]): Promise<void> {
  leaveWhenUnread()
  const interruption = listenForInterruption(process.stderr)
  const context: Context = {
    version: version(),
    out: process.stdout,
    err: process.stderr,
    env: process.env,
    signal: interruption.signal,
    services,
    async settings(flags) {
      const { loadSettings } = await import('./config/load.js')
      return loadSettings({ flags, env: process.env, cwd: process.cwd(), home: homeFolder() })
    },
    exit(code) {
      process.exitCode = interruption.code() ?? code
    },
  }
  await runProgram(context, argv)
  interruption.end()
}

/** Exported for tests that type many command lines in one process. */
export const services: Services = {
  open: async (...given) => (await import('./open.js')).openForCommand(...given),
  indexAll: async (...given) => (await import('./index-all.js')).indexAll(...given),
  syncNewPackages: async (...given) =>
    (await import('../toolsets/packages/first-sync.js')).syncNewPackages(...given),
  search: async (library, asked) =>
    (await import('../answer/search.js')).search(library, { ...asked, tellNew: true }),
  async status(library) {
    const [{ status }, { toolUse }] = [await import('./status.js'), await import('./tool-use.js')]
    return { ...(await status(library)), tools: await toolUse(library) }
  },
  async doctor(given, options) {
    const { trustDataFolder } = await import('./trust-folder.js')
    const trusted = options.trust ? await trustDataFolder(given) : null
    const settings = trusted?.settings ?? given
    const [{ doctor }, { checkTools }] = [await import('./doctor.js'), await import('./surface.js')]
    const { checkModels } = await import('./check-models.js')
    const before = trusted ? [trusted.check] : untrustedCheck(settings)
    const checks = [...before, ...(await doctor(settings, options)), ...(await checkModels(settings))]
    return [...checks, checkTools(settings as Configuration)]
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
  tool: async (...given) => (await import('./tool.js')).tool(...given),
  setup: async (...given) => (await import('./setup.js')).setup(...given),
  fillVectors: async (...given) => (await import('../answer/vectors.js')).fillVectors(...given),
}

function untrustedCheck({ data, dataTrust }: Settings): Check[] {
  if (!dataTrust?.untrusted) return []
  const message = `${dataTrust.untrusted} is not known to be yours and is not used; the data is kept in ${data}.`
  const hint = '"carrel doctor --trust" takes it over with all its records; delete it if it is not yours.'
  return [{ name: 'trust', state: 'warning', message, hint }]
}

// `carrel search … | head -1` closes our stdout: the reader has what it wanted, so that is success. Output into a file on
// a full disk is lost, and that is a failure.
function leaveWhenUnread() {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: The output could not be written: ${error.message}.\n`)
    process.exit(1)
  })
  // Nobody is left to be told that nobody listens.
  process.stderr.on('error', () => {})
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The first interruption asks the work to stop, the second does not ask. */
function listenForInterruption(err: Output): {
  signal: AbortSignal
  /** What the shell expects of a process that was interrupted; null while it was not. */
  code(): number | null
  end(): void
} {
  const controller = new AbortController()
  let code: number | null = null
  const interrupt = (name: keyof typeof exitCodes) => {
    // A terminal that closes may say so twice, by itself and through its shell: that is nobody's impatience.
    if (controller.signal.aborted && name === 'SIGHUP') return
    code = exitCodes[name]
    if (controller.signal.aborted) process.exit(code)
    if (err.isTTY) err.write('\r\x1b[2KStopping; press Ctrl-C again to quit at once.\n')
    controller.abort(new Error(`interrupted by ${name}`))
  }
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  for (const name of names) process.on(name, interrupt)
  return {
    signal: controller.signal,
    code: () => code,
    end() {
      for (const name of names) process.off(name, interrupt)
    },
  }
}
