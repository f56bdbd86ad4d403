// The store as one configuration sees it. It may also hold folders and packages that the configuration does not name: until
// the next run forgets them, or for another project that shares the data folder. Lists and searches do not show these.
import type { Scope } from '../model/scope.js'
import type { Source } from '../model/source.js'
import type { Store } from './port.js'

export interface Configuration {
  root: string
  /** The ids of the configured folders. */
  folders: ReadonlySet<string>
}

/** Hides unconfigured sources in lists and searches. Counts are still those of the whole store. */
export function asConfigured(store: Store, configuration: Configuration): Store {
  const split = async () => {
    const all = await store.sources()
    const shown = all.flatMap((source) => asNamed(source, configuration))
    return { shown, whole: shown.length === all.length }
  }
  // If nothing is hidden, the scope stays unchanged: a store answers without a filter faster.
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
    withReadCache: () => asConfigured(store.withReadCache(), configuration),
  }
}

// The set of packages can change while a server runs, so each package's row lists the projects that name it.
function asNamed(source: Source, { root, folders }: Configuration): Source[] {
  if (source.kind === 'folder') return folders.has(source.id) ? [source] : []
  if (source.kind !== 'package') return [source]
  const aliases = aliasesOf(source)
  const name = Object.keys(aliases).length === 0 ? source.name : aliases[root]
  return name === undefined ? [] : [{ ...source, name }]
}

/** For each project that names the package (by its root folder), the alias it uses. */
export function aliasesOf({ details: { aliases } }: Source): Record<string, string> {
  if (typeof aliases !== 'object' || aliases === null) return {}
  return Object.fromEntries(Object.entries(aliases).filter(([, alias]) => typeof alias === 'string'))
}
