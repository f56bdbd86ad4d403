import type { Configuration } from '../model/settings.js'
import { changes } from '../server/changes.js'
import type { LogLevel } from '../server/log.js'
import { safe } from '../surfaces/cli/terminal.js'
import { reserveStdout, serveStdio } from '../surfaces/mcp/stdio.js'
import { runBackgroundWork } from './background.js'
import { closeServer, giveUp } from './close-server.js'
import { closeEach } from './closing.js'
import { openLibrary } from './open.js'
import { openSurface, tellChanges } from './surface.js'

/** MCP on standard input and output. From the first moment stdout is the protocol's. */
export async function mcp(
  configure: () => Promise<Configuration>,
  { version, signal, logLevel }: { version: string; signal: AbortSignal; logLevel?: LogLevel },
): Promise<void> {
  reserveStdout()
  const configuration = await configure()
  if (signal.aborted) return
  const onTrouble = (message: string) => void process.stderr.write(`note: ${safe(message)}\n`)
  const library = await openLibrary(configuration, { onNote: ({ message }) => onTrouble(message) })
  const live = runBackgroundWork(library, { onTrouble, network: !configuration.tools.readOnly })
  try {
    const news = changes()
    const surface = await openSurface(library, configuration, { version, live, changes: news, logLevel })
    const watching = tellChanges(library, surface, news)
    const handle = serveStdio(surface, {
      onClose: () =>
        closeEach(
          () => watching.close(),
          () => closeServer(library, live, surface.executor),
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
