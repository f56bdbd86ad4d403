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
  supersession: Supersession<Decision>
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
  const supersession = supersessionOf(all)
  await breathe()
  const decisions = { all, supersession, prepared: ready, weights: weightsOf([...ready.values()]) }
  remembered.set(documents, decisions)
  return decisions
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
