import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { ask, post, until } from '../../../test/surfaces/asking.js'
import { type Shelf, shelf, shelfToolset } from '../../../test/surfaces/fixture.js'
import { fixtureSurface, startHttp } from '../../../test/surfaces/serving.js'
import { Problem } from '../../model/problem.js'
import { registry } from '../../server/registry.js'

describe('the API', () => {
  const cases: [string, string, unknown, number, unknown][] = [
    [
      'a result',
      'read_note',
      { name: 'welcome' },
      200,
      { name: 'welcome', text: 'Welcome to the shelf.', length: 21 },
    ],
    ['a sentence', 'read_note', { name: 'x' }, 200, 'Note "x" not found.'],
    ['wrong arguments', 'read_note', {}, 400, undefined],
    ['a problem', 'write_note', { name: 'locked', text: '' }, 422, undefined],
    [
      'no such tool',
      'raed_note',
      {},
      404,
      { error: 'There is no tool "raed_note". Did you mean "read_note"?' },
    ],
    ['time up', 'wait', { ms: 50_000 }, 504, undefined],
  ]
  for (const [title, tool, args, status, expected] of cases)
    test(`${title}: ${status}`, async (t) => {
      const http = await startHttp(t, { executor: { mostTimeMs: 50 } })
      const answer = await post(`${http.url}/api/tools/${tool}`, args)
      assert.equal(answer.status, status, answer.text)
      if (expected !== undefined) assert.deepEqual(answer.json(), expected)
    })

  test('a rate limit says when to come back', async (t) => {
    const http = await startHttp(t, { executor: { rates: { list_notes: 1 } } })
    await post(`${http.url}/api/tools/list_notes`, {})
    const { status, headers } = await post(`${http.url}/api/tools/list_notes`, {})
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 50)
  })

  test('a note on an answer is a header', async (t) => {
    const note = 'Of "Büro 100%" nothing is known 🦉:\nask again.'
    const toolset = {
      ...shelfToolset,
      note: async (_services: Shelf, _args: object, { isNothing }: { isNothing: boolean }) =>
        isNothing ? note : null,
    }
    const surface = { ...fixtureSurface(), registry: registry([toolset], shelf()) }
    const http = await startHttp(t, { surface })
    const none = await post(`${http.url}/api/tools/list_notes`, { prefix: 'nothing-like-this' })
    assert.deepEqual(none.json(), [])
    assert.equal(decodeURIComponent(String(none.headers['carrel-note'])), note)
    const some = await post(`${http.url}/api/tools/list_notes`, {})
    assert.equal(some.headers['carrel-note'], undefined)
  })

  test('a client that goes away stops the work', async (t) => {
    const http = await startHttp(t)
    const req = request(`${http.url}/api/tools/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    })
    req.on('error', () => {})
    req.end(JSON.stringify({ ms: 1_900, label: 'left alone' }))
    await until(() => http.surface.executor.load().running === 1)
    req.destroy()
    await until(() => http.surface.registry.services.stopped.includes('left alone'))
  })

  test('status, statistics and metrics', async (t) => {
    const http = await startHttp(t, { status: () => ({ collections: 3 }) })
    await post(`${http.url}/api/tools/list_notes`, {})
    assert.deepEqual((await ask(`${http.url}/api/status`)).json(), { collections: 3 })
    const { tools } = (await ask(`${http.url}/api/statistics`)).json() as {
      tools: { tool: string; calls: number }[]
    }
    assert.deepEqual(
      tools.map(({ tool, calls }) => [tool, calls]),
      [['list_notes', 1]],
    )
    const metrics = await ask(`${http.url}/metrics`)
    assert.match(String(metrics.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(metrics.text, /^carrel_tool_calls_total\{tool="list_notes"\} 1$/m)
    assert.match(metrics.text, /^carrel_tool_seconds_bucket\{tool="list_notes",le="\+Inf"\} 1$/m)
    const addresses = ['/api/status', '/api/statistics', '/api/tools', '/metrics', '/healthz']
    for (const path of addresses) {
      const { status, text } = await ask(`${http.url}${path}`, { method: 'HEAD' })
      assert.deepEqual([status, text], [200, ''], path)
    }
    for (const line of metrics.text.trim().split('\n'))
      assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [0-9.e+-]+)$/)
  })

  test('what is wrong with the disk is not the fault of who asks', async (t) => {
    const status = () => {
      throw new Problem('disk_full', 'The disk is full.')
    }
    const http = await startHttp(t, { status })
    const answer = await ask(`${http.url}/api/status`)
    assert.equal(answer.status, 503)
    assert.match(answer.text, /The disk is full\./)
  })

  test('the page and further routes serve the rest', async (t) => {
    const http = await startHttp(t, {
      page: (req, res) => req.url === '/' && !!res.end('page'),
      api: (req, res) => req.url === '/api/more' && !!res.end('more'),
    })
    assert.equal((await ask(http.url)).text, 'page')
    assert.equal((await ask(`${http.url}/api/more`)).text, 'more')
    assert.equal((await ask(`${http.url}/nowhere`)).status, 404)
    assert.equal((await ask(`${http.url}/api/nowhere`)).status, 404)
  })
})
