/** The measures of a ranked list against judgements: what retrieval people mean by them, no variants. */
export type Grades = ReadonlyMap<string, number>

export function ndcg(ranked: readonly string[], grades: Grades, depth: number): number {
  const ideal = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const best = dcg(ideal.slice(0, depth))
  return best === 0 ? 0 : dcg(ranked.slice(0, depth).map((id) => Math.max(0, grades.get(id) ?? 0))) / best
}

function dcg(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}

export function recall(ranked: readonly string[], grades: Grades, depth: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const top = new Set(ranked.slice(0, depth))
  return relevant.length === 0 ? 0 : relevant.filter((id) => top.has(id)).length / relevant.length
}

export function reciprocalRank(ranked: readonly string[], grades: Grades, depth: number): number {
  const place = ranked.slice(0, depth).findIndex((id) => (grades.get(id) ?? 0) > 0)
  return place < 0 ? 0 : 1 / (place + 1)
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
