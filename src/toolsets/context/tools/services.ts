import { z } from 'zod'
import type { Library } from '../../../answer/library.js'
import type { Call } from '../../../server/define.js'
import type { Sitting } from '../sessions.js'

export interface ContextServices {
  library: Library
}

/** A session that the caller names: it is a part of addresses. An empty one counts as left out. */
export const sessionHandle = z.string().regex(/^[\w.:-]{0,100}$/)

/** Whose call it is, as sessions tell readers apart. */
export function sittingOf(
  { session, client }: Pick<Call, 'session' | 'client'>,
  sessionId?: string,
): Sitting {
  return { sessionId: sessionId || undefined, connection: session, client: client.name }
}
