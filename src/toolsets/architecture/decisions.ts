// The decisions of a library: its records, and which one replaced which.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ArchitectureDocument, architectureDocuments } from '../../answer/architecture/documents.js'
import type { Library } from '../../answer/library.js'
import type { Adr } from '../../parse/adr/adr.js'
import { type Supersession, supersessionOf } from '../../parse/adr/supersession.js'
import { createYielder } from '../../runtime/yield.js'

/** A record with the document it was read from. */
export interface Decision extends Adr {
  document: ArchitectureDocument
}

export interface Decisions {
  all: Decision[]
  /** By source: each numbers its records for itself, and "ADR 3" is its own. */
  supersessions: ReadonlyMap<string, Supersession<Decision>>
}

export async function decisionsOf(library: Library): Promise<Decisions> {
  const documents = await architectureDocuments(library)
  const before = remembered.get(documents)
  if (before) return before
  const all = documents.flatMap((document) => (document.adr ? [{ ...document.adr, document }] : []))
  const yieldIfDue = createYielder()
  await nextTurn()
  const supersessions = new Map<string, Supersession<Decision>>()
  for (const source of new Set(all.map(({ document }) => document.ref.source))) {
    const own = all.filter(({ document }) => document.ref.source === source)
    supersessions.set(source, supersessionOf(own))
    await yieldIfDue()
  }
  const decisions = { all, supersessions }
  remembered.set(documents, decisions)
  return decisions
}

/** The supersession of the records in this record's source. */
export function supersessionAround(
  { document }: Decision,
  { supersessions }: Decisions,
): Supersession<Decision> {
  return supersessions.get(document.ref.source)!
}

export interface Standing {
  /** Another record took its place, whatever its own status says. */
  isReplaced: boolean
  /** The records that hold today in place of a superseded one. */
  successors: Decision[]
  /** Its successors that do not hold themselves. */
  fallen: Decision[]
}

export function standingOf(decision: Decision, decisions: Decisions): Standing {
  const supersession = supersessionAround(decision, decisions)
  if (!supersession.isReplaced(decision)) return { isReplaced: false, successors: [], fallen: [] }
  const successors = supersession.current(decision)
  return { isReplaced: true, successors, fallen: successors.length > 0 ? [] : supersession.fallen(decision) }
}

/** A superseded or deprecated record is not binding, unless only a part of it was superseded. */
export function isInForce({ status, partly }: Decision, { isReplaced }: Standing): boolean {
  return !isReplaced && (status === 'superseded' ? partly : status !== 'deprecated')
}

/** The same order wherever nothing else tells two apart. */
export function byPath(a: Decision, b: Decision): number {
  return a.path < b.path ? -1 : 1
}

// The list of documents is the same object as long as the index is the same.
const remembered = new WeakMap<readonly ArchitectureDocument[], Decisions>()
