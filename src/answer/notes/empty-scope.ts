// Filters that match no document. "Nothing found" would read like an answer, so a note names the filter at fault.

import type { DocumentSummary } from '../../model/document.js'
import type { Note } from '../../model/problem.js'
import { type Filters, filterNames, type Scope, scopeFields } from '../../model/scope.js'
import { isLanguage, languageNamed, languageNames } from '../../parse/formats.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import { didYouMean } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'
import type { Library } from '../library.js'
import { unindexedFolders } from './index-state.js'

/** The filters of a request as a scope needs them: folders in each Unicode form, languages by their one name. */
export function filtersOf(request: Filters): Filters {
  const given = filterNames.flatMap((name) => (request[name] ? [[name, request[name]]] : []))
  const { under, languages, ...rest }: Filters = Object.fromEntries(given)
  return {
    ...rest,
    ...(under ? { under: under.flatMap(normalForms) } : {}),
    ...(languages ? { languages: languages.map(languageNamed) } : {}),
  }
}

/**
 * Names each filter value that matches no document, and suggests the closest name. A filter with one value is not checked
 * when there are hits: they all match it.
 */
export async function emptyScopeNote(
  library: Library,
  {
    scope,
    hits,
    askedSources,
  }: { scope: Scope; hits: readonly unknown[]; askedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  const given = filterNames.filter((name) => scope[name])
  if (given.length === 0) return null
  // A folder that is not indexed yet may hold what the filter names, and another note says so.
  if ((await unindexedFolders(library, askedSources)).length > 0) return null
  const { store } = library
  const rest = Object.fromEntries(
    Object.entries(scope).filter(([name]) => !given.some((one) => one === name)),
  )
  const isEmpty = async (one: Scope) => (await store.documents(one, { offset: 0, limit: 1 })).total === 0
  const missing = await Promise.all(
    given.map(async (name) => {
      const given: unknown = scope[name]
      const isList = Array.isArray(given)
      // A scope has a folder once for each Unicode form of its name.
      const values = [...new Set((isList ? given : [given]).map((value) => String(value).normalize('NFC')))]
      if (hits.length > 0 && values.length === 1) return []
      const alone = (value: string) => ({ ...rest, [name]: isList ? normalForms(value) : given })
      const empty = await Promise.all(values.map((value) => isEmpty(alone(value))))
      return values.filter((_, i) => empty[i]).map((value) => ({ name, value }))
    }),
  )
  const suggest = suggestions(store, rest)
  const sentences = await Promise.all(
    missing
      .flat()
      .map(async ({ name, value }) =>
        [scopeFields[name].emptyNote(value), await suggest[name]?.(value)].filter(Boolean).join(' '),
      ),
  )
  if (sentences.length === 0 && hits.length === 0 && (await isEmpty(scope)))
    sentences.push('Nothing is in all of these scopes.')
  return sentences.length === 0 ? null : { code: 'empty_scope', message: sentences.join(' ') }
}

type Suggest = (value: string) => string | undefined | Promise<string | undefined>

function suggestions(store: Store, scope: Scope): Partial<Record<keyof Filters, Suggest>> {
  let names: Promise<Names> | null = null
  const known = () => {
    names ??= namesIn(store, scope)
    return names
  }
  return {
    under: async (folder) => didYouMean(folder, (await known()).folders),
    tags: async (tag) => didYouMean(tag, (await known()).tags),
    languages: (name) => (isLanguage(name) ? undefined : didYouMean(name, languageNames())),
  }
}

interface Names {
  folders: Set<string>
  tags: Set<string>
}

const atOnce = 1_000
/** In a large library, the names in this many documents are enough for a hint. */
const mostRead = 20_000

async function namesIn(store: Store, scope: Scope): Promise<Names> {
  const names: Names = { folders: new Set(), tags: new Set() }
  const yieldIfDue = createYielder()
  for (let offset = 0; offset < mostRead; offset += atOnce) {
    const { documents } = await store.documents(scope, { offset, limit: atOnce })
    for (const document of documents) addNames(names, document)
    if (documents.length < atOnce) break
    await yieldIfDue()
  }
  return names
}

function addNames({ folders, tags }: Names, { ref, tags: own }: DocumentSummary) {
  for (const tag of own) tags.add(tag)
  for (let end = ref.path.lastIndexOf('/'); end > 0; end = ref.path.lastIndexOf('/', end - 1))
    folders.add(ref.path.slice(0, end))
}
