// Changing and deleting what was recorded, by its id.
import { Problem } from '../../model/problem.js'
import type { Library } from '../library.js'
import { allDiscoveries, type Discovery, discoveryKind } from './discoveries.js'
import { discoveriesLease, storeDiscoveries } from './memory.js'
import { discoveriesSource } from './sources.js'
import { draft } from './statements.js'

/** Deletes a discovery. Earlier ones that it replaced hold again. False when there is none. */
export async function forgetDiscovery(library: Library, id: string): Promise<boolean> {
  return library.mutex.withLock(discoveriesLease, async () => {
    if (!(await library.store.records.delete(discoveryKind, id))) return false
    await library.store.forget([{ source: discoveriesSource, path: `${id}.md` }])
    const replaced = (await allDiscoveries(library)).filter(({ supersededBy }) => supersededBy === id)
    const valid = replaced.map((one): Discovery => ({ ...one, supersededBy: null }))
    for (const one of valid) await library.store.records.put(discoveryKind, one.id, one)
    if (valid.length > 0) await storeDiscoveries(library, valid)
    return true
  })
}

/** Gives a discovery another text; its id stays. Secrets are taken out as when it is recorded. */
export async function rewordDiscovery(library: Library, id: string, content: string): Promise<Discovery> {
  return library.mutex.withLock(discoveriesLease, async () => {
    const known = await library.store.records.get<Discovery>(discoveryKind, id)
    if (!known)
      throw new Problem('not_found', `There is no discovery "${id}".`, 'context_search finds the ids.')
    const { type, module } = known
    const { discovery } = draft(library, { type, content, ...(module && { module }), from: { by: 'tool' } })
    const changed = { ...known, content: discovery.content, updatedAt: discovery.updatedAt }
    await library.store.records.put(discoveryKind, id, changed)
    // The vector of the old text must not be given to the new one.
    await library.store.forget([{ source: discoveriesSource, path: `${id}.md` }])
    await storeDiscoveries(library, [changed])
    return changed
  })
}
