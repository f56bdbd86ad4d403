// Starting a surface: opens the library, keeps it live behind the answers, and closes all of it in order.
import { fileURLToPath } from 'node:url'
import { Problem } from '../model/problem.js'
import type { Configuration } from '../model/settings.js'
import { watchArchitecture } from '../services/architecture/watch.js'
import { closeMemory } from '../services/context/lifecycle.js'
import type { Library } from '../services/library.js'
import { keepLive, type LiveOptions } from '../services/live.js'
import { status } from '../services/status.js'
import type { Output, Serving, SetupRequest } from '../surfaces/cli/context.js'
import { snippets } from '../surfaces/cli/paste.js'
import { changedLines, setupClient } from '../surfaces/cli/setup/setup.js'
import { safe } from '../surfaces/cli/terminal.js'
import { runTool, toolList } from '../surfaces/cli/tool-command.js'
import { servePage } from '../surfaces/http/page.js'
import { type HttpOptions, serveHttp } from '../surfaces/http/server.js'
import type { Surface } from '../surfaces/mcp/server.js'
import { reserveStdout, serveStdio } from '../surfaces/mcp/stdio.js'
import { type Changes, changes } from '../tools/changes.js'
import type { Services } from '../tools/toolsets.js'
import { closeEach } from './closing.js'
import { loadSettings } from './config/load.js'
import { findRoot } from './config/place.js'
import { homeFolder } from './home.js'
import { openLibrary } from './open.js'
import { openSurface } from './surface.js'

export interface ServeOptions
  extends LiveOptions,
    Pick<HttpOptions<Services>, 'host' | 'port' | 'tokens' | 'allowedHosts' | 'allowedOrigins'> {
  version: string
  /** Take a free port when this one is taken. */
  anyPort?: boolean
  signal: AbortSignal
}

export async function serve(configuration: Configuration, options: ServeOptions): Promise<Serving> {
  const library = await openLibrary(configuration)
  const live = keepLive(library, options)
  try {
    const news = changes()
    const surface = await openSurface(library, configuration, {
      version: options.version,
      live,
      changes: news,
    })
    const page = servePage(pageFolder)
    let reached = {}
    const statusNow = async () => ({ ...(await status(library)), doing: live.progress(), ...reached })
    const http = await listen({ ...options, surface, status: statusNow, page }, options.anyPort ?? false)
    reached = { url: http.url, connect: snippets(http.url, { token: Boolean(options.tokens?.length) }) }
    const watching = tellChanges(library, surface, news)
    const serving: Serving = {
      url: http.url,
      elsewhere: http.elsewhere,
      documents: 0,
      tools: surface.registry.tools.size,
      indexed: live.indexed.then(async () => {
        serving.documents = (await library.store.counts()).documents
      }),
      closed: aborted(options.signal),
      close: () =>
        closeEach(
          () => http.close(3_000),
          () => surface.executor.finished(),
          () => watching.close(),
          () => closeAll(library, live, surface.executor),
        ),
    }
    return serving
  } catch (error) {
    await giveUp(library, live)
    throw error
  }
}

// What a browser loads is served as it was written: from the source folder, in a checkout as in a package.
const pageFolder = fileURLToPath(new URL('../../../src/web/', import.meta.url))

/** What is open keeps the process alive: a start that fails closes it again, and tells only why it failed. */
function giveUp(library: Library, live: { close(): Promise<void> }) {
  return closeEach(
    () => live.close(),
    () => library.close(),
  ).catch(() => {})
}

