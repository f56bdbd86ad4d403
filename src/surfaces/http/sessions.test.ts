import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { accept, ask, initialize, lastMessage, post } from '../../../test/surfaces/asking.js'
import { startHttp } from '../../../test/surfaces/serving.js'

describe('sessions of older clients', () => {
  test('begin, go on, end, and are not found afterwards', async (t) => {
    const http = await startHttp(t)
    const url = `${http.url}/mcp`
    const begun = await post(url, initialize())
    assert.equal(begun.status, 200)
    const id = String(begun.headers['mcp-session-id'])
    assert.match(id, /^[0-9a-f-]{36}$/)
    const headers = { 'mcp-session-id': id }
    assert.equal(
      (await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status,
      202,
    )
    const list = await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)
    assert.equal(lastMessage(list.text).result.tools.length, 5)
    assert.equal(
      (await post(`${http.url}/mcp/shelf`, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)).status,
      404,
    )
    assert.equal((await ask(url, { method: 'DELETE', headers })).status, 200)
    assert.equal((await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list' }, headers)).status, 404)
    assert.equal((await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list' })).status, 400)
  })

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
    test(`speak ${version}`, async (t) => {
      const http = await startHttp(t)
      assert.equal(
        lastMessage((await post(`${http.url}/mcp`, initialize(version))).text).result.protocolVersion,
        version,
      )
    })

  test('are capped: the one that was quiet longest makes room', async (t) => {
    const http = await startHttp(t, { limits: { sessions: 3 } })
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      ids.push(String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id']))
      await sleep(3)
    }
    const statuses = await Promise.all(
      ids.map(
        async (id) =>
          (await post(`${http.url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id }))
            .status,
      ),
    )
    assert.deepEqual(statuses, [404, 200, 200, 200])
  })

  test('that nobody uses are forgotten', async (t) => {
    const http = await startHttp(t, { limits: { idleMs: 40 } })
    const id = String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id'])
    await sleep(150)
    assert.equal(
      (await post(`${http.url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id }))
        .status,
      404,
    )
  })

  test('a stream that broke goes on where it was', async (t) => {
    const http = await startHttp(t)
    const { headers, eventId } = await brokenOff(http.url)
    await sleep(250)
    const rest = await ask(`${http.url}/mcp`, { headers: { ...headers, 'last-event-id': eventId } })
    assert.deepEqual(lastMessage(rest.text).result.structuredContent, { waited: 150 })
    const nonsense = { ...headers, 'last-event-id': '99.nonsense' }
    assert.equal((await ask(`${http.url}/mcp`, { headers: nonsense })).status, 400)
  })

  test('share what is kept of their answers: one that made room is refused, and not waited for', async (t) => {
    const http = await startHttp(t, { limits: { replayBytes: 1_000 } })
    const { headers, eventId } = await brokenOff(http.url)
    await sleep(250)
    const other = String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id'])
    await post(
      `${http.url}/mcp`,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { 'mcp-session-id': other },
    )
    const rest = await ask(`${http.url}/mcp`, { headers: { ...headers, 'last-event-id': eventId } })
    assert.equal(rest.status, 400)
    const ping = { jsonrpc: '2.0', id: 6, method: 'ping' }
    assert.equal((await post(`${http.url}/mcp`, ping, headers)).status, 200)
  })
})

/** A session whose client went away while a call took its time, and the event that it had seen by then. */
async function brokenOff(address: string) {
  const url = `${address}/mcp`
  const id = String((await post(url, initialize())).headers['mcp-session-id'])
  const headers = {
    'mcp-session-id': id,
    'mcp-protocol-version': '2025-11-25',
    accept,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'wait', arguments: { ms: 150 } },
  })
  const eventId = await new Promise<string>((resolve) => {
    const req = request(url, { method: 'POST', headers, agent: false }, (res) => {
      res.once('data', (bytes) => {
        resolve(/^id: (\S+)/m.exec(String(bytes))?.[1] ?? '')
        req.destroy()
      })
    })
    req.on('error', () => {})
    req.end(body)
  })
  return { headers, eventId }
}
