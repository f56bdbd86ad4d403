import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitLine } from './logistic.js'

const sample = (a: number, b: number, isPositive: boolean) => ({ signals: { a, b }, isPositive, weight: 1 })
const odds = ({ bias, weights }: { bias: number; weights: Record<string, number> }, a: number, b: number) =>
  1 / (1 + Math.exp(-(bias + weights.a! * a + weights.b! * b)))

test('the signal that tells counts, the one that does not counts for nothing', () => {
  const line = fitLine(
    [sample(1, 0, true), sample(1, 1, true), sample(0, 0, false), sample(0, 1, false)],
    ['a', 'b'],
    0.5,
  )
  assert.ok(odds(line, 1, 0.5) > 0.7 && odds(line, 0, 0.5) < 0.3)
  assert.ok(Math.abs(line.weights.b!) < 1e-6)
})

test('a signal that never changes does no harm', () => {
  const line = fitLine([sample(1, 7, true), sample(0, 7, false)], ['a', 'b'], 1)
  assert.ok(Number.isFinite(line.bias) && odds(line, 1, 7) > odds(line, 0, 7))
})
