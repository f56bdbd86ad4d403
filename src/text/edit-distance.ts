/** Optimal string alignment: a swap of neighbours is one edit, as it is one slip of the fingers. At `limit` it stops. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  return Math.min(limit, lastRow(a, b)[b.length]!)
}

/** The least distance between `start` and any beginning of `word`: what begins with `start` is no nearer than this. */
export function leastDistance(start: string, word: string): number {
  return Math.min(...lastRow(start, word))
}

/** The distances of `a` to every beginning of `b`. */
function lastRow(a: string, b: string): number[] {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = above
    above = row
  }
  return above
}
