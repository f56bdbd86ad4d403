import assert from 'node:assert/strict'
import { Problem } from '../../../src/model/problem.js'
import type { Store } from '../../../src/store/port.js'
import { documentOf, same, sourceOf, vectorOf } from '../sample.js'
import { documentFrom, type Step } from './steps.js'
import type { World } from './world.js'

/** Does the step on both sides, which must give the same answer or the same refusal. */
export async function applyStep(world: World, step: Step): Promise<void> {
  if (step.do === 'reopen') world.store = await world.opened.reopen()
  else if (step.do === 'embed') await embed(world, step)
  else same(await outcome(world.store, step), await outcome(world.reference, step), step.do)
}

async function outcome(store: Store, step: Step): Promise<unknown> {
  try {
    return (await perform(store, step)) ?? 'done'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

function perform(store: Store, step: Step): Promise<unknown> {
  switch (step.do) {
    case 'replace':
      return store.replace(step.documents.map(documentFrom))
    case 'refuse':
      return store.replace([...step.documents.map(documentFrom), documentOf('', ['ant'])])
    case 'forget':
      return store.forget(step.refs, step.asOf)
    case 'restamp': {
      const { ref, size, readAt } = step
      return store.restamp([
        { ref, stamp: { size, mtimeMs: size * 1.5, ctimeMs: size * 2.5, ino: size }, readAt },
      ])
    }
    case 'put source':
      return store.putSource(sourceOf(step.id, { name: step.name }))
    case 'forget source':
      return store.forgetSource(step.id)
    case 'forget model':
      return store.vectors.forget(step.model)
    case 'put record':
      return store.records.put('kind', step.id, step.value)
    case 'update record':
      return store.records.update('kind', step.id, (old) =>
        step.value === null ? null : [old, step.value].flat(9),
      )
    case 'delete record':
      return store.records.delete('kind', step.id)
    case 'settle':
      return store.settle()
    default:
      throw new Error(`No such step: ${step.do}`)
  }
}

/** Gives vectors to some of those that wait for one, among them a chunk that never was and one of another hash. */
async function embed({ store, reference }: World, step: Step & { do: 'embed' }): Promise<void> {
  const waiting = await reference.vectors.pending(step.model, 1000)
  const hashes = new Set(step.picks.map((pick) => waiting[pick % Math.max(1, waiting.length)]?.hash))
  const put = async (side: Store) => {
    const pending = (await side.vectors.pending(step.model, 1000)).filter(({ hash }) => hashes.has(hash))
    const vectors = pending.map(({ chunk, hash }) => ({ chunk, hash, vector: vectorOf(hash, 16) }))
    const stray = { chunk: 1e9, hash: 'never', vector: vectorOf('never', 16) }
    const wrong = { chunk: pending[0]?.chunk ?? 1e9, hash: 'wrong', vector: vectorOf('wrong', 16) }
    return side.vectors.put(step.model, [stray, wrong, ...vectors])
  }
  assert.equal(await put(store), await put(reference), 'vectors put')
}
