// Starting a surface over HTTP: opens the library, keeps it live behind the answers, and closes all of it in order.
import { fileURLToPath } from 'node:url'
import { Problem } from '../model/problem.js'
import type { Configuration } from '../model/settings.js'
import { aborted } from '../runtime/abort-signals.js'
import { changes } from '../server/changes.js'
import type { LogLevel } from '../server/log.js'
import type { Serving } from '../surfaces/cli/context.js'
import { snippets } from '../surfaces/cli/paste.js'
import { servePage } from '../surfaces/http/page.js'
import { type HttpOptions, serveHttp } from '../surfaces/http/server.js'
import type { Services } from '../toolsets/all.js'
import { type BackgroundOptions, runBackgroundWork } from './background.js'
import { closeEach, closeServer, giveUp } from './closing.js'
import { shareLibrary } from './engine/engine.js'
import { openLibrary } from './open.js'
import { status } from './status.js'
import { notifyOfChanges, openSurface } from './surface.js'

export interface ServeOptions
  extends BackgroundOptions,
    Pick<HttpOptions<Services>, 'host' | 'port' | 'tokens' | 'allowedHosts' | 'allowedOrigins'> {
  version: string
  logLevel?: LogLevel
  /** Whether other processes of this user may use this one as their engine. */
  share?: boolean
  /** Use any free port if this one is in use. */
  anyPort?: boolean
  signal: AbortSignal
}

export async function serve(configuration: Configuration, options: ServeOptions): Promise<Serving> {
  const library = await openLibrary(configuration, {
    onNote: ({ message }) => options.onTrouble?.(message),
  })
  const live = runBackgroundWork(library, { ...options, network: !configuration.tools.readOnly })
  try {
    const news = changes()
    const surface = await openSurface(library, configuration, {
      version: options.version,
      logLevel: options.logLevel,
      live,
      changes: news,
    })
    const page = servePage(pageFolder)
    let reached = {}
    const statusNow = async () => ({ ...(await status(library)), doing: live.progress(), ...reached })
    const http = await listen({ ...options, surface, status: statusNow, page }, options.anyPort ?? false)
    reached = { url: http.url, connect: snippets(http.url, { token: Boolean(options.tokens?.length) }) }
    const watching = notifyOfChanges(library, surface, news)
    const engine = options.share
      ? await shareLibrary(
          { library, configuration, live, changes: news, version: options.version, kind: 'serve' },
          options.onTrouble ?? (() => {}),
        )
      : null
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
          async () => engine?.close(),
          () => http.close(3_000),
          () => surface.executor.finished(),
          () => watching.close(),
          () => closeServer(library, live, surface.executor),
        ),
    }
    return serving
  } catch (error) {
    await giveUp(library, live)
    throw error
  }
}

// The page's files are served as they were written: from the source folder, in a checkout as in a package.
const pageFolder = fileURLToPath(new URL('../../../src/surfaces/page/', import.meta.url))

async function listen(options: HttpOptions<Services>, anyPort: boolean) {
  try {
    return await serveHttp(options)
  } catch (error) {
    const portInUse = error instanceof Problem && error.code === 'port_in_use'
    if (!anyPort || !portInUse) throw error
    return serveHttp({ ...options, port: 0 })
  }
}
