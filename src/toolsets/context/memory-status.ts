import type { Library } from '../../answer/library.js'
import { allDiscoveries } from '../../answer/memory/discoveries.js'
import { type DiscoveryType, discoveryTypes } from '../../model/discovery.js'
import type { MemoryStatus } from '../../model/reports.js'
import { contextItems } from './accesses.js'
import { allSessions } from './sessions.js'

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