async function listen(options: HttpOptions<Services>, anyPort: boolean) {
  try {
    return await serveHttp(options)
  } catch (error) {
    const taken = error instanceof Problem && error.code === 'port_in_use'
    if (!anyPort || !taken) throw error
    return serveHttp({ ...options, port: 0 })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function closeAll(
  library: Library,
  live: { close(): Promise<void> },
  { statistics }: { statistics: { close(): Promise<void> } },
) {
  return closeEach(
    // First what exists only in memory: a client that is gone leaves three seconds for all of this.
    () => closeMemory(library),
    () => live.close(),
    () => statistics.close(),
    () => library.close(),
  )
}

function tellChanges(library: Library, { executor }: Surface<Services>, news: Changes) {
  return watchArchitecture(library, {
    onChange: (change) => news.publish(change),
    onTrouble: (message) => executor.log.warn({}, message),
  })
}

/** MCP on standard input and output. From the first moment stdout is the protocol's. */
export async function mcp(
  configure: () => Promise<Configuration>,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  reserveStdout()
  const configuration = await configure()
  if (signal.aborted) return
  const library = await openLibrary(configuration)
  const live = keepLive(library, { onTrouble: (message) => process.stderr.write(`note: ${safe(message)}\n`) })
  try {
    const news = changes()
    const surface = await openSurface(library, configuration, { version, live, changes: news })
    const watching = tellChanges(library, surface, news)
    const handle = serveStdio(surface, {
      onClose: () =>
        closeEach(
          () => watching.close(),
          () => closeAll(library, live, surface.executor),
        ),
    })
    // From here on the handle hears signals itself; one that came before was meant as well.
    if (signal.aborted) handle.close('interrupted')
    await handle.closed
  } catch (error) {
    await giveUp(library, live)
    throw error
  }
}

/** One tool, as over MCP; without a name, the list of them. */
export async function tool(
  configuration: Configuration,
  request: { name?: string; json?: string; asJson?: boolean; version: string; signal: AbortSignal },
  streams: { out: Output; err: Output },
): Promise<number> {
  const library = await openLibrary(configuration)
  const surface = await openSurface(library, configuration, { version: request.version, logLevel: 'silent' })
  try {
    if (request.name === undefined) {
      streams.out.write(toolList(surface.registry, request))
      return 0
    }
    const terminal = { stdin: process.stdin, stdout: streams.out, stderr: streams.err }
    const code = await runTool(surface, { ...request, name: request.name }, terminal)
    await stayFor(library, request.signal, streams.err)
    return code
  } finally {
    await closeEach(
      () => surface.executor.statistics.close(),
      () => closeMemory(library),
      () => library.close(),
    )
  }
}

/** A crawl that was started goes on: no other process may be there to run it. */
async function stayFor({ tasks }: Library, signal: AbortSignal, err: Output) {
  if (tasks.running === 0) return
  err.write(
    'note: what was begun goes on until it is done. Interrupted, it is left to a server or "carrel crawl --resume".\n',
  )
  await Promise.race([tasks.idle(), aborted(signal)])
}

/** Writes this program into a client's configuration. */
export async function setup(options: SetupRequest) {
  const { env } = process
  const cwd = await findRoot(process.cwd(), options.root ?? (env.CARREL_ROOT || undefined))
  // What the client is to start must be able to start; a server at an address has a configuration of its own.
  if (!options.remove && options.url === undefined)
    await loadSettings({ flags: options, env, cwd: process.cwd(), home: homeFolder() })
  const launcher = fileURLToPath(new URL('../../../bin/carrel.mjs', import.meta.url))
  const result = setupClient({
    ...options,
    home: homeFolder(),
    cwd,
    command: [process.execPath, launcher],
    paths: { '--data': options.data, '--config': options.config },
    words: spokenWords(options),
    token: Boolean(env.CARREL_TOKEN),
    env,
  })
  return {
    result: { file: result.file, action: result.action, client: result.client, notes: result.notes },
    changedLines: changedLines(result),
  }
}

/** The options without a path, as they are written on a command line. */
function spokenWords({ set = [], ...allowed }: SetupRequest): string[] {
  return [
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(allowed.allowOutside ? ['--allow-outside'] : []),
    ...(allowed.allowNetwork ? ['--allow-network'] : []),
    ...(allowed.allowPrivateNetwork ? ['--allow-private-network'] : []),
  ]
}
