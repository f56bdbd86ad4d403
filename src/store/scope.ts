// Which documents and chunks a scope covers. Pure functions: a store may call them, or is tested against them.
import type { Note } from '../model/problem.js'
import type { ChunkKind, DocumentScope, Format, Ref, Scope } from '../model/source.js'
import { isInModule } from '../text/module.js'
import { sameName } from '../text/same-name.js'

export interface ScopedDocument {
  ref: Ref
  format: Format
  language: string | null
  tags: readonly string[]
  notes: readonly Note[]
}

export interface ScopedChunk {
  kind: ChunkKind
  language: string | null
}

/** Whether a search in this scope may return the chunk. */
export function inScope(document: ScopedDocument, chunk: ScopedChunk, scope: Scope): boolean {
  return documentCovered(document, scope) && chunkCovered(document, chunk, scope)
}

/** Whether a list in this scope shows the document: any of its chunks is in scope. A document without chunks has no kind. */
export function documentInScope(
  document: ScopedDocument,
  chunks: readonly ScopedChunk[],
  scope: Scope,
): boolean {
  if (!documentCovered(document, scope)) return false
  if (chunks.length > 0) return chunks.some((chunk) => chunkCovered(document, chunk, scope))
  return !scope.kinds && (!scope.languages || covers(scope.languages, document.language))
}

/** Checks the fields that all chunks of a document share. A store may check them once a document. */
export function documentCovered(document: ScopedDocument, scope: Scope): boolean {
  const { ref, format, tags, notes } = document
  return (
    (!scope.sources || scope.sources.includes(ref.source)) &&
    (!scope.documents || scope.documents.some((d) => isSame(d, ref))) &&
    !scope.except?.some((d) => isSame(d, ref)) &&
    (!scope.under || scope.under.some((folder) => isUnder(ref.path, folder))) &&
    (!scope.formats || scope.formats.includes(format)) &&
    (!scope.tags || scope.tags.some((wanted) => tags.some((tag) => isTagged(tag, wanted)))) &&
    (!scope.modules || scope.modules.some((module) => isOfModule(document, module, scope.within))) &&
    (!scope.noted || notes.some(({ code }) => scope.noted!.includes(code))) &&
    (!scope.any || scope.any.some((one: DocumentScope) => documentCovered(document, one)))
  )
}

function isSame(a: Ref, b: Ref): boolean {
  return a.source === b.source && a.path === b.path
}

/** A document belongs to a module by its path or by a tag `module/NAME`. */
function isOfModule({ ref, tags }: ScopedDocument, module: string, within: Scope['within'] = {}): boolean {
  const folder = Object.hasOwn(within, ref.source) ? `${within[ref.source]}/` : ''
  return isInModule(folder + ref.path, module) || tags.some((tag) => isTagged(tag, `module/${module}`))
}

/** Checks the fields of the chunk itself. Code in prose has its own language; other chunks have the document's. */
export function chunkCovered(document: ScopedDocument, chunk: ScopedChunk, scope: Scope): boolean {
  return (
    (!scope.kinds || scope.kinds.includes(chunk.kind)) &&
    (!scope.languages || covers(scope.languages, chunk.language ?? document.language))
  )
}

/** `docs/adr` covers itself and `docs/adr/0001.md`, not `docs/adrian.md`; an empty folder or `.` covers all. */
export function isUnder(path: string, folder: string): boolean {
  const prefix = folder.replace(/(?<!\/)\/+$/, '')
  return prefix === '' || prefix === '.' || path === prefix || path.startsWith(`${prefix}/`)
}

/** `project` covers `Project/lantern`, not `projector`. */
export function isTagged(tag: string, wanted: string): boolean {
  const [has, wants] = [sameName(tag), sameName(wanted)]
  return has === wants || has.startsWith(`${wants}/`)
}

function covers(values: readonly string[], value: string | null): boolean {
  return value !== null && values.includes(value)
}
