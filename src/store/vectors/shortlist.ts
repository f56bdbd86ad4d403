// The search by meaning in three passes, each more expensive and over fewer rows: sign bits against sign bits over all rows,
// the query's values against sign bits over the best few thousand, and the stored vectors of the best few hundred.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cosinesTo } from './cosines.js'
import { quantise, type Row, signsOf } from './quantise.js'
import type { Allow, Allowed, LikeliestOptions, SignIndex, WeighedQuery } from './sign-index.js'

/** The rows of these ids, in their order; null for a removed one. */
export type FetchRows = (ids: Int32Array) => Rows

type Rows = readonly (Row | null | undefined)[]

export interface ExactQuery {
  /** Only its direction matters, not its length. */
  vector: Float32Array
  limit: number
  allow?: Allow | Allowed
  /** The places of ids of equal cosine among each other; ascending when left out. */
  placesOf?: (ids: number[]) => ReadonlyMap<number, number>
}

export interface Match {
  id: number
  cosine: number
}

/**
 * The vectors nearest to the query by exact cosine, best first. A small scope is read whole. It pauses for other work while
 * it scans and reads rows.
 */
export async function nearestExact(
  index: SignIndex,
  fetchRows: FetchRows,
  query: ExactQuery,
): Promise<Match[]> {
  const { whole, options } = plan(index, query)
  const ids = whole ?? (await index.likeliestInSlices(weighed(query), options))
  return rescore(ids, await fetchInSlices(ids, fetchRows), query)
}

// A batch of this size is read in a few milliseconds, even from a file larger than memory.
const rowsAtOnce = 512

async function fetchInSlices(ids: Int32Array, fetchRows: FetchRows): Promise<Rows> {
  const rows: (Row | null | undefined)[] = []
  for (let i = 0; i < ids.length; i += rowsAtOnce) {
    if (i > 0) await nextTurn()
    for (const row of fetchRows(ids.subarray(i, i + rowsAtOnce))) rows.push(row)
  }
  return rows
}

/**
 * How many rows each pass keeps. Fitted so that at least 0.98 of the exact ten nearest survive from ten
 * thousand to a million rows shaped like real embeddings (bench/runs/kernel.md).
 */
export function shortlistSizes(rows: number, limit: number): { candidates: number; rescored: number } {
  const growth = Math.max(1, rows / 10_000) ** (1 / 3)
  const rescored = Math.ceil((80 + 2 * limit) * growth)
  const candidates = Math.ceil(Math.max(5 * rescored, 5 * Math.sqrt(rows)))
  return { candidates, rescored }
}

// This many rows are read within a millisecond or two.
const SMALL = 500

interface Plan {
  /** All allowed rows, if they are so few that reading them costs no more than choosing. */
  whole?: Int32Array
  options: LikeliestOptions
}

function plan(index: SignIndex, { vector, limit, allow }: ExactQuery): Plan {
  if (vector.length !== index.dimensions)
    throw new RangeError(`The query has ${vector.length} dimensions, the index ${index.dimensions}.`)
  const allowed = allow && index.allowing(allow)
  const rows = allowed?.size ?? index.size
  const { candidates, rescored } = shortlistSizes(rows, limit)
  const options = { candidates, limit: rescored, allow: allowed }
  return rows <= Math.max(rescored, SMALL) ? { whole: index.ids(allowed), options } : { options }
}

function weighed({ vector }: ExactQuery): WeighedQuery {
  return { signs: signsOf(vector), weights: quantise(vector).data }
}

function rescore(ids: Int32Array, rows: Rows, { vector, limit, placesOf }: ExactQuery): Match[] {
  const cosines = cosinesTo(vector)(rows)
  const least = lowestOf(cosines, limit)
  const matches: Match[] = []
  for (let i = 0; i < ids.length; i++)
    if (cosines[i]! >= least) matches.push({ id: ids[i]!, cosine: cosines[i]! })
  matches.sort((a, b) => b.cosine - a.cosine || a.id - b.id)
  const equal = placesOf ? tied(matches) : []
  if (placesOf && equal.length > 0) {
    const places = placesOf(equal)
    matches.sort((a, b) => b.cosine - a.cosine || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  }
  return matches.slice(0, Math.max(0, limit))
}

/** The cosine of the last row in the list. Rows that tie with it are kept: places decide. */
function lowestOf(cosines: Float64Array, limit: number): number {
  const sorted = cosines.filter((cosine) => !Number.isNaN(cosine)).sort()
  return sorted[sorted.length - Math.max(1, limit)] ?? Number.NEGATIVE_INFINITY
}

/** The ids whose cosine equals a neighbour's. */
function tied(matches: readonly Match[]): number[] {
  const same = (i: number, j: number) => matches[i]?.cosine === matches[j]?.cosine
  return matches.filter((_, i) => same(i, i - 1) || same(i, i + 1)).map(({ id }) => id)
}
