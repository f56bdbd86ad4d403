import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { type Session, sessionKind } from '../../src/answer/memory/records.js'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { Problem } from '../../src/model/problem.js'
import {
  contextItems,
  flushAccesses,
  noteAccess,
  pruneAccesses,
  scoreOf,
} from '../../src/toolsets/context/accesses.js'
import { closeMemory, openMemory, pruneSessions } from '../../src/toolsets/context/lifecycle.js'
import { readFile } from '../../src/toolsets/context/read-file.js'
import { rememberDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { searchContext } from '../../src/toolsets/context/search.js'
import {
  allSessions,
  endIdle,
  enterSession,
  flushSessions,
  type Sitting,
  touch,
} from '../../src/toolsets/context/sessions.js'
import { world } from '../support/world.js'

const minute = 60_000
const day = 86_400_000

/** A project with a clock that the test moves. */
async function sitting(t: TestContext) {
  const { library: opened, root } = await world(t, {
    'src/auth/token.ts': 'export const token = 1\n',
    'src/auth/check.ts': 'export const check = 1\n',
    'src/billing/invoice.ts': 'export const invoice = 1\n',
  })
  const clock = { now: Date.parse('2026-06-01T12:00:00Z') }
  const library = { ...opened, now: () => clock.now }
  await indexAll(library, {})
  return { library, clock, root }
}

const read = (library: Library, path: string, sitting?: Sitting) =>
  readFile(library, { path, includeDeps: false, maxDepth: 0, sitting })

test('a session that begins with a look at it knows its client', async (t) => {
  const { library } = await sitting(t)
  const { id, client, calls } = enterSession(library, { client: 'claude-code' })
  assert.deepEqual([client, calls], ['claude-code', 0])
  assert.deepEqual(
    (await allSessions(library)).map((session) => [session.id, session.client]),
    [[id, 'claude-code']],
  )
})

test('a session begins with the first call, and ends after half an hour without one', async (t) => {
  const { library, clock } = await sitting(t)
  assert.deepEqual(await allSessions(library), [])
  const id = touch(library, { client: 'claude-code' })
  clock.now += 29 * minute
  assert.equal(touch(library), id)
  clock.now += 31 * minute
  endIdle(library)
  const [first] = await allSessions(library)
  assert.deepEqual([first?.id, first?.ended, first?.calls, first?.client], [id, 'idle', 2, 'claude-code'])
  assert.equal(first?.endedAt, first!.lastAt + 30 * minute)
  assert.notEqual(touch(library), id)
})

test('whatever becomes of a reading, it is a call, and one', async (t) => {
  const { library, clock, root } = await sitting(t)
  writeFileSync(join(root, 'blob.bin'), new Uint8Array([0, 1, 2, 0]))
  const id = touch(library)
  for (const path of ['src/auth/gone.ts', 'blob.bin', 'src/auth/token.ts']) {
    clock.now += 20 * minute
    await read(library, path).catch(() => {})
  }
  const all = await allSessions(library)
  assert.deepEqual(
    all.map(({ id, calls, files }) => [id, calls, files]),
    [[id, 4, { 'src/auth/token.ts': 1 }]],
  )
})

test('a file is kept though its session was written while it was being read', async (t) => {
  const { library } = await sitting(t)
  const id = touch(library)
  await flushSessions(library)
  noteAccess(library, 'src/auth/token.ts')
  await flushSessions(library)
  const stored = await library.store.records.get<Session>(sessionKind, id)
  assert.deepEqual([stored?.calls, stored?.files], [1, { 'src/auth/token.ts': 1 }])
})

test('a session that cannot be written is shown all the same, and written later', async (t) => {
  const { library: sound, clock } = await sitting(t)
  let full = true
  const update: typeof sound.store.records.update = (...given) =>
    full
      ? Promise.reject(new Problem('disk_full', 'The disk is full.'))
      : sound.store.records.update(...given)
  const records = { ...sound.store.records, update }
  const library = { ...sound, store: { ...sound.store, records } }
  await read(library, 'src/auth/token.ts', { sessionId: 'mine' })
  await assert.rejects(flushAccesses(library), { code: 'disk_full' })
  await read(library, 'src/auth/token.ts', { sessionId: 'mine' })
  const seen = async () => [
    (await contextItems(library)).map(({ path, accesses }) => [path, accesses]),
    (await allSessions(library)).map(({ id, calls, ended }) => [id, calls, ended]),
  ]
  assert.deepEqual(await seen(), [[['src/auth/token.ts', 2]], [['mine', 2, null]]])
  assert.deepEqual((await status(library)).memory.context[0]?.accesses, 2)
  clock.now += 31 * minute
  const [, ended] = await seen()
  assert.deepEqual(ended, [['mine', 2, 'idle']])
  full = false
  assert.deepEqual(await seen(), [[['src/auth/token.ts', 2]], [['mine', 2, 'idle']]])
  assert.equal((await sound.store.records.get<Session>(sessionKind, 'mine'))?.calls, 2)
  assert.deepEqual(
    await seen(),
    [[['src/auth/token.ts', 2]], [['mine', 2, 'idle']]],
    'nothing is counted twice',
  )
})

test('a handle is a separate session and can be resumed; a connection has one, too', async (t) => {
  const { library, clock } = await sitting(t)
  const [own, process, connection] = [
    touch(library, { sessionId: 'mine' }),
    touch(library),
    touch(library, { connection: 'secret-handle-of-the-protocol' }),
  ]
  assert.equal(own, 'mine')
  assert.equal(new Set([own, process, connection]).size, 3)
  assert.ok(!connection.includes('secret'))
  clock.now += 45 * minute
  touch(library, { sessionId: 'mine' })
  const again = (await allSessions(library)).find(({ id }) => id === 'mine')
  assert.deepEqual([again?.calls, again?.endedAt], [2, null])
})

test('a file is read in the session that is named, from the first call on', async (t) => {
  const { library } = await sitting(t)
  await read(library, 'src/auth/token.ts', { sessionId: 'my-session-1', connection: 'wire' })
  const [session, ...others] = await allSessions(library)
  assert.deepEqual([session?.id, session?.files], ['my-session-1', { 'src/auth/token.ts': 1 }])
  assert.deepEqual(others, [])
})

test('the id of a connection’s session names that session', async (t) => {
  const { library, clock } = await sitting(t)
  const id = touch(library, { connection: 'wire' })
  await read(library, 'src/auth/token.ts', { sessionId: id, connection: 'another' })
  assert.equal(enterSession(library, { connection: 'wire' }).calls, 2)
  clock.now += 31 * minute
  assert.equal(touch(library, { sessionId: id }), id)
  assert.notEqual(touch(library, { connection: 'wire' }), id, 'which has begun another one since')
  const all = await allSessions(library)
  assert.deepEqual([all.length, all.find((one) => one.id === id)?.calls], [2, 3])
})

test('a session is written when it begins and when it records, not at the end of a batch', async (t) => {
  const { library } = await sitting(t)
  const written = async (id: string, is: (session: Session) => boolean) => {
    for (let i = 0; i < 100; i++) {
      const session = await library.store.records.get<Session>(sessionKind, id)
      if (session && is(session)) return true
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }
  const id = touch(library, { client: 'claude-code' })
  assert.ok(await written(id, ({ client }) => client === 'claude-code'))
  const statement = { type: 'issue', content: 'The lantern fails when the oil is cold' } as const
  const { discovery } = await rememberDiscovery(library, statement)
  assert.ok(await written(id, ({ discoveries }) => discoveries.includes(discovery.id)))
})

test('the session of a discovery is stored when the discovery is acknowledged', async (t) => {
  const { library } = await sitting(t)
  const statement = { type: 'issue', content: 'The lantern fails when the oil is cold' } as const
  const { session } = await rememberDiscovery(library, statement, { sessionId: 'named' })
  assert.equal((await library.store.records.get<Session>(sessionKind, session))?.id, 'named')
})

test('a session that has become large is written more seldom, and no later than it ends', async (t) => {
  const { library: sound } = await sitting(t)
  let writes = 0
  const update: typeof sound.store.records.update = (kind, ...given) => {
    if (kind === sessionKind) writes++
    return sound.store.records.update(kind, ...given)
  }
  const library = { ...sound, store: { ...sound.store, records: { ...sound.store.records, update } } }
  for (let i = 0; i < 500; i++) noteAccess(library, `src/auth/a-file-with-a-long-name-${i}.ts`)
  await flushSessions(library)
  writes = 0
  for (const day of ['Monday', 'Tuesday', 'Wednesday'])
    await rememberDiscovery(library, { type: 'rule', content: `The lamp is filled on ${day} at noon` })
  const [seen] = await allSessions(library)
  assert.equal(writes, 0)
  assert.equal(seen?.discoveries.length, 3)
  await closeMemory(library)
  assert.equal(writes, 1)
  assert.equal((await sound.store.records.get<Session>(sessionKind, seen!.id))?.discoveries.length, 3)
})

test('a session whose process died has all its discoveries, even those not yet written', async (t) => {
  const { library } = await sitting(t)
  const statement = { type: 'issue', content: 'The lantern fails when the oil is cold' } as const
  const { discovery } = await rememberDiscovery(library, statement, { sessionId: 'other' })
  await flushSessions(library)
  const { records } = library.store
  const other = (await records.get<Session>(sessionKind, 'other'))!
  await records.put(sessionKind, 'dead', { ...other, id: 'dead', discoveries: [], pid: 2 ** 22 + 4_321 })
  await records.put('discovery', discovery.id, { ...discovery, session: 'dead' })
  await openMemory(library)
  const { ended, discoveries } = (await records.get<Session>(sessionKind, 'dead'))!
  assert.deepEqual([ended, discoveries], ['crash', [discovery.id]])
})

test('a command that only looks leaves no session', async (t) => {
  const { library } = await sitting(t)
  touch(library, { client: 'cli' })
  await flushSessions(library)
  await closeMemory(library)
  assert.deepEqual(await allSessions(library), [])
})

test('a session says how long it was', async (t) => {
  const { library, clock } = await sitting(t)
  for (const [minutes, statement] of [
    [1, 'of 1 minute on 2026-06-01'],
    [3, 'of 3 minutes on 2026-06-01'],
  ] as const) {
    const id = touch(library)
    for (const name of ['token', 'check']) noteAccess(library, `src/auth/${name}.ts`)
    clock.now += minutes * minute
    await closeMemory(library)
    const { text } = (await library.store.document({ source: 'sessions', path: `${id}.md` }))!
    assert.ok(text.startsWith(`A session ${statement}`), text)
  }
})

test('the end of the connection ends its sessions', async (t) => {
  const { library } = await sitting(t)
  touch(library)
  noteAccess(library, 'src/auth/token.ts')
  await closeMemory(library)
  const [session] = await allSessions(library)
  assert.deepEqual([session?.ended, session?.files], ['disconnect', { 'src/auth/token.ts': 1 }])
})

test('sessions that a crash left open are closed at the next start', async (t) => {
  const { library, clock } = await sitting(t)
  touch(library)
  await flushSessions(library)
  const [left] = await allSessions(library)
  const dead: Session = { ...left!, id: 'dead', pid: 2 ** 22 + 4_321 }
  const old: Session = { ...left!, id: 'old', host: 'elsewhere', lastAt: clock.now - 40 * minute }
  const alive: Session = { ...left!, id: 'alive', host: 'elsewhere' }
  for (const one of [dead, old, alive]) await library.store.records.put(sessionKind, one.id, one)
  await openMemory(library)
  const ended = Object.fromEntries((await allSessions(library)).map(({ id, ended }) => [id, ended]))
  assert.deepEqual(ended, { [left!.id]: null, dead: 'crash', old: 'idle', alive: null })
})

test('the files and discoveries of one session are found in the next, and only on request', async (t) => {
  const { library } = await sitting(t)
  noteAccess(library, 'src/auth/token.ts')
  await rememberDiscovery(library, { type: 'issue', content: 'The lantern fails when the oil is cold' })
  await closeMemory(library)
  const { results } = await searchContext(library, { query: 'lantern oil session', type: 'all', limit: 10 })
  const session = results.find(({ source }) => source === 'session')
  assert.match(session?.content ?? '', /src\/auth\/token\.ts/)
  assert.match(session?.content ?? '', /lantern/)
  const byModule = await searchContext(library, {
    query: 'session lantern',
    type: 'all',
    module: 'auth',
    limit: 10,
  })
  assert.ok(byModule.results.some(({ source }) => source === 'session'))
  const { hits } = await search(library, { query: 'lantern oil session token' })
  assert.ok(hits.every(({ collection }) => collection !== 'sessions'))
})

test('the score is recency and use, as agreed', () => {
  const at = 100 * day
  assert.equal(scoreOf({ accesses: 10, last: at }, 10, at), 1)
  assert.equal(scoreOf({ accesses: 5, last: at }, 10, at), 0.8)
  assert.equal(scoreOf({ accesses: 10, last: at - 15 * day }, 10, at), 0.7)
  assert.equal(scoreOf({ accesses: 1, last: at - 30 * day }, 10, at), 0.04)
  assert.equal(scoreOf({ accesses: 1, last: at - 300 * day }, 1, at), 0.4)
  assert.equal(scoreOf({ accesses: 1, last: at + day }, 1, at), 1, 'a clock that was put back')
})

test('accesses are counted in batches and ranked by score', async (t) => {
  const { library, clock } = await sitting(t)
  for (let i = 0; i < 10; i++) noteAccess(library, 'src/auth/token.ts')
  clock.now += 15 * day
  noteAccess(library, 'src/billing/invoice.ts')
  noteAccess(library, 'constructor')
  const items = await contextItems(library)
  assert.deepEqual(
    items.map(({ path, accesses, score, module }) => ({ path, accesses, score, module })),
    [
      { path: 'src/auth/token.ts', accesses: 10, score: 0.7, module: 'auth' },
      { path: 'constructor', accesses: 1, score: 0.64, module: null },
      { path: 'src/billing/invoice.ts', accesses: 1, score: 0.64, module: 'billing' },
    ],
  )
})

test('counting an access costs no separate write', async (t) => {
  const { library } = await sitting(t)
  let writes = 0
  const records = {
    ...library.store.records,
    update: (...given: never[]) => {
      if (given[0] === '~accesses') writes++
      return (library.store.records.update as (...all: never[]) => Promise<never>)(...given)
    },
  }
  const watched = { ...library, store: { ...library.store, records } } as typeof library
  for (let i = 0; i < 1_000; i++) noteAccess(watched, `src/auth/${i % 3}.ts`)
  assert.equal(writes, 0)
  await flushAccesses(watched)
  assert.equal(writes, 3)
})

test('stale context goes: old and little read, or gone from the disk', async (t) => {
  const { library, clock } = await sitting(t)
  for (let i = 0; i < 20; i++) noteAccess(library, 'src/auth/token.ts')
  noteAccess(library, 'src/auth/check.ts')
  noteAccess(library, 'src/auth/gone.ts')
  clock.now += 31 * day
  noteAccess(library, 'src/billing/invoice.ts')
  assert.equal(await pruneAccesses(library), 2)
  assert.deepEqual((await contextItems(library)).map(({ path }) => path).sort(), [
    'src/auth/token.ts',
    'src/billing/invoice.ts',
  ])
})

test('sessions are kept for 90 days', async (t) => {
  const { library, clock } = await sitting(t)
  noteAccess(library, 'src/auth/token.ts')
  await closeMemory(library)
  clock.now += 91 * day
  assert.equal(await pruneSessions(library), 1)
  assert.deepEqual(await allSessions(library), [])
  const { documents } = await library.store.documents({ sources: ['sessions'] }, { offset: 0, limit: 9 })
  assert.deepEqual(documents, [])
})

test('two places that use one handle add up', async (t) => {
  const { library, clock } = await sitting(t)
  const other = { ...library, state: new Map(), now: () => clock.now }
  touch(library, { sessionId: 'shared' })
  noteAccess(other, 'src/auth/token.ts', { connection: 'nobody' })
  touch(other, { sessionId: 'shared' })
  touch(other, { sessionId: 'shared' })
  await flushSessions(library)
  await flushSessions(other)
  touch(library, { sessionId: 'shared' })
  await flushSessions(library)
  const shared = (await allSessions(library)).find(({ id }) => id === 'shared')
  assert.equal(shared?.calls, 4)
  assert.equal(enterSession(library, { sessionId: 'shared' }).calls, 2, 'each knows its own')
})
