// The store as one configuration sees it. A folder that it does not name may still be kept there, until the next run
// forgets it or for another project that shares the data folder; nothing that looks around comes across it.
import type { Scope } from '../model/source.js'
import type { Store } from './port.js'

/** `folders`: the ids of those that are configured. Counts stay those of the whole store. */
export function asConfigured(store: Store, folders: ReadonlySet<string>): Store {
  const split = async () => {
    const all = await store.sources()
    const shown = all.filter(({ id, kind }) => kind !== 'folder' || folders.has(id))
    return { shown, whole: shown.length === all.length }
  }
  // Where nothing is hidden the scope stays as it was: a store answers an open one quicker.
  const narrowed = async (scope: Scope): Promise<Scope> => {
    const { shown, whole } = await split()
    if (whole) return scope
    const ids = shown.map(({ id }) => id)
    return { ...scope, sources: scope.sources ? ids.filter((id) => scope.sources!.includes(id)) : ids }
  }
  return {
    ...store,
    sources: async () => (await split()).shown,
    documents: async (scope, page) => store.documents(await narrowed(scope), page),
    rank: async (query) => store.rank({ ...query, scope: await narrowed(query.scope) }),
    vectors: {
      ...store.vectors,
      nearest: async (query) => store.vectors.nearest({ ...query, scope: await narrowed(query.scope) }),
    },
    together: () => asConfigured(store.together(), folders),
  }
}
