import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventRoom, type RoomLimits, type SessionEvents } from './event-store.js'

const answer = (id: number, length = 80) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { text: 'x'.repeat(length) },
})

async function replayed(events: SessionEvents, after: string): Promise<unknown[]> {
  const ids: unknown[] = []
  await events.replayEventsAfter(after, {
    send: async (_, message) => void ids.push('id' in message ? message.id : null),
  })
  return ids
}

function room(limits: Partial<RoomLimits> = {}) {
  return eventRoom({ mostBytes: 1_000, deliveredMs: 0, ...limits })
}

describe('what sessions were sent', () => {
  test('stays within one bound, however many were left, and the oldest goes first', async () => {
    const all = room()
    const sessions = Array.from({ length: 40 }, () => all.ofSession())
    const opened: string[] = []
    for (const events of sessions) {
      opened.push(await events.storeEvent('a', {} as never))
      await events.storeEvent('a', answer(1))
      assert.ok(all.size() <= 1_000)
    }
    assert.deepEqual(await replayed(sessions[39]!, opened[39]!), [1])
    assert.equal(await sessions[0]!.getStreamIdForEventId!(opened[0]!), undefined)
    await assert.rejects(replayed(sessions[0]!, opened[0]!))
  })

  test('counts bytes, not characters', async () => {
    const all = room()
    await all.ofSession().storeEvent('a', { jsonrpc: '2.0', id: 1, result: { text: '語'.repeat(100) } })
    assert.ok(all.size() > 300)
  })

  test('is kept however large, while it is the last', async () => {
    const events = room().ofSession()
    const before = await events.storeEvent('a', {} as never)
    await events.storeEvent('a', answer(1, 5_000))
    assert.deepEqual(await replayed(events, before), [1])
  })

  test('goes soon when it was delivered, and stays when it was not', async () => {
    const all = room()
    const events = all.ofSession()
    const first = await events.storeEvent('a', {} as never)
    await events.storeEvent('a', { jsonrpc: '2.0', method: 'notifications/progress', params: {} })
    await events.storeEvent('a', answer(1))
    const second = await events.storeEvent('b', {} as never)
    await events.storeEvent('b', answer(2))
    events.delivered([1, undefined])
    await sleep(2)
    all.sweep()
    assert.equal(await events.getStreamIdForEventId!(first), undefined)
    assert.deepEqual(await replayed(events, second), [2])
  })

  test('goes with its session, and so does what a late call adds', async () => {
    const all = room()
    const events = all.ofSession()
    await events.storeEvent('a', answer(1))
    events.forget()
    await events.storeEvent('b', answer(2))
    assert.equal(all.size(), 0)
  })

  test('goes on after notifications that are gone: only an answer is waited for', async () => {
    const events = room({ mostEvents: 2 }).ofSession()
    const before = await events.storeEvent('_GET_stream', {} as never)
    for (let i = 0; i < 5; i++)
      await events.storeEvent('_GET_stream', { jsonrpc: '2.0', method: `notifications/n${i}` })
    assert.deepEqual(await replayed(events, before), [null, null])
  })
})
