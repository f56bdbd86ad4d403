// The engine that the command line starts: it belongs to no client, and ends when nobody has needed it for some minutes.
import { lstatSync } from 'node:fs'
import type { Configuration } from '../../model/settings.js'
import { aborted } from '../../runtime/abort-signals.js'
import { changes } from '../../server/changes.js'
import { runBackgroundWork } from '../background.js'
import { closeEach, closeServer, giveUp } from '../closing.js'
import { openLibrary } from '../open.js'
import { notifyOfChanges, openSurface } from '../surface.js'
import { findAddress } from './address.js'
import { shareLibrary } from './engine.js'
import { takeEngineLock } from './lock.js'

const lookMs = 2_000

/** Answers other processes until nobody has been connected for the configured minutes and no work is left. */
export async function serveCommands(
  configuration: Configuration,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  const { data, engineMinutes } = configuration
  const lock = takeEngineLock(data)
  if (lock === null || lock === 'busy') return
  const stop = new AbortController()
  const over = AbortSignal.any([signal, stop.signal])
  const library = await openLibrary(configuration)
  // It uses the network only for clients that would: a search starts no downloads.
  const live = runBackgroundWork(library, { network: false })
  try {
    const news = changes()
    const surface = await openSurface(library, configuration, { version, live, changes: news })
    const watching = notifyOfChanges(library, surface, news)
    const quit = () => stop.abort()
    const shared = { library, configuration, live, changes: news, version, kind: 'commands' as const, quit }
    const engine = await shareLibrary(shared, () => {})
    const place = placeOf(data)
    const timer = setInterval(() => {
      const since = engine?.idleSince() ?? null
      const idleMs = since === null || live.isBusy() ? 0 : performance.now() - since
      // A folder that is gone, or is another one now, has no use for it.
      if (idleMs > engineMinutes * 60_000 || placeOf(data) !== place) quit()
    }, lookMs)
    if (engine) await aborted(over)
    clearInterval(timer)
    await closeEach(
      async () => engine?.close(),
      () => surface.executor.finished(),
      () => watching.close(),
      () => closeServer(library, live, surface.executor),
    )
  } catch (error) {
    await giveUp(library, live)
    throw error
  }
}

/** What clients find: the socket, and on Windows the data folder. */
function placeOf(data: string): string {
  const path = process.platform === 'win32' ? data : findAddress(data)
  const found = path === null ? undefined : lstatSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : ''
}
