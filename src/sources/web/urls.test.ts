import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { htmlTwins, matchesAny, normaliseUrl, shapeOf, siteOf, trapOf } from './urls.js'

const spellings: [string, string | null][] = [
  ['http://Example.COM:80/a/../b/./c#part', 'http://example.com/b/c'],
  ['https://example.com:443', 'https://example.com/'],
  ['https://example.com./x', 'https://example.com/x'],
  ['https://example.com/a//b///c', 'https://example.com/a/b/c'],
  ['https://example.com/%7euser/%c3%a9%2f', 'https://example.com/~user/%C3%A9%2F'],
  ['https://example.com/?', 'https://example.com/'],
  ['https://example.com/?b=2&a=1&b=1', 'https://example.com/?a=1&b=1&b=2'],
  ['https://example.com/?utm_source=x&q=1&gclid=2&PHPSESSID=3', 'https://example.com/?q=1'],
  ['https://example.com/x;jsessionid=AB12?sid=9f8a77c01be24d5ea3b6', 'https://example.com/x'],
  ['https://example.com/x;sid=tq2n8v0c5kd1a7r4e9s6b3m1h0?a=1', 'https://example.com/x?a=1'],
  ['https://example.com/talk?session=1', 'https://example.com/talk?session=1'],
  [
    'https://example.com/talk?Session_ID=keynote-2026-day-1',
    'https://example.com/talk?Session_ID=keynote-2026-day-1',
  ],
  [
    'https://example.com/t;sid=4?sid=1830274658291034112',
    'https://example.com/t;sid=4?sid=1830274658291034112',
  ],
  ['https://example.com/?sessionid=2f1c9e0a-7b3d-4c58-9a6e-0d1f2b3c4d5e', 'https://example.com/'],
  ['https://example.com/?spm=a2c4g.11186623.0.0.7b1e&trk=docs', 'https://example.com/?trk=docs'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['  https://example.com/x  ', 'https://example.com/x'],
  ['mailto:a@example.com', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['ftp://example.com/', null],
  ['https://user:word@example.com/', null],
  ['https://', null],
  ['docs.example.com', null],
  [`https://example.com/${'x'.repeat(3000)}`, null],
]
for (const [written, expected] of spellings)
  test(`${written.slice(0, 60)} is ${expected ?? 'no page'}`, () =>
    assert.equal(normaliseUrl(written), expected))

test('relative addresses are read from where they stand', () => {
  const base = 'https://example.com/docs/guide/'
  assert.equal(normaliseUrl('../api?x=1#y', base), 'https://example.com/docs/api?x=1')
  assert.equal(normaliseUrl('//other.example/x', base), 'https://other.example/x')
  assert.equal(normaliseUrl('?page=2', base), 'https://example.com/docs/guide/?page=2')
})

test('the one spelling is its own', () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9%&=;./~+_-]{0,12}$/)
  fc.assert(
    fc.property(part, part, (path, query) => {
      const once = normaliseUrl(`https://example.com/${path}?${query}`)
      assert.ok(once)
      assert.equal(normaliseUrl(once), once)
    }),
    { seed: 9, numRuns: 500 },
  )
})

test('one site is a host with or without www, over http or https; another port is another site', () => {
  assert.equal(siteOf('https://www.example.com/a'), siteOf('http://example.com/b'))
  assert.notEqual(siteOf('http://example.com:8080/'), siteOf('http://example.com/'))
  assert.notEqual(siteOf('http://docs.example.com/'), siteOf('http://example.com/'))
  assert.notEqual(siteOf('http://127.0.0.1:1/'), siteOf('http://127.0.0.2:1/'))
})

test('patterns stand anywhere, and a star is anything', () => {
  const url = 'https://example.com/archive/2024/x.html?print=1'
  assert.equal(matchesAny(url, ['/nothing/', '/archive/']), '/archive/')
  assert.equal(matchesAny(url, ['/arch*print=']), '/arch*print=')
  assert.equal(matchesAny(url, ['/x*archive']), null)
  assert.equal(matchesAny(url, [`${'*a'.repeat(200)}`]), null)
})

test('paths that repeat themselves or never end look made up', () => {
  for (const path of ['/a/a/a', '/x/a/b/a/b/a/b/', `/${'d/'.repeat(30)}`, '/a/b/c/a/b/c/a/b/c'])
    assert.ok(trapOf(`https://example.com${path}`), path)
  for (const path of ['/', '/a/b/a/b', '/docs/docs/index', '/2024/05/05/x'])
    assert.equal(trapOf(`https://example.com${path}`), null)
  assert.equal(shapeOf('https://e.com/2026/11?b=3&a=4'), shapeOf('https://e.com/2031/1?b=x&a=y'))
})

test('a Markdown version knows the pages that it represents', () => {
  assert.deepEqual(htmlTwins('https://e.com/guide.html.md'), [
    'https://e.com/guide.html',
    'https://e.com/guide.html/',
    'https://e.com/guide.html.html',
  ])
  assert.ok(htmlTwins('https://e.com/docs/index.html.md').includes('https://e.com/docs/'))
  assert.ok(htmlTwins('https://e.com/docs/intro.md').includes('https://e.com/docs/intro'))
  assert.deepEqual(htmlTwins('https://e.com/docs/intro'), [])
})
