// The decisions of a library: its records, what took the place of what, and each made ready to be compared.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { breather } from '../../model/breather.js'
import type { Adr } from '../../parse/adr/adr.js'
import { type Supersession, supersessionOf } from '../../parse/adr/supersession.js'
import { type Prepared, prepared, type Weights, weightsOf } from '../../retrieve/alignment/align.js'
import type { Library } from '../library.js'
import { type ArchitectureDocument, architectureDocuments } from './documents.js'

/** A record with the document it was read from. */
export interface Decision extends Adr {
  document: ArchitectureDocument
}

export interface Decisions {
  all: Decision[]
  /** By source: each numbers its records for itself, and "ADR 3" is its own. */
  supersessions: ReadonlyMap<string, Supersession<Decision>>
  prepared: ReadonlyMap<Decision, Prepared<Decision>>
  weights: Weights
}

export async function decisionsOf(library: Library): Promise<Decisions> {
  const documents = await architectureDocuments(library)
  const before = remembered.get(documents)
  if (before) return before
  const all = documents.flatMap((document) => (document.adr ? [{ ...document.adr, document }] : []))
  const ready = new Map<Decision, Prepared<Decision>>()
  const breathe = breather()
  for (const decision of all) {
    ready.set(decision, readyOf(decision))
    await breathe()
  }
  await nextTurn()
  const supersessions = new Map<string, Supersession<Decision>>()
  for (const source of new Set(all.map(({ document }) => document.ref.source))) {
    const own = all.filter(({ document }) => document.ref.source === source)
    supersessions.set(source, supersessionOf(own))
    await breathe()
  }
  const decisions = { all, supersessions, prepared: ready, weights: weightsOf([...ready.values()]) }
  remembered.set(documents, decisions)
  return decisions
}

/** What took the place of what where this record comes from. */
export function supersessionAround(
  { document }: Decision,
  { supersessions }: Decisions,
): Supersession<Decision> {
  return supersessions.get(document.ref.source)!
}

// The list of documents is the same object as long as the index is the same, and so is a record read before.
const remembered = new WeakMap<readonly ArchitectureDocument[], Decisions>()
const stances = new WeakMap<Adr, Omit<Prepared, 'adr'>>()

function readyOf(decision: Decision): Prepared<Decision> {
  const read = decision.document.adr!
  const known = stances.get(read) ?? prepared(read)
  stances.set(read, known)
  return { ...known, adr: decision }
}
