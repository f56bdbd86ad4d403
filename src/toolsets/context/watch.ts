// Notifies connected clients when the pages about the project change.
import type { Library } from '../../answer/library.js'
import { type Poller, poll } from '../../runtime/poll.js'
import { moduleNames } from './overview.js'

export type ContextChange = { kind: 'resources' } | { kind: 'pages'; modules: string[] }

export interface WatchOptions {
  onChange(change: ContextChange): void
  onTrouble?(message: string): void
  everyMs?: number
}

/** Reports a change once the index is at rest again: while it is filled, every look would find it changed. */
export function watchContext(
  library: Library,
  { onChange, onTrouble, everyMs = 2_000 }: WatchOptions,
): Poller {
  let seen: string | null = null
  let reported: string | null = null
  let modules: string[] | null = null
  return poll(
    async () => {
      const version = await library.store.version()
      const isAtRest = version === seen
      seen = version
      reported ??= version
      if (!isAtRest || version === reported) return
      reported = version
      const before = modules
      modules = await moduleNames(library)
      if (before?.join('\n') !== modules.join('\n')) onChange({ kind: 'resources' })
      onChange({ kind: 'pages', modules })
    },
    { everyMs, onTrouble },
  )
}
