import type { Library } from '../library.js'
import { type ContextItem, contextItems } from './accesses.js'
import { allDiscoveries, type DiscoveryType, discoveryTypes } from './discoveries.js'
import { allSessions } from './sessions.js'

/** A project's memory in figures. */
export interface MemoryStatus {
  discoveries: { total: number; superseded: number; byType: Record<DiscoveryType, number> }
  sessions: { total: number; open: number; last: string | null }
  /** What was read most and latest, the highest score first. */
  context: Pick<ContextItem, 'path' | 'score' | 'accesses'>[]
}

const mostItems = 10

export async function memoryStatus(library: Library): Promise<MemoryStatus> {
  const [discoveries, sessions] = [await allDiscoveries(library), await allSessions(library)]
  const of = (type: DiscoveryType) => discoveries.filter((one) => one.type === type).length
  return {
    discoveries: {
      total: discoveries.length,
      superseded: discoveries.filter(({ supersededBy }) => supersededBy !== null).length,
      byType: Object.fromEntries(discoveryTypes.map((type) => [type, of(type)])) as Record<
        DiscoveryType,
        number
      >,
    },
    sessions: {
      total: sessions.length,
      open: sessions.filter(({ endedAt }) => endedAt === null).length,
      last: sessions[0] ? new Date(sessions[0].startedAt).toISOString() : null,
    },
    context: (await contextItems(library))
      .slice(0, mostItems)
      .map(({ path, score, accesses }) => ({ path, score, accesses })),
  }
}
