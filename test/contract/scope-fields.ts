// What each field of a scope means, as a predicate that is obviously right, and random values of it. The reference store
// answers by the predicates; the random histories compare every other store with it.
import fc from 'fast-check'
import type { Stamp } from '../../src/model/document.js'
import type { Note } from '../../src/model/problem.js'
import type { DocumentScope, Scope } from '../../src/model/scope.js'
import type { ChunkKind, Format, Ref } from '../../src/model/source.js'
import { isInModule } from '../../src/text/module.js'
import { sameName } from '../../src/text/normal-forms.js'

export interface ScopedDocument {
  ref: Ref
  format: Format
  language: string | null
  tags: readonly string[]
  notes: readonly Note[]
  stamp: Pick<Stamp, 'mtimeMs'> | null
  readAt: number
}

export interface ScopedChunk {
  kind: ChunkKind
  language: string | null
}

interface ScopeField<T> {
  /** Whether the field covers a chunk of a document. Null: the document has no chunks. */
  matches(value: T, document: ScopedDocument, chunk: ScopedChunk | null, scope: Scope): boolean
  random: fc.Arbitrary<T>
}

export const sourceIds = ['code', 'notes']
export const paths = ['A.md', 'a.md', 'docs', 'docs/adr', 'docs/adr/x.md', 'docs/adrian.md', 'src/é.py']
export const languages = ['python', 'sql']
export const noteCodes = ['cut', 'odd']

const randomRef: fc.Arbitrary<Ref> = fc.record(
  { source: fc.constantFrom(...sourceIds), path: fc.constantFrom(...paths) },
  { noNullPrototype: true },
)

const fields: { [K in keyof Scope]-?: ScopeField<NonNullable<Scope[K]>> } = {
  sources: {
    matches: (ids, { ref }) => ids.includes(ref.source),
    random: listOf(...sourceIds, 'nowhere'),
  },
  documents: {
    matches: (refs, { ref }) => refs.some((one) => isSame(one, ref)),
    random: someOf(randomRef),
  },
  except: {
    matches: (refs, { ref }) => !refs.some((one) => isSame(one, ref)),
    random: someOf(randomRef),
  },
  under: {
    matches: (folders, { ref }) => folders.some((folder) => isUnder(ref.path, folder)),
    random: listOf('', '.', 'docs', 'docs/adr', 'docs/adr/', 'docs/a', 'src'),
  },
  formats: {
    matches: (formats, { format }) => formats.includes(format),
    random: listOf<Format>('markdown', 'text', 'code'),
  },
  languages: {
    matches: (names, document, chunk) => {
      const language = chunk?.language ?? document.language
      return language !== null && names.includes(language)
    },
    random: listOf(...languages),
  },
  tags: {
    matches: (wanted, { tags }) => wanted.some((one) => tags.some((tag) => isTagged(tag, one))),
    random: listOf('project', 'PROJECT/lantern', 'x', 'proj'),
  },
  kinds: {
    matches: (kinds, _document, chunk) => chunk !== null && kinds.includes(chunk.kind),
    random: listOf<ChunkKind>('prose', 'code', 'table'),
  },
  modules: {
    matches: (modules, document, _chunk, { within }) =>
      modules.some((module) => isOfModule(document, module, within)),
    random: listOf('docs', 'DOCS', 'adr', 'src', 'docs/adr', 'src/x', 'x'),
  },
  within: {
    matches: () => true,
    random: fc.dictionary(fc.constantFrom(...sourceIds), fc.constantFrom('src', 'src/x', 'docs'), {
      noNullPrototype: true,
    }),
  },
  noted: {
    matches: (codes, { notes }) => notes.some(({ code }) => codes.includes(code)),
    random: listOf(...noteCodes, 'od'),
  },
  since: {
    matches: (time, { stamp, readAt }) => (stamp?.mtimeMs ?? readAt) >= time,
    random: fc.constantFrom(0, 1, 2, 1_000, 1_700_000_000_000),
  },
  any: { matches: isInAny, random: someOf(randomDocumentScope()) },
  ofKinds: { matches: isInAny, random: someOf(randomDocumentScope()) },
}

const fieldNames = Object.keys(fields) as (keyof Scope)[]

/** Whether a search in this scope may return the chunk. */
export function inScope(document: ScopedDocument, chunk: ScopedChunk | null, scope: Scope): boolean {
  return fieldNames.every((name) => {
    const field = fields[name] as ScopeField<never>
    return scope[name] === undefined || field.matches(scope[name] as never, document, chunk, scope)
  })
}

/** Whether a list in this scope shows the document: when any of its chunks is in scope. */
export function documentInScope(
  document: ScopedDocument,
  chunks: readonly ScopedChunk[],
  scope: Scope,
): boolean {
  return (chunks.length > 0 ? chunks : [null]).some((chunk) => inScope(document, chunk, scope))
}

const wide: fc.Arbitrary<Scope> = fc.record(
  Object.fromEntries(fieldNames.map((name) => [name, fields[name].random])) as {
    [K in keyof Scope]-?: fc.Arbitrary<NonNullable<Scope[K]>>
  },
  { noNullPrototype: true, requiredKeys: [] },
)

// A scope of all fields covers nothing: most of these have none, one or two.
export const randomScope: fc.Arbitrary<Scope> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Scope>({}) },
  {
    weight: 5,
    arbitrary: fc.uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1, maxLength: 2 }).chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, fields[name].random])), {
        noNullPrototype: true,
      }),
    ),
  },
  { weight: 1, arbitrary: wide },
)

function isInAny(scopes: readonly DocumentScope[], document: ScopedDocument): boolean {
  return scopes.some((scope) => inScope(document, null, scope))
}

function randomDocumentScope(): fc.Arbitrary<DocumentScope> {
  return fc.record<DocumentScope, never>(
    {
      sources: listOf(...sourceIds),
      formats: listOf<Format>('markdown', 'code'),
      tags: listOf('project', 'x'),
    },
    { noNullPrototype: true, requiredKeys: [] },
  )
}

function listOf<T>(...values: T[]): fc.Arbitrary<T[]> {
  return someOf(fc.constantFrom(...values))
}

function someOf<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }) },
    fc.constant<T[]>([]),
  )
}

function isSame(a: Ref, b: Ref): boolean {
  return a.source === b.source && a.path === b.path
}

function isUnder(path: string, folder: string): boolean {
  const prefix = folder.replace(/(?<!\/)\/+$/, '')
  return prefix === '' || prefix === '.' || path === prefix || path.startsWith(`${prefix}/`)
}

function isTagged(tag: string, wanted: string): boolean {
  const [has, wants] = [sameName(tag), sameName(wanted)]
  return has === wants || has.startsWith(`${wants}/`)
}

function isOfModule({ ref, tags }: ScopedDocument, module: string, within: Scope['within'] = {}): boolean {
  const folder = Object.hasOwn(within, ref.source) ? `${within[ref.source]}/` : ''
  return isInModule(folder + ref.path, module) || tags.some((tag) => isTagged(tag, `module/${module}`))
}
