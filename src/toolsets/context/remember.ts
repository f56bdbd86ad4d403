import type { Library } from '../../answer/library.js'
import type { DiscoveryType } from '../../model/discovery.js'
import { type Recorded, recordDiscovery } from './record-discovery.js'
import { noteDiscovery, type Sitting, sessionsWritten, touch } from './sessions.js'

export interface Remembered extends Recorded {
  /** The session it was recorded in this time. */
  session: string
}

/** Records what a reader found out, in the session it sits in. */
export async function rememberDiscovery(
  library: Library,
  said: { type: DiscoveryType; content: string; module?: string | undefined },
  sitting: Sitting = {},
  signal?: AbortSignal,
): Promise<Remembered> {
  const session = touch(library, sitting)
  const recorded = await recordDiscovery(library, { ...said, session, from: { by: 'tool' } }, signal)
  // Begun before the record was, so by now as good as there: what is acknowledged names a session that is kept, too.
  await sessionsWritten(library)
  noteDiscovery(library, recorded.discovery.id, sitting)
  return { ...recorded, session }
}
