// Resolves which record supersedes which, and reports contradictions.
import { sameName } from '../../text/normal-forms.js'
import type { Adr, AdrReference } from './adr.js'
import { stemOf } from './file-names.js'

export interface Supersession<A extends Adr = Adr> {
  /** The direct successors of a record. */
  successors(adr: A): readonly A[]
  predecessors(adr: A): readonly A[]
  /** Whether the record is superseded, by its own words or by those of an accepted record. Never if only a part was. */
  isReplaced(adr: A): boolean
  /** The records in force instead of this one: the ends of the chain, nearest first. May be empty. */
  current(adr: A): A[]
  /** Ends of the chain that are not in force: proposed, rejected, deprecated, or superseded by an unknown record. */
  fallen(adr: A): A[]
  issues: SupersessionIssue[]
}

export interface SupersessionIssue {
  kind: 'dangling' | 'one_sided' | 'cycle' | 'self'
  path: string
  /** The other record's path, or the reference as written if it is missing. */
  to: string
  message: string
}

/** Reads links in both directions: it is enough that one of the two records has it. */
export function supersessionOf<A extends Adr>(adrs: readonly A[]): Supersession<A> {
  const find = finderOf(adrs)
  const after = new Map<A, Set<A>>()
  const before = new Map<A, Set<A>>()
  const issues: SupersessionIssue[] = []
  const claims = { supersedes: new Map<A, Set<A>>(), supersededBy: new Map<A, Set<A>>() }
  for (const adr of adrs)
    for (const direction of ['supersedes', 'supersededBy'] as const)
      for (const reference of adr[direction]) {
        const other = find(adr, reference)
        if (!other || other === adr) {
          issues.push(unresolved(adr, reference, direction, other === adr))
          continue
        }
        put(claims[direction], adr, other)
        // A record that takes the place of a part leaves the rest as it is.
        if (direction === 'supersedes' && reference.partly) continue
        const [old, next] = direction === 'supersedes' ? [other, adr] : [adr, other]
        put(after, old, next)
        put(before, next, old)
      }
  const cycles = cyclesOf(adrs, after)
  issues.push(...oneSided(claims), ...cycles)
  return {
    successors: (adr) => [...(after.get(adr) ?? [])],
    predecessors: (adr) => [...(before.get(adr) ?? [])],
    isReplaced: (adr) => isReplaced(adr, after, cycles.length > 0),
    current: (adr) => endsOf(adr, after).filter(holds),
    fallen: (adr) => endsOf(adr, after).filter((one) => !holds(one)),
    issues,
  }
}

function put<A>(map: Map<A, Set<A>>, key: A, value: A) {
  const values = map.get(key)
  if (values) values.add(value)
  else map.set(key, new Set([value]))
}

// --- Whom a reference means.

/** By path, then by number and then by name or title; among several, the nearest folder. */
export function finderOf<A extends Adr>(adrs: readonly A[]): (from: A, reference: AdrReference) => A | null {
  const byPath = new Map(adrs.map((adr) => [adr.path.normalize('NFC'), adr]))
  const byNumber = grouped(adrs, ({ number }) => (number === null ? null : String(number)))
  const byName = grouped(adrs, ({ path }) => sameName(stemOf(path)))
  const byTitle = grouped(adrs, ({ title }) => letters(title))
  return (from, reference) => {
    const linked =
      reference.path === null ? null : byPath.get(resolved(from.path, reference.path).normalize('NFC'))
    if (linked) return linked
    const name = sameName(stemOf(reference.path ?? reference.text))
    return (
      nearest(from, byName.get(name)) ??
      (reference.number === null ? null : nearest(from, byNumber.get(String(reference.number)))) ??
      nearest(from, byTitle.get(letters(reference.text)))
    )
  }
}

function grouped<A>(adrs: readonly A[], keyOf: (adr: A) => string | null): Map<string, A[]> {
  const groups = new Map<string, A[]>()
  for (const adr of adrs) {
    const key = keyOf(adr)
    if (key) groups.set(key, [...(groups.get(key) ?? []), adr])
  }
  return groups
}

function letters(title: string): string {
  return sameName(title)
    .replace(/^(?:adr[-_ ]*)?\d{1,5}[-_.: )]+/, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

function resolved(from: string, target: string): string {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '.' && step !== '') parts.push(step)
  }
  return parts.join('/')
}

