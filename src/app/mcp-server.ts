import type { Configuration } from '../model/settings.js'
import { changes } from '../server/changes.js'
import { safe } from '../surfaces/cli/terminal.js'
import { serveStdio } from '../surfaces/mcp/stdio.js'
import { runBackgroundWork } from './background.js'
import { closeEach, closeServer, giveUp } from './closing.js'
import { shareLibrary } from './engine/engine.js'
import type { McpOptions } from './mcp.js'
import { openLibrary } from './open.js'
import { openSurface, tellChanges } from './surface.js'

/** Serves one client on two streams, and other processes as their engine. */
export async function serveMcp(
  configuration: Configuration,
  { version, signal, logLevel, share, stdin, stdout }: McpOptions,
): Promise<void> {
  const onTrouble = (message: string) => void process.stderr.write(`note: ${safe(message)}\n`)
  const library = await openLibrary(configuration, { onNote: ({ message }) => onTrouble(message) })
  const live = runBackgroundWork(library, { onTrouble, network: !configuration.tools.readOnly })
  try {
    const news = changes()
    const shared = { library, configuration, live, changes: news, version, kind: 'mcp' as const }
    const surface = await openSurface(library, configuration, { ...shared, logLevel })
    const watching = tellChanges(library, surface, news)
    const engine = share ? await shareLibrary(shared, onTrouble) : null
    const handle = serveStdio(surface, {
      ...(stdin && { stdin }),
      ...(stdout && { stdout }),
      onClose: () =>
        closeEach(
          async () => engine?.close(),
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
