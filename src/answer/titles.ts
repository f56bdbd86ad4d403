// Titles in one answer tell its documents apart: two of the same title go by their files' names, and a file whose name says
// nothing goes by its folder, too.
import type { DocumentSummary } from '../model/document.js'
import { refKey } from '../model/source.js'
import { titleFromPath } from '../text/title.js'

interface Titled {
  document: DocumentSummary
}

export function titled<T extends Titled>(passages: readonly T[]): T[] {
  const documents = new Map(passages.map(({ document }) => [refKey(document.ref), document]))
  const count = new Map<string, number>()
  for (const { title } of documents.values()) count.set(title, (count.get(title) ?? 0) + 1)
  return passages.map((one) => {
    const { document } = one
    const title = telling(document, count.get(document.title)! > 1)
    return title === document.title ? one : { ...one, document: { ...document, title } }
  })
}

/** Names that every folder may have: `auth/index.ts`. */
const common =
  /^(?:index|main|mod|lib|init|__init__|__main__|app|types|utils|util|page|route|layout|setup)\.\w+$/i

function telling({ ref: { path }, title, format }: DocumentSummary, isShared: boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (title === name) return isShared || common.test(name) ? path.split('/').slice(-2).join('/') : title
  // A page is called by its file; what somebody wrote as its title stays beside that.
  if (!isShared || format === 'code' || format === 'data') return title
  const called = titleFromPath(path)
  return called.toLowerCase() === title.toLowerCase() ? path : `${called} (${title})`
}