/** Prefers the same folder, then the longest common path. */
function nearest<A extends Adr>(from: A, found: readonly A[] | undefined): A | null {
  if (!found || found.length === 0) return null
  const ranked = found
    .filter((adr) => adr !== from || found.length === 1)
    .map((adr) => ({ adr, shared: sharedFolders(from.path, adr.path) }))
    .sort(
      (a, b) =>
        b.shared - a.shared || a.adr.path.length - b.adr.path.length || (a.adr.path < b.adr.path ? -1 : 1),
    )
  return ranked[0]?.adr ?? null
}

function sharedFolders(a: string, b: string): number {
  const [one, other] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)]
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return shared * 100 - Math.abs(one.length - other.length)
}

// --- What does not add up.

type Direction = 'supersedes' | 'supersededBy'
const words: Readonly<Record<Direction, string>> = {
  supersedes: 'supersedes',
  supersededBy: 'is superseded by',
}

function unresolved(
  adr: Adr,
  reference: AdrReference,
  direction: Direction,
  self: boolean,
): SupersessionIssue {
  const to = reference.path ?? reference.text
  const message = self
    ? `${nameOf(adr)} says that it ${words[direction]} itself ("${to}").`
    : `${nameOf(adr)} says that it ${words[direction]} "${to}", and there is no such record.`
  return { kind: self ? 'self' : 'dangling', path: adr.path, to, message }
}

function oneSided(claims: Record<Direction, Map<Adr, Set<Adr>>>): SupersessionIssue[] {
  const issues: SupersessionIssue[] = []
  for (const [next, olds] of claims.supersedes)
    for (const old of olds) {
      if (claims.supersededBy.get(old)?.has(next)) continue
      const message = `${nameOf(next)} says that it supersedes ${nameOf(old)}, whose status (${old.status}) does not name it.`
      issues.push({ kind: 'one_sided', path: old.path, to: next.path, message })
    }
  for (const [old, nexts] of claims.supersededBy)
    for (const next of nexts) {
      if (claims.supersedes.get(next)?.has(old)) continue
      const message = `${nameOf(old)} is superseded by ${nameOf(next)}, which does not say so.`
      issues.push({ kind: 'one_sided', path: next.path, to: old.path, message })
    }
  return issues
}

function cyclesOf<A extends Adr>(
  adrs: readonly A[],
  after: ReadonlyMap<A, ReadonlySet<A>>,
): SupersessionIssue[] {
  const state = new Map<A, 'open' | 'done'>()
  const issues: SupersessionIssue[] = []
  for (const start of adrs) {
    const stack: { adr: A; rest: A[] }[] = state.has(start)
      ? []
      : [{ adr: start, rest: [...(after.get(start) ?? [])] }]
    if (stack.length > 0) state.set(start, 'open')
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!
      const next = top.rest.pop()
      if (!next) {
        state.set(top.adr, 'done')
        stack.pop()
      } else if (state.get(next) === 'open') {
        const message = `${nameOf(top.adr)} and ${nameOf(next)} supersede each other in a circle.`
        issues.push({ kind: 'cycle', path: top.adr.path, to: next.path, message })
      } else if (!state.has(next)) {
        state.set(next, 'open')
        stack.push({ adr: next, rest: [...(after.get(next) ?? [])] })
      }
    }
  }
  return issues
}

// --- Records in force.

type Links<A> = ReadonlyMap<A, ReadonlySet<A>>

function isReplaced<A extends Adr>(adr: A, after: Links<A>, hasCycles: boolean): boolean {
  if (adr.partly) return false
  if (adr.status === 'superseded') return true
  const next = takenBy(adr, after)
  // Records that supersede each other in a circle do not replace each other.
  return hasCycles ? next.some((one) => !reachedFrom(one, after).has(adr)) : next.length > 0
}

/** The successors of a record, if its own status is superseded or they are more than proposals. */
function takenBy<A extends Adr>(adr: A, after: Links<A>): A[] {
  const all = [...(after.get(adr) ?? [])]
  return adr.status === 'superseded' ? all : all.filter((one) => holds(one) || one.status === 'superseded')
}

/** Whether a record is in force. One without a status is. */
function holds({ status, partly }: Adr): boolean {
  return status === 'accepted' || status === 'unknown' || (status === 'superseded' && partly)
}

function endsOf<A extends Adr>(adr: A, after: Links<A>): A[] {
  return [...reachedFrom(adr, after)].filter(
    (one) => one !== adr && (one.partly || takenBy(one, after).length === 0),
  )
}

/** With itself, nearest first. */
function reachedFrom<A extends Adr>(adr: A, after: Links<A>): Set<A> {
  const seen = new Set<A>([adr])
  for (const one of seen) for (const next of takenBy(one, after)) seen.add(next)
  return seen
}

function nameOf({ number, id, title }: Adr): string {
  return number === null ? `"${title}"` : `ADR ${id} ("${title}")`
}
