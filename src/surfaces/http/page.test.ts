import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { projectRoot } from '../../../test/support/world.js'
import { type Cleanup, startHttp } from '../../../test/surfaces/serving.js'
import { servePage } from './page.js'

const folder = join(projectRoot, 'src/surfaces/page')
const token = 'a-token-that-is-long-enough'

/** As it is on the wire: nothing of the path is tidied up. */
function ask(
  t: Cleanup,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  return startHttp(t, { page: servePage(folder), tokens: [token] }).then(
    ({ port }) =>
      new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
          const parts: Buffer[] = []
          res.on('data', (part) => parts.push(part))
          res.on('end', () =>
            resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) }),
          )
        })
        sent.on('error', reject)
        sent.end()
      }),
  )
}

const kinds = {
  '/': 'text/html; charset=utf-8',
  '/?q=a&open=b:c': 'text/html; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
  '/page.js': 'text/javascript; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
}

describe('the page', () => {
  for (const [path, type] of Object.entries(kinds))
    test(`${path} is ${type}, and may do nothing but talk to this server`, async (t) => {
      const { status, headers, body } = await ask(t, path)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], type)
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      const policy = String(headers['content-security-policy'])
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.includes(rule), rule)
      assert.ok(!/unsafe|https?:|data:|\*/.test(policy), policy)
    })

  test('HEAD has everything but the bytes', async (t) => {
    const [whole, head] = [await ask(t, '/page.js'), await ask(t, '/page.js', { method: 'HEAD' })]
    assert.equal(head.status, 200)
    assert.equal(head.body.length, 0)
    for (const name of ['content-length', 'content-type', 'etag', 'content-security-policy'])
      assert.equal(head.headers[name], whole.headers[name], name)
  })

  test('what a browser has already is not sent again', async (t) => {
    const { headers } = await ask(t, '/')
    assert.equal(headers['cache-control'], 'no-cache')
    const etag = String(headers.etag)
    for (const known of [etag, `"other", W/${etag}`]) {
      const again = await ask(t, '/', { headers: { 'if-none-match': known } })
      assert.deepEqual([again.status, again.body.length], [304, 0])
    }
    assert.equal((await ask(t, '/', { headers: { 'if-none-match': '"other"' } })).status, 200)
  })

  test('it is packed for those who take it so', async (t) => {
    const packed = await ask(t, '/page.css', { headers: { 'accept-encoding': 'br, gzip' } })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.body), readFileSync(join(folder, 'page.css')))
    for (const accepted of ['br', 'gzip;q=0', 'xgzip'])
      assert.equal(
        (await ask(t, '/page.css', { headers: { 'accept-encoding': accepted } })).headers['content-encoding'],
        undefined,
        accepted,
      )
  })

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    test(`${method} is refused`, async (t) => {
      const { status, headers } = await ask(t, '/', { method })
      assert.equal(status, 405)
      assert.equal(headers.allow, 'GET, HEAD')
    })

  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '/page.js%00.html',
    '/page.html',
    '/tsconfig.json',
    '/types.d.ts',
    '/web/page.js',
    '/constructor',
    '/PAGE.JS',
  ])
    test(`${path} is nothing`, async (t) => {
      const { status, body } = await ask(t, path)
      assert.equal(status, 404)
      assert.ok(!body.includes('"name"'))
    })

  test('it asks for no token, and what it would show does', async (t) => {
    assert.equal((await ask(t, '/')).status, 200)
    assert.equal((await ask(t, '/api/status')).status, 401)
    const authorization = `Bearer ${token}`
    assert.equal((await ask(t, '/api/status', { headers: { authorization } })).status, 200)
  })

  test('a site that borrows our address by a name of its own does not get it', async (t) => {
    assert.equal((await ask(t, '/', { headers: { host: 'evil.example' } })).status, 403)
    assert.equal((await ask(t, '/', { headers: { origin: 'https://evil.example' } })).status, 403)
  })

  test('every file of it is served, is small, and names nothing elsewhere', async (t) => {
    const names = readdirSync(folder).filter((name) => /\.(html|css|js|svg)$/.test(name))
    let size = 0
    for (const name of names) {
      const { status, body } = await ask(t, name === 'page.html' ? '/' : `/${name}`)
      assert.equal(status, 200, name)
      const code = (text: string) => text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      const source = readFileSync(join(folder, name), 'utf8')
      assert.deepEqual(code(body.toString()), code(source), name)
      const away = /(?:src|href)="(?!\/)|@import|url\(|from '(?!\.\/)|innerHTML|insertAdjacentHTML|\beval\b/
      assert.ok(!away.test(body.toString()), name)
      size += body.length
    }
    assert.ok(size < 40_000, `${size} bytes`)
  })
})
