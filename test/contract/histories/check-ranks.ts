import assert from 'node:assert/strict'
import type { WordQuery } from '../../../src/store/port.js'
import { cosineOf, same, vectorOf } from '../sample.js'
import { models, type Probe, type Step } from './steps.js'
import type { Pair, World } from './world.js'

// Stores may sum in another order and keep vectors as bytes.
const scoresOff = 1e-4
const cosinesOff = 0.02

export async function checkWords({ store, reference, twins }: World, query: WordQuery): Promise<void> {
  const answer = await reference.rank({ ...query, limit: 1e9 })
  const right = answer.ranks.map((rank) => ({ ...rank, chunk: twins.get(rank.chunk)! }))
  const { ranks: own, maxTermScores, holders, of } = await store.rank(query)
  near(maxTermScores, answer.maxTermScores, (value) => value * scoresOff)
  assert.deepEqual(holders, answer.holders)
  const everywhere = [...twins.keys()]
  const figures = new Map(of(everywhere.map((id) => twins.get(id)!)).map((rank) => [rank.chunk, rank]))
  const expectedFigures = answer.of(everywhere)
  assert.equal(figures.size, expectedFigures.length, 'figures of exactly the chunks that have a term')
  for (const { chunk, score, parts } of expectedFigures) {
    const given = figures.get(twins.get(chunk)!)!
    near([given.score, ...given.parts], [score, ...parts], (value) => value * scoresOff)
  }
  // Chunks with the same parts tie in every store; sums that only come out alike may differ in the last digit.
  const full = right.map(({ chunk, score, parts }) => ({ chunk, value: score, group: parts.join() }))
  checkOrder(own, full, { limit: query.limit, off: (value) => value * scoresOff })
  const byChunk = new Map(right.map((rank) => [rank.chunk, rank]))
  for (const [i, { chunk, score, parts }] of own.entries()) {
    const expected = byChunk.get(chunk)!
    assert.ok(score <= (own[i - 1]?.score ?? score), 'scores fall down the list')
    near([score, ...parts], [expected.score, ...expected.parts], (value) => value * scoresOff)
  }
}

/** With and without the hint that lets a store skip terms. */
export async function checkTerms({ store, reference }: World): Promise<void> {
  for (const prefix of ['', 'b', 'do', 'fox', 'foxes'])
    for (const letter of ['', 'e', 'o']) {
      const matches = (term: string) => term.includes(letter)
      const query = { prefix, matches, mayMatch: (start: string) => start.length < 3 || matches(start) }
      assert.deepEqual(await store.terms(query), await reference.terms(query))
    }
}

export async function checkNearest(
  { store, reference, twins }: World,
  pairs: Pair[],
  probe: Probe,
): Promise<void> {
  for (const model of models) {
    const query = { model, vector: vectorOf(probe.question, 16), scope: probe.scope }
    const right = await reference.vectors.nearest({ ...query, limit: 1e9 })
    const own = await store.vectors.nearest({ ...query, limit: probe.limit })
    const full = right.map(({ chunk, cosine }) => ({
      chunk: twins.get(chunk)!,
      value: cosine,
      group: `${cosine}`,
    }))
    checkOrder(own, full, { limit: probe.limit, off: () => cosinesOff })
    const ids = pairs.map((pair) => pair.own.id)
    const cosines = await store.vectors.cosines(model, query.vector, ids)
    const expected = await reference.vectors.cosines(
      model,
      query.vector,
      pairs.map((pair) => pair.right.id),
    )
    assert.equal(cosines.size, expected.size)
    for (const [id, cosine] of expected) near([cosines.get(twins.get(id)!)!], [cosine], () => cosinesOff)
    for (const [i, { chunk, cosine }] of own.entries()) {
      assert.ok(cosine <= (own[i - 1]?.cosine ?? cosine), 'cosines fall down the list')
      near([cosine], [cosines.get(chunk)!], () => cosinesOff)
    }
  }
}

