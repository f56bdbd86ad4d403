// A scope that nothing is in reads like an answer: "nothing found" of a folder that there is not is no finding.

import type { DocumentSummary } from '../../model/document.js'
import type { Note } from '../../model/problem.js'
import type { Scope } from '../../model/source.js'
import { isLanguage, languageNames } from '../../parse/formats.js'
import { createYielder } from '../../runtime/yield.js'
import type { Store } from '../../store/port.js'
import { didYouMean } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'

type Field = 'under' | 'tags' | 'languages'

/** For each folder, tag and language of a scope that nothing has, with what may have been meant. Where something was found, one that stands alone has it. */
export async function emptyScopeNotes(store: Store, scope: Scope, hits: number): Promise<Note[]> {
  const { under, tags, languages, ...rest } = scope
  if (!under && !tags && !languages) return []
  const isEmpty = async (one: Scope) => (await store.documents(one, { offset: 0, limit: 1 })).total === 0
  const missing = async (field: Field) => {
    // A folder stands in a scope in each way that its accents may be written.
    const values = [...new Set(scope[field]?.map((value) => value.normalize('NFC')))]
    if (hits > 0 && values.length === 1) return []
    const empty = await Promise.all(values.map((value) => isEmpty({ ...rest, [field]: normalForms(value) })))
    return values.filter((_, i) => empty[i])
  }
  const [folders, labels, names] = await Promise.all([
    missing('under'),
    missing('tags'),
    missing('languages'),
  ])
  const known = folders.length + labels.length > 0 ? await namesIn(store, rest) : nothing
  const notes = [
    ...folders.map((one) =>
      noteOn(`There is no folder "${one}" with documents.`, didYouMean(one, known.folders)),
    ),
    ...labels.map((one) => noteOn(`No document has the tag "${one}".`, didYouMean(one, known.tags))),
    ...names.map((one) =>
      noteOn(`There is no code in "${one}".`, isLanguage(one) ? undefined : didYouMean(one, languageNames())),
    ),
  ]
  return notes.length === 0 && hits === 0 && (await isEmpty(scope))
    ? [noteOn('Nothing is in all of these scopes.')]
    : notes
}

function noteOn(what: string, hint?: string): Note {
  return { code: 'empty_scope', message: hint === undefined ? what : `${what} ${hint}` }
}

interface Names {
  folders: Set<string>
  tags: Set<string>
}

const nothing: Names = { folders: new Set(), tags: new Set() }
const atOnce = 1_000
/** Of a library without end, the names in so many documents will do for a hint. */
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
