// Logistic regression by Newton's method, with a ridge on standardised signals. Small and exact: dozens of signals.

export interface Sample {
  signals: Readonly<Record<string, number>>
  isPositive: boolean
  weight: number
}

export interface Line {
  bias: number
  weights: Record<string, number>
}

export function fitLine(samples: readonly Sample[], names: readonly string[], ridge: number): Line {
  const rows = samples.map(({ signals }) => names.map((name) => signals[name] ?? 0))
  const spread = names.map((_, j) => spreadOf(rows.map((row) => row[j]!)))
  const design = rows.map((row) => [
    ...row.map((value, j) => (value - spread[j]!.mean) / spread[j]!.deviation),
    1,
  ])
  let line: number[] = Array.from({ length: names.length + 1 }, () => 0)
  for (let round = 0; round < 30; round++) {
    const step = stepFrom(line, design, samples, ridge)
    line = line.map((value, j) => value - step[j]!)
    if (Math.max(...step.map(Math.abs)) < 1e-7) break
  }
  return onRawSignals(line, names, spread)
}

interface Spread {
  mean: number
  deviation: number
}

function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) + 1e-6 }
}

function stepFrom(
  line: readonly number[],
  design: readonly (readonly number[])[],
  samples: readonly Sample[],
  ridge: number,
): number[] {
  const size = line.length
  const gradient = line.map((value, j) => value * penalty(j, size, ridge))
  const curvature = line.map((_, j) => line.map((_, k) => (j === k ? penalty(j, size, ridge) : 0)))
  for (const [i, row] of design.entries()) {
    const sum = row.reduce((total, value, j) => total + value * line[j]!, 0)
    const odds = 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, sum))))
    const { isPositive, weight } = samples[i]!
    for (let j = 0; j < size; j++) {
      gradient[j]! += row[j]! * (odds - (isPositive ? 1 : 0)) * weight
      for (let k = 0; k < size; k++) curvature[j]![k]! += row[j]! * row[k]! * odds * (1 - odds) * weight
    }
  }
  return solve(curvature, gradient)
}

function penalty(j: number, size: number, ridge: number): number {
  return j === size - 1 ? 1e-6 : ridge
}

/** Gauss with pivots; the matrix is positive definite thanks to the ridge. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  const size = rows.length
  for (let i = 0; i < size; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, at) => (Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? at + i : best), i)
    ;[rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!]
    for (let below = i + 1; below < size; below++) {
      const factor = rows[below]![i]! / rows[i]![i]!
      for (let k = i; k <= size; k++) rows[below]![k]! -= factor * rows[i]![k]!
    }
  }
  const found: number[] = Array.from({ length: size }, () => 0)
  for (let i = size - 1; i >= 0; i--) {
    const rest = found.reduce((sum, value, k) => (k > i ? sum + rows[i]![k]! * value : sum), 0)
    found[i] = (rows[i]![size]! - rest) / rows[i]![i]!
  }
  return found
}

function onRawSignals(line: readonly number[], names: readonly string[], spread: readonly Spread[]): Line {
  const weights = Object.fromEntries(names.map((name, j) => [name, line[j]! / spread[j]!.deviation]))
  const moved = names.reduce((sum, name, j) => sum + weights[name]! * spread[j]!.mean, 0)
  return { bias: line[names.length]! - moved, weights }
}
