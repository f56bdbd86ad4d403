// "Nothing found" in a folder that does not exist would read like an answer. The note says that the filter matches nothing.

import type { DocumentSummary } from '../../model/document.js'
import type { Note } from '../../model/problem.js'
import type { Scope } from '../../model/source.js'
import { isLanguage, languageNames } from '../../parse/formats.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import { didYouMean } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'
import type { Library } from '../library.js'
import { unindexedFolders } from './unindexed-folders.js'

type Field = 'under' | 'tags' | 'languages'

/**
 * Names each folder, tag and language of the scope that no document has, with the closest known name. A filter with one
 * value is not checked when something was found: the hits prove that it matches.
 */
export async function emptyScopeNote(
  library: Library,
  { scope, hits, askedSources }: Answer,
): Promise<Note | null> {
  const { under, tags, languages, ...rest } = scope
  if (!under && !tags && !languages) return null
  // A folder that is not indexed yet may hold what the filter names, and another note says so.
  if ((await unindexedFolders(library, askedSources)).length > 0) return null
  const { store } = library
  const isEmpty = async (one: Scope) => (await store.documents(one, { offset: 0, limit: 1 })).total === 0
  const missing = async (field: Field) => {
    // A scope holds a folder once for each Unicode normal form of its name.
    const values = [...new Set(scope[field]?.map((value) => value.normalize('NFC')))]
    if (hits.length > 0 && values.length === 1) return []
    const empty = await Promise.all(values.map((value) => isEmpty({ ...rest, [field]: normalForms(value) })))
    return values.filter((_, i) => empty[i])
  }
  const [folders, labels, names] = await Promise.all([
    missing('under'),
    missing('tags'),
    missing('languages'),
  ])
  const known = folders.length + labels.length > 0 ? await namesIn(store, rest) : nothing
  const sentences = [
    ...folders.map((one) => [`There is no folder "${one}" with documents.`, didYouMean(one, known.folders)]),
    ...labels.map((one) => [`No document has the tag "${one}".`, didYouMean(one, known.tags)]),
    ...names.map((one) => [
      `There is no code in "${one}".`,
      isLanguage(one) ? undefined : didYouMean(one, languageNames()),
    ]),
  ].flat()
  if (sentences.length === 0 && hits.length === 0 && (await isEmpty(scope)))
    sentences.push('Nothing is in all of these scopes.')
  const message = sentences.filter((sentence) => sentence !== undefined).join(' ')
  return message === '' ? null : { code: 'empty_scope', message }
}

interface Answer {
  scope: Scope
  hits: readonly unknown[]
  askedSources?: readonly string[] | undefined
}

interface Names {
  folders: Set<string>
  tags: Set<string>
}

const nothing: Names = { folders: new Set(), tags: new Set() }
const atOnce = 1_000
/** In a very large library, the names in this many documents are enough for a hint. */
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
