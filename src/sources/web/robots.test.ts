import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPageRules, readRobots } from './robots.js'

const origin = 'https://example.com'
const robots = (text: string) => readRobots(origin, Buffer.from(text))

describe('robots.txt', () => {
  const cases: [name: string, text: string, allowed: string[], not: string[]][] = [
    ['nothing in it', '', ['/', '/x'], []],
    ['a page in its place', '<!doctype html><html>Not found</html>', ['/'], []],
    ['everything disallowed', 'User-agent: *\nDisallow: /', ['/robots.txt'], ['/', '/x']],
    [
      'our own group wins over the one for all',
      'User-agent: *\nDisallow: /\nUser-agent: carrel\nDisallow: /x',
      ['/', '/y'],
      ['/x'],
    ],
    ['names ignore case and versions', 'User-Agent: CARREL/1.0\nDisallow: /x', ['/y'], ['/x']],
    ['several names share a group', 'User-agent: other\nUser-agent: carrel\nDisallow: /x', ['/y'], ['/x']],
    [
      'groups of one name are one',
      'User-agent: carrel\nDisallow: /a\n\nUser-agent: carrel\nDisallow: /b',
      ['/c'],
      ['/a', '/b'],
    ],
    ['the longest rule wins', 'User-agent: *\nDisallow: /a\nAllow: /a/b', ['/a/b/c', '/'], ['/a/x']],
    ['of equal length, the one that allows', 'User-agent: *\nDisallow: /p\nAllow: /p', ['/p'], []],
    [
      'stars and ends',
      'User-agent: *\nDisallow: /*.pdf$\nDisallow: /a*/c',
      ['/x.pdf?a', '/ac'],
      ['/x.pdf', '/ab/c'],
    ],
    ['an empty rule allows', 'User-agent: *\nDisallow:', ['/x'], []],
    ['comments and spaces', '\uFEFF# hello\nUser-agent: * # all\n  Disallow : /x # not this', ['/y'], ['/x']],
    ['old and Windows line ends', 'User-agent: *\rDisallow: /x\r\nDisallow: /y', ['/z'], ['/x', '/y']],
    [
      'escapes are one with what they stand for',
      'User-agent: *\nDisallow: /%7ex/é\nDisallow: /%64ocs\nDisallow: /*?%71=\nDisallow: /a%2fb',
      ['/y', '/a/b'],
      ['/~x/%C3%A9', '/%7Ex/%c3%a9', '/docs/x', '/d%6Fcs', '/s?q=1', '/s?%71=1', '/a%2Fb'],
    ],
    ['rules before any name count for nobody', 'Disallow: /x\nUser-agent: *\nDisallow: /y', ['/x'], ['/y']],
  ]
  for (const [name, text, allowed, not] of cases)
    test(name, () => {
      const { allows } = robots(text)
      for (const path of allowed) assert.ok(allows(origin + path), `${path} is allowed`)
      for (const path of not) assert.ok(!allows(origin + path), `${path} is not allowed`)
    })

  test('a byte order mark marks UTF-16', () => {
    const little = Buffer.from('\uFEFFUser-agent: *\r\nDisallow: /x\r\n', 'utf16le')
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const { allows } = readRobots(origin, bytes)
      assert.deepEqual([allows(`${origin}/y`), allows(`${origin}/x`)], [true, false])
    }
  })

  test('delays are read for our agent and bounded; nonsense is no delay', () => {
    assert.equal(robots('User-agent: *\nCrawl-delay: 2.5').delayMs, 2_500)
    assert.equal(robots('User-agent: *\nCrawl-delay: 9\nUser-agent: carrel\nCrawl-delay: 1').delayMs, 1_000)
    for (const value of ['-1', 'soon', '', 'NaN'])
      assert.equal(robots(`User-agent: *\nCrawl-delay: ${value}`).delayMs, 0)
    assert.equal(robots('User-agent: *\nCrawl-delay: 1e9').delayMs, 300_000)
  })

  test('sitemaps are listed wherever they stand', () => {
    assert.deepEqual(robots('Sitemap: https://example.com/a.xml\nUser-agent: x\nSitemap: /b.xml').sitemaps, [
      'https://example.com/a.xml',
      '/b.xml',
    ])
  })

  test('thousands of wildcards take no time, and an undecided page is not read', () => {
    const rules = Array.from({ length: 1_900 }, () => `Disallow: /${'*a'.repeat(240)}b`)
    const robots = readRobots('https://a.example', Buffer.from(`User-agent: *\n${rules.join('\n')}\n`))
    const before = process.cpuUsage()
    for (let i = 0; i < 20; i++)
      assert.equal(robots.allows(`https://a.example/${i}${'a'.repeat(1_900)}`), false)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 2_000_000, `${user} µs`)
  })

  const many = (count: number, rule: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => rule(i))

  for (const [title, rules] of Object.entries({
    wildcards: many(20_000, (i) => `Disallow: /${'*a'.repeat(8)}${i}`),
    'short rules': many(40_000, (i) => `Disallow:/${i}`),
  }))
    test(`half a megabyte of ${title} neither hangs nor allows what it forbids`, () => {
      const { allows } = robots(`User-agent: *\n${rules.join('\n')}`)
      const before = process.cpuUsage()
      for (let i = 0; i < 20; i++) assert.ok(!allows(`${origin}/${'b'.repeat(1_000)}${i}`))
      assert.ok(!allows(`${origin}/aaaaaaaa19999`))
      const { user } = process.cpuUsage(before)
      assert.ok(user / 1000 < 1_000, `${user / 1000} ms`)
    })

  test('rules for others take no room from ours, wherever they stand', () => {
    const others = many(60, (i) => [`User-agent: bot${i}`, ...many(200, (n) => `Disallow: /${n}`)].join('\n'))
    const ours = ['User-agent: bot', 'user-agent : *', ...many(5_000, (i) => `Disallow: /x/${i}/`)]
    const { allows } = robots([...others, ...ours, 'Disallow: /last', ...others].join('\n'))
    for (const path of ['/x/0/', '/x/4999/', '/last']) assert.ok(!allows(origin + path), path)
    for (const path of ['/', '/1', '/x/5000/']) assert.ok(allows(origin + path), path)
  })

  test('a rule too long to be kept whole allows nothing', () => {
    const { allows } = robots(`User-agent: *\nDisallow: /\nAllow: /${'a'.repeat(600)}/b\nAllow: /c`)
    assert.deepEqual([allows(`${origin}/${'a'.repeat(600)}/x`), allows(`${origin}/c`)], [false, true])
  })
})

describe('the robots rules of a page', () => {
  const cases: [string | null, boolean, boolean][] = [
    [null, false, false],
    ['index, follow', false, false],
    ['NOINDEX', true, false],
    ['noindex,nofollow', true, true],
    ['none', true, true],
    ['otherbot: noindex, nofollow', false, false],
    ['otherbot: noindex, carrel: nofollow', false, true],
    ['max-snippet: 20, noindex', true, false],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', false, true],
  ]
  for (const [line, noindex, nofollow] of cases)
    test(`${line}`, () => assert.deepEqual(readPageRules(line), { noindex, nofollow }))
})