export async function checkPending(
  { store, reference, twins }: World,
  pairs: Pair[],
  limit: number,
): Promise<void> {
  const { documents } = await reference.documents({}, { offset: 0, limit: 1000 })
  const readAt = new Map(documents.map(({ ref, readAt }) => [JSON.stringify(ref), readAt]))
  const placeOf = new Map(pairs.map(({ own }) => [own.id, JSON.stringify(own.ref)]))
  for (const model of models) {
    const right = (await reference.vectors.pending(model, 1000)).map((p) => ({
      ...p,
      chunk: twins.get(p.chunk)!,
    }))
    const own = await store.vectors.pending(model, limit)
    const full = right.map(({ chunk }) => {
      const group = placeOf.get(chunk)!
      return { chunk, value: readAt.get(group)!, group }
    })
    checkOrder(own, full, { limit, off: () => 0 })
    const byChunk = new Map(right.map((item) => [item.chunk, item]))
    same(
      own,
      own.map(({ chunk }) => byChunk.get(chunk)),
      'pending',
    )
  }
}

/**
 * A chunk has a vector where the reference has one. A store may do a little more: give a put vector to all chunks of
 * that hash, or save for a new chunk the vector of one that left in the same batch. Then the reference gets it too.
 */
export async function checkEmbedded(world: World, pairs: readonly Pair[], step: Step): Promise<void> {
  const { store, reference, embedded } = world
  for (const model of models) {
    const own = await store.vectors.of(
      model,
      pairs.map((pair) => pair.own.id),
    )
    const right = await reference.vectors.of(
      model,
      pairs.map((pair) => pair.right.id),
    )
    const now = pairs.filter((pair) => right.has(pair.right.id)).map((pair) => pair.right.hash)
    const before = step.do === 'replace' ? (embedded.get(model) ?? []) : []
    const may = new Set(step.do === 'replace' || step.do === 'embed' ? [...before, ...now] : [])
    for (const pair of pairs) {
      const { id, hash } = pair.right
      const vector = own.get(pair.own.id)
      if (vector) near([cosineOf(vector, vectorOf(hash, 16))], [1], () => cosinesOff)
      else assert.ok(!right.has(id), `${model}: a vector is missing`)
      if (!vector || right.has(id)) continue
      assert.ok(may.has(hash), `${model}: a vector came from nowhere`)
      await reference.vectors.put(model, [{ chunk: id, hash, vector: vectorOf(hash, 16) }])
    }
    embedded.set(model, new Set(pairs.filter((pair) => own.has(pair.own.id)).map((pair) => pair.own.hash)))
  }
  const counts = Object.entries(await store.vectors.counts()).filter(([, count]) => count > 0)
  same(Object.fromEntries(counts), await reference.vectors.counts(), 'vectors counted')
}

/**
 * The right length, the right value in every place, and of each group (which the right order lists in its own order)
 * the first ones, in that order. What differs by less than `off` may come in any order.
 */
function checkOrder(
  own: readonly { chunk: number }[],
  full: readonly { chunk: number; value: number; group: string }[],
  { limit, off }: { limit: number; off: (value: number) => number },
): void {
  assert.equal(own.length, Math.min(Math.max(0, limit), full.length), 'as many as there are, up to the limit')
  const at = new Map(full.map((item) => [item.chunk, item]))
  const inGroup = new Map<string, number[]>()
  for (const { chunk, group } of full) inGroup.set(group, [...(inGroup.get(group) ?? []), chunk])
  for (const [i, { chunk }] of own.entries()) {
    const item = at.get(chunk)
    assert.ok(item, 'nothing but candidates')
    near([item.value], [full[i]!.value], off)
    assert.equal(chunk, inGroup.get(item.group)!.shift(), 'ties are broken by source, path and position')
  }
}

function near(actual: readonly number[], expected: readonly number[], off: (value: number) => number): void {
  assert.equal(actual.length, expected.length)
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs(actual[i]! - value) <= off(Math.abs(value)), `${actual[i]} is not near ${value}`)
  }
}
