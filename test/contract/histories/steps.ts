// What may happen to a store, and what is asked of it in between. Names, words and times come from short lists, so
// that ties, repeated hashes, stale documents and scopes that cut through a document are common.
import fc from 'fast-check'
import type { IndexedDocument } from '../../../src/model/document.js'
import type { Note } from '../../../src/model/problem.js'
import type { Scope } from '../../../src/model/scope.js'
import type { Format, Ref } from '../../../src/model/source.js'
import type { QueryTerm, WordQuery } from '../../../src/store/port.js'
import { documentOf, type Passage } from '../sample.js'
import { languages, noteCodes, paths, randomScope, sourceIds } from '../scope-fields.js'

export type Step =
  | { do: 'replace'; documents: Draft[] }
  | { do: 'refuse'; documents: Draft[] }
  | { do: 'forget'; refs: Ref[]; asOf: number | undefined }
  | { do: 'restamp'; ref: Ref; size: number; readAt: number }
  | { do: 'put source'; id: string; name: string }
  | { do: 'forget source'; id: string }
  | { do: 'embed'; model: string; picks: number[] }
  | { do: 'forget model'; model: string }
  | { do: 'put record'; id: string; value: unknown }
  | { do: 'update record'; id: string; value: unknown }
  | { do: 'delete record'; id: string }
  | { do: 'settle' }
  | { do: 'reopen' }

/** What a document is made from: short, so that a failing history can be read. */
export interface Draft {
  ref: Ref
  readAt: number
  passages: Passage[]
  format: Format
  language: string | null
  tags: string[]
  notes: Note[]
}

export function documentFrom({ ref: { source, path }, passages, ...more }: Draft): IndexedDocument {
  return documentOf(path, passages, { source, ...more })
}

/** What is asked after a step. */
export interface Probe {
  queries: WordQuery[]
  scope: Scope
  question: string
  limit: number
  offset: number
}

export interface Moment {
  step: Step
  probe: Probe
}

export const models = ['large', 'small']
const words = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox']
const tags = ['project', 'Project/Lantern', 'projector', 'x']

const sourceId = fc.constantFrom(...sourceIds)
const ref: fc.Arbitrary<Ref> = record({ source: sourceId, path: fc.constantFrom(...paths) })
const note: fc.Arbitrary<Note> = record({
  code: fc.constantFrom(...noteCodes),
  message: fc.constant('A note.'),
})
const readAt = fc.integer({ min: 1, max: 6 })
const language = fc.option(fc.constantFrom(...languages))
const phrase = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { maxLength }).map((list) => list.join(' '))

const passage: fc.Arbitrary<Passage> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('ant', 'bee ant', 'ant bee', 'cat cat').map((body) => ({ body })) },
  {
    weight: 3,
    arbitrary: record({
      title: phrase(1),
      headings: phrase(2),
      names: phrase(1),
      body: phrase(6),
      kind: fc.constantFrom('prose', 'prose', 'code', 'table'),
      language,
    }),
  },
)

const draft: fc.Arbitrary<Draft> = record({
  ref,
  readAt,
  passages: fc.array(passage, { maxLength: 5, size: 'max' }),
  format: fc.constantFrom('markdown', 'text', 'code'),
  language,
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 2 }),
  notes: fc.uniqueArray(note, { maxLength: 1 }),
})

const recordId = fc.constantFrom('a', 'B')
const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 2 }))
const model = fc.constantFrom(...models)

/** What is there before anything happens. */
export const stock = fc.array(draft, { maxLength: 20, size: 'max' })

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(8, {
    do: fc.constant('replace'),
    documents: fc.array(draft, { minLength: 1, maxLength: 4, size: 'max' }),
  }),
  weighted(1, { do: fc.constant('refuse'), documents: fc.array(draft, { maxLength: 3 }) }),
  weighted(4, {
    do: fc.constant('forget'),
    refs: fc.array(ref, { maxLength: 3 }),
    asOf: fc.option(readAt, { nil: undefined }),
  }),
  weighted(2, { do: fc.constant('restamp'), ref, size: fc.integer({ min: 0, max: 9 }), readAt }),
  weighted(2, { do: fc.constant('put source'), id: sourceId, name: fc.constantFrom('one', 'two') }),
  weighted(1, { do: fc.constant('forget source'), id: sourceId }),
  weighted(6, {
    do: fc.constant('embed'),
    model,
    picks: fc.array(fc.nat(50), { minLength: 1, maxLength: 20, size: 'max' }),
  }),
  weighted(1, { do: fc.constant('forget model'), model }),
  weighted(1, { do: fc.constant('put record'), id: recordId, value }),
  weighted(1, { do: fc.constant('update record'), id: recordId, value: fc.option(value, { freq: 1 }) }),
  weighted(1, { do: fc.constant('delete record'), id: recordId }),
  weighted(1, { do: fc.constant('settle') }),
  weighted(1, { do: fc.constant('reopen') }),
)

const term: fc.Arbitrary<QueryTerm> = record(
  {
    term: fc.constantFrom(...words, ...words, 'yak', ''),
    weight: fc.constantFrom(1, 1, 1, 2, 0.5, 0),
    required: fc.nat(9).map((n) => n === 0),
  },
  ['term', 'weight'],
)

const fieldWeight = fc.constantFrom(1, 1, 2.5, 4, 4, 0)
const limit = fc.constantFrom(1000, 1000, 1000, 1000, 1, 2, 3, 4, 5, 7, 9, 0, -1)

const query: fc.Arbitrary<WordQuery> = record({
  terms: fc.array(term, { maxLength: 5, size: 'max' }),
  weights: record({ title: fieldWeight, headings: fieldWeight, names: fieldWeight, body: fieldWeight }),
  scope: randomScope,
  limit,
})

const probe: fc.Arbitrary<Probe> = record({
  queries: fc.array(query, { minLength: 3, maxLength: 3 }),
  scope: randomScope,
  question: fc.constantFrom('where', 'who', 'why'),
  limit,
  offset: fc.constantFrom(0, 0, 1, 3, 50),
})

export const moment: fc.Arbitrary<Moment> = record({ step, probe })

function weighted(weight: number, fields: Record<string, fc.Arbitrary<unknown>>) {
  return { weight, arbitrary: record(fields) as unknown as fc.Arbitrary<Step> }
}

/** A record that prints as one. */
function record<T, K extends keyof T = keyof T>(
  fields: { [P in keyof T]: fc.Arbitrary<T[P]> },
  requiredKeys?: K[],
) {
  return fc.record<T, K>(fields, { noNullPrototype: true, ...(requiredKeys && { requiredKeys }) })
}
