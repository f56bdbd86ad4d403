// A scope narrows what is searched or listed, always before ranking. Each of its fields has one entry in four tables, and
// the compiler names the table that lacks one: the type and `scopeFields` here, its SQL in `store/sqlite/scope.ts`, its
// predicate and generator for the tests in `test/contract/scope-fields.ts`. CONTRIBUTING.md has the recipe.
import type { ChunkKind, Format, Ref } from './source.js'

/** The fields are joined by "and", the values of a field by "or". */
export interface Scope {
  sources?: readonly string[]
  documents?: readonly Ref[]
  /** All documents but these. */
  except?: readonly Ref[]
  /** Folders inside a source: `docs/adr` covers itself and `docs/adr/0001.md`, not `docs/adrian.md`. */
  under?: readonly string[]
  formats?: readonly Format[]
  /** A chunk has its document's language unless it has its own (code in prose). */
  languages?: readonly string[]
  /** Tags match in any case of letters; `project` covers `project/lantern`. */
  tags?: readonly string[]
  kinds?: readonly ChunkKind[]
  /**
   * Modules of a project or paths in them, in any case of letters: by a document's path (`src/auth/…`) or a tag
   * (`module/auth`).
   */
  modules?: readonly string[]
  /** For `modules`: the folder of the project that a source is, by the source's id. Paths are read from there. */
  within?: Readonly<Record<string, string>>
  /** Documents that carry a note of one of these codes. */
  noted?: readonly string[]
  /** Changed at this time or later, in milliseconds; a document without a file by when it was read. */
  since?: number
  /** Documents that one of these covers. */
  any?: readonly DocumentScope[]
  /** One scope for each requested kind of document. A document must match one of them, and one of `any`. */
  ofKinds?: readonly DocumentScope[]
}

/** The fields that describe whole documents. */
export type DocumentScope = Omit<Scope, 'kinds' | 'languages' | 'any' | 'ofKinds'>

/** The kinds of documents that people tell apart. */
export const documentKinds = ['code', 'docs', 'notes', 'decisions'] as const
export type DocumentKind = (typeof documentKinds)[number]

export interface ScopeField {
  /** A filter that people give (`carrel search --tag`): the note for a value that no document has. Null: set by the program. */
  emptyNote: ((value: string) => string) | null
}

const internal = { emptyNote: null }

export const scopeFields = {
  sources: internal,
  documents: internal,
  except: internal,
  under: { emptyNote: (folder: string) => `There is no folder "${folder}" with documents.` },
  formats: internal,
  tags: { emptyNote: (tag: string) => `No document has the tag "${tag}".` },
  languages: { emptyNote: (name: string) => `There is no code in "${name}".` },
  kinds: internal,
  modules: internal,
  within: internal,
  noted: internal,
  since: {
    emptyNote: (time: string) => `No document changed since ${new Date(Number(time)).toISOString()}.`,
  },
  any: internal,
  ofKinds: internal,
} satisfies Record<keyof Scope, ScopeField>

type Fields = typeof scopeFields
/** The fields that people give. */
export type FilterName = {
  [K in keyof Fields]: Fields[K]['emptyNote'] extends null ? never : K
}[keyof Fields]

/** In the order in which answers mention them. */
export const filterNames = (Object.keys(scopeFields) as (keyof Fields)[]).filter(
  (name): name is FilterName => scopeFields[name].emptyNote !== null,
)
