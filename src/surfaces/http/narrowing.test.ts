import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ask, initialize, lastMessage, post } from '../../../test/surfaces/asking.js'
import { startHttp } from '../../../test/surfaces/serving.js'

describe('less than everything', () => {
  const names = async (url: string, headers: Record<string, string> = {}) =>
    ((await ask(url, { headers })).json() as { tools: { name: string }[] }).tools.map(({ name }) => name)

  test('headers narrow, and only narrow', async (t) => {
    const http = await startHttp(t)
    const url = `${http.url}/api/tools`
    assert.deepEqual(await names(url, { 'x-carrel-toolsets': 'desk' }), ['write_note', 'wait', 'fetch_note'])
    assert.deepEqual(await names(url, { 'x-carrel-toolsets': 'desk, shelf', 'x-carrel-readonly': 'true' }), [
      'read_note',
      'list_notes',
      'wait',
    ])
    assert.deepEqual(
      await names(url, { 'x-carrel-tools': 'wait,read_note', 'x-carrel-exclude-tools': 'wait' }),
      ['read_note'],
    )
    const wrong = await ask(url, { headers: { 'x-carrel-toolsets': 'dekk' } })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Did you mean \\"desk\\"/)
    const called = await post(
      `${http.url}/api/tools/write_note`,
      { name: 'a', text: 'b' },
      { 'x-carrel-readonly': '1' },
    )
    assert.equal(called.status, 404)
  })

  /** What a client gets for one method: in a session opened with these headers, or by the newest revision. */
  const session = async (url: string, opening: Record<string, string> = {}) => {
    const begun = await post(url, initialize(), opening)
    const id = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    return async (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      lastMessage((await post(url, { jsonrpc: '2.0', id: 2, method, params }, { ...id, ...headers })).text)
  }
  const offered = ({ result }: { result: { tools: { name: string }[] } }) =>
    result.tools.map(({ name }) => name)
  const write = { name: 'write_note', arguments: { name: 'a', text: 'b' } }

  test('the headers of a request hold in a session that was opened without them', async (t) => {
    const http = await startHttp(t)
    const ask = await session(`${http.url}/mcp`)
    for (const headers of [
      { 'x-carrel-readonly': 'true' },
      { 'x-carrel-exclude-tools': 'write_note' },
    ] as Record<string, string>[]) {
      assert.match(
        (await ask('tools/call', write, headers)).error.message,
        /write_note is not available here/,
      )
      assert.ok(!offered(await ask('tools/list', {}, headers)).includes('write_note'))
    }
    const desk = { 'x-carrel-toolsets': 'desk' }
    assert.deepEqual((await ask('resources/list', {}, desk)).result.resources, [])
    assert.deepEqual((await ask('resources/templates/list', {}, desk)).result.resourceTemplates, [])
    assert.deepEqual((await ask('prompts/list', {}, desk)).result.prompts, [])
    assert.equal(http.surface.registry.services.notes.has('a'), false)
    assert.ok((await ask('tools/call', write)).result.structuredContent)
  })

  test('the headers of a request only take away from what its session was opened with', async (t) => {
    const http = await startHttp(t)
    const ask = await session(`${http.url}/mcp`, { 'x-carrel-toolsets': 'desk' })
    assert.deepEqual(offered(await ask('tools/list')), ['write_note', 'wait', 'fetch_note'])
    assert.deepEqual(offered(await ask('tools/list', {}, { 'x-carrel-toolsets': 'desk, shelf' })), [
      'write_note',
      'wait',
      'fetch_note',
    ])
    assert.deepEqual(offered(await ask('tools/list', {}, { 'x-carrel-readonly': '1' })), ['wait'])
  })

  test('an address and a header narrow together', async (t) => {
    const http = await startHttp(t)
    const both = await session(`${http.url}/mcp/desk`, { 'x-carrel-toolsets': 'shelf' })
    assert.deepEqual(offered(await both('tools/list')), [])
    const late = await session(`${http.url}/mcp/desk`)
    assert.deepEqual(offered(await late('tools/list', {}, { 'x-carrel-toolsets': 'shelf' })), [])
  })

  test('a header that says neither yes nor no is refused', async (t) => {
    const http = await startHttp(t)
    const status = async (value: string) =>
      (await ask(`${http.url}/api/tools`, { headers: { 'x-carrel-readonly': value } })).status
    for (const value of ['enabled', 'y', '', 'true, false']) assert.equal(await status(value), 400, value)
    for (const value of ['false', 'off', 'ON']) assert.equal(await status(value), 200, value)
  })

  test('a header that chooses nothing is refused', async (t) => {
    const http = await startHttp(t)
    for (const name of ['x-carrel-toolsets', 'x-carrel-tools'])
      for (const value of ['', ' , ']) {
        const { status, text } = await ask(`${http.url}/api/tools`, { headers: { [name]: value } })
        assert.equal(status, 400, `${name}: "${value}"`)
        assert.match(text, /is empty. Leave it out/)
      }
    assert.equal((await names(`${http.url}/api/tools`, { 'x-carrel-exclude-tools': '' })).length, 5)
  })

  test('a long list of names is read to its end', async (t) => {
    const http = await startHttp(t)
    const exclude = `${'wait,'.repeat(150)}write_note`
    assert.ok(
      !(await names(`${http.url}/api/tools`, { 'x-carrel-exclude-tools': exclude })).includes('write_note'),
    )
  })

  test('each toolset has an endpoint of its own', async (t) => {
    const http = await startHttp(t)
    const begun = await post(`${http.url}/mcp/desk`, initialize())
    const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    const list = lastMessage(
      (await post(`${http.url}/mcp/desk`, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)).text,
    )
    assert.deepEqual(
      list.result.tools.map(({ name }: { name: string }) => name),
      ['write_note', 'wait', 'fetch_note'],
    )
    assert.equal(lastMessage(begun.text).result.capabilities.resources, undefined)
    const strange = await post(`${http.url}/mcp/shlef`, initialize())
    assert.equal(strange.status, 404)
    assert.match(strange.text, /The toolsets are shelf, desk/)
  })
})
