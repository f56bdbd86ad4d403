import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readPageHead } from './page-links.js'
import { readLlms, readSitemap } from './sitemap.js'

const read = (text: string | Buffer) => readSitemap(Buffer.from(text))

test('reads pages and further sitemaps, with entities, data sections and prefixes, and no pictures', async () => {
  const { pages } = await read(`\uFEFF<?xml version="1.0"?>
    <s:urlset xmlns:s="x"><s:url><s:loc> https://e.com/a?x=1&amp;y=2 </s:loc><image:image><image:loc>https://e.com/p.png</image:loc></image:image></s:url>
    <url><loc><![CDATA[https://e.com/b]]></loc><lastmod>2024</lastmod></url></s:urlset>`)
  assert.deepEqual(pages, ['https://e.com/a?x=1&y=2', 'https://e.com/b'])
  const { sitemaps } = await read(
    '<sitemapindex><sitemap><loc>https://e.com/s.xml</loc></sitemap></sitemapindex>',
  )
  assert.deepEqual(sitemaps, ['https://e.com/s.xml'])
})

test('reads packed ones, plain lists, and broken ones as far as they go', async () => {
  assert.deepEqual((await read(gzipSync('<urlset><url><loc>https://e.com/z</loc></url></urlset>'))).pages, [
    'https://e.com/z',
  ])
  assert.deepEqual((await read('https://e.com/1\nnot one\nhttps://e.com/2')).pages, [
    'https://e.com/1',
    'https://e.com/2',
  ])
  assert.deepEqual((await read('<urlset><url><loc>https://e.com/1</loc></url><url><loc>https://e')).pages, [
    'https://e.com/1',
  ])
  const cut = gzipSync(`<urlset>${'<url><loc>https://e.com/q</loc></url>'.repeat(5_000)}`)
  assert.ok((await read(cut.subarray(0, cut.length - 20))).pages.length >= 0)
  for (const nothing of ['', '<html><body>No</body></html>', '\0\0\0'])
    assert.deepEqual((await read(nothing)).pages, [])
})

test('takes fifty thousand and no more, without holding anybody up', async () => {
  const many = `<urlset>${Array.from({ length: 60_000 }, (_, i) => `<url><loc>https://e.com/${i}</loc></url>`).join('')}</urlset>`
  const { pages, cut } = await read(many)
  assert.deepEqual([pages.length, cut], [50_000, true])
})

test('a bomb is given up at fifty megabytes', async () => {
  const bomb = gzipSync(Buffer.alloc(80_000_000, ' '))
  assert.equal((await read(bomb)).cut, true)
})

test('links of llms.txt, and none of a page that poses as one', () => {
  const text = '# T\n> x\n## Docs\n- [A](https://e.com/a.md): about\n- [B](<b.md>)\n[broken](\n'
  const check = (text: string, links: string[]) =>
    assert.deepEqual(readLlms(Buffer.from(text)), { links, cut: false })
  check(text, ['https://e.com/a.md', 'b.md'])
  check('<!doctype html><a href="x">[a](b)</a>', [])
  check(`${' '.repeat(10_000)}[at the end of a long line](/end)`, ['/end'])
  const many = (count: number) => readLlms(Buffer.from('[a](/a)'.repeat(count)))
  assert.deepEqual([many(5_000).links.length, many(5_000).cut], [5_000, false])
  assert.deepEqual([many(5_001).links.length, many(5_001).cut], [5_000, true])
})

test('reads the links and rules of a page for a crawler', () => {
  const head = readPageHead(
    `<base href="/docs/"><link rel="canonical" href="/c"><meta name="Robots" content="noindex"><meta name="carrel" content="nofollow">
     <meta http-equiv="refresh" content="0; url='/next'"><a href="a">A</a><a href=" a ">again</a><area href="b"><a rel="nofollow" href="n">n</a>
     <a href="#x">x</a><a>none</a><link rel="next" href="2"><frame src="f.html"><script src="x.js"></script><script type="application/ld+json">{}</script>`,
    'carrel',
  )
  assert.deepEqual(head, {
    links: ['a', 'b', '2', 'f.html'],
    base: '/docs/',
    canonical: '/c',
    robots: 'noindex,nofollow',
    refresh: '/next',
    scripts: 1,
    cut: false,
  })
  const many = readPageHead(
    Array.from({ length: 12_000 }, (_, i) => `<a href="/${i}">x</a>`).join(''),
    'carrel',
  )
  assert.deepEqual([many.links.length, many.cut], [10_000, true])
})
