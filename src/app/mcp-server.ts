import { loadModel } from '../answer/vectors.js'
import type { Configuration } from '../model/settings.js'
import { changes } from '../server/changes.js'
import { safe } from '../surfaces/cli/terminal.js'
import { serveStdio } from '../surfaces/mcp/stdio.js'
import { type BackgroundWork, runBackgroundWork } from './background.js'
import { closeEach, closeServer, giveUp } from './closing.js'
import { shareLibrary } from './engine/engine.js'
import type { McpOptions } from './mcp.js'
import { openLibrary } from './open.js'
import { notifyOfChanges, openSurface } from './surface.js'

/** Serves one client on two streams, and other processes as their engine. */
export async function serveMcp(
  configuration: Configuration,
  { version, signal, logLevel, share, stdin, stdout }: McpOptions,
): Promise<void> {
  const onTrouble = (message: string) => void process.stderr.write(`note: ${safe(message)}\n`)
  const library = await openLibrary(configuration, { onNote: ({ message }) => onTrouble(message) })
  // A client waits for the first answers, so everything else begins behind them.
  const { begun, begin, beginSoon } = afterFirstAnswers()
  const live = runBackgroundWork(library, {
    onTrouble,
    network: !configuration.tools.readOnly,
    after: begun,
  })
  try {
    const news = changes()
    const catchUp: BackgroundWork['catchUp'] = (mostMs) => {
      begin()
      return live.catchUp(mostMs)
    }
    const shared = {
      library,
      configuration,
      live: { ...live, catchUp },
      changes: news,
      version,
      kind: 'mcp' as const,
    }
    const surface = await openSurface(library, configuration, { ...shared, logLevel })
    const watching = begun.then(() => notifyOfChanges(library, surface, news))
    const engine = share ? await shareLibrary(shared, onTrouble) : null
    const loadSoon = once(() => setImmediate(() => loadModel(library).catch(() => {})))
    // The client of an engine that died waits for an answer already.
    if (stdin) loadSoon()
    const handle = serveStdio(surface, {
      ...(stdin && { stdin }),
      ...(stdout && { stdout }),
      onMessage() {
        beginSoon()
        loadSoon()
      },
      onClose: () => {
        begin()
        return closeEach(
          async () => engine?.close(),
          async () => (await watching).close(),
          () => closeServer(library, live, surface.executor),
        )
      },
    })
    // From here on the handle hears signals itself; one that came before was meant as well.
    if (signal.aborted) handle.close('interrupted')
    await handle.closed
  } catch (error) {
    begin()
    await giveUp(library, live)
    throw error
  }
}

/** Only the first call has an effect. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

const answersMs = 50
const longestMs = 1_000

/** Begins a moment after the first answer, when the client has its list of tools; or when no client has sent a request. */
function afterFirstAnswers() {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const late = setTimeout(begin, longestMs)
  let soon: NodeJS.Timeout | undefined
  const beginSoon = () => {
    soon ??= setTimeout(begin, answersMs)
  }
  void begun.then(() => {
    clearTimeout(late)
    clearTimeout(soon)
  })
  return { begun, begin, beginSoon }
}
