import assert from 'node:assert/strict'
import type { StoredChunk } from '../../../src/model/document.js'
import type { Store } from '../../../src/store/port.js'
import { contentOf, same, withoutId } from '../sample.js'
import { sourceIds } from '../scope-fields.js'
import { checkEmbedded, checkNearest, checkPending, checkTerms, checkWords } from './check-ranks.js'
import type { Moment, Probe } from './steps.js'
import type { Pair, World } from './world.js'

/** Whether the store answers every question as the reference does. */
export async function checkWorld(world: World, { step, probe }: Moment): Promise<void> {
  await checkSources(world)
  const pairs = await checkDocuments(world, probe)
  await checkIds(world, pairs)
  await checkEmbedded(world, pairs, step)
  for (const query of probe.queries) await checkWords(world, query)
  await checkTerms(world)
  await checkNearest(world, pairs, probe)
  await checkPending(world, pairs, probe.limit)
  if (step.do !== 'restamp') await checkVersion(world)
  world.content = await answersOf(world.reference)
  world.version = await world.store.version()
}

async function checkSources({ store, reference }: World): Promise<void> {
  same(await store.sources(), await reference.sources(), 'sources')
  same(await store.counts(), await reference.counts(), 'counts')
  same(await store.records.all('kind'), await reference.records.all('kind'), 'records')
  for (const id of sourceIds)
    same(await fingerprintsOf(store, id), await fingerprintsOf(reference, id), 'fingerprints')
}

async function checkDocuments({ store, reference }: World, { scope, offset, limit }: Probe): Promise<Pair[]> {
  const page = { offset: 0, limit: 1000 }
  const { documents, total } = await reference.documents({}, page)
  same(await store.documents({}, page), { documents, total }, 'documents')
  same(
    await store.documents(scope, { offset, limit }),
    await reference.documents(scope, { offset, limit }),
    'a page',
  )
  const pairs: Pair[] = []
  for (const { ref } of documents) {
    same(await store.document(ref), await reference.document(ref), 'a document')
    const [own, right] = [await store.chunksOf(ref), await reference.chunksOf(ref)]
    same(own.map(withoutId), right.map(withoutId), 'its chunks')
    pairs.push(...own.map((chunk, i) => ({ own: chunk, right: right[i]! })))
  }
  return pairs
}

/**
 * A chunk that the reference kept has kept its id in the store; a new one has an id the store never gave before. When a
 * batch names a document twice, a store may look at the last version only and keep what that has in common with the old.
 */
async function checkIds(world: World, pairs: readonly Pair[]): Promise<void> {
  const { store, twins, live } = world
  const given = new Set(twins.values())
  for (const { own, right } of pairs) {
    const twin = twins.get(right.id)
    if (twin !== undefined) assert.equal(own.id, twin, 'a kept chunk keeps its id')
    else assert.ok(!given.has(own.id) || live.get(own.id) === textKey(own), 'a new chunk has a new id')
    twins.set(right.id, own.id)
    given.add(own.id)
  }
  const shown = new Map(pairs.map(({ own }) => [own.id, own]))
  const reversed = [...given].reverse()
  same(
    await store.chunks(reversed),
    reversed.flatMap((id) => shown.get(id) ?? []),
    'chunks by id',
  )
  world.live = new Map(pairs.map(({ own }) => [own.id, textKey(own)]))
}

function textKey({ ref, hash }: StoredChunk): string {
  return JSON.stringify([ref.source, ref.path, hash])
}

async function checkVersion({ store, reference, content, version }: World): Promise<void> {
  if ((await answersOf(reference)) === content) return
  assert.notEqual(await store.version(), version, 'the version changes with the content')
}

/** What can be answered from. Times of reading are left out: they change no answer but the order of waiting. */
async function answersOf(store: Store): Promise<string> {
  return JSON.stringify(JSON.parse(await contentOf(store)), (key, value) =>
    key === 'readAt' || key === 'stamp' ? undefined : value,
  )
}

async function fingerprintsOf(store: Store, source: string): Promise<unknown> {
  return Object.fromEntries([...(await store.fingerprints(source))].sort())
}
