import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { epub } from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { convertEpub } from './epub.js'

describe('a book', () => {
  test('reads the chapters in reading order, and the metadata', () => {
    const { text, title, metadata } = convertEpub(
      epub({
        metadata:
          '<dc:title>The harbour</dc:title><dc:creator>Ilse Varga</dc:creator><dc:creator>Tomas Wren</dc:creator><dc:date>2026-04</dc:date><dc:language>en</dc:language>',
        chapters: {
          'two.xhtml':
            '<h1>Second</h1><p>See <a href="one.xhtml#x">the first</a> and <a href="https://example.org/a">this</a>.</p>',
          'one.xhtml':
            '<header><h1>First</h1></header><p><a id="x"/>It began.</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
        },
        spine: ['one.xhtml', 'two.xhtml'],
      }),
    )
    assert.equal(
      text,
      '# First\n\nIt began.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n# Second\n\nSee the first and [this](https://example.org/a).',
    )
    assert.equal(title, 'The harbour')
    assert.deepEqual(metadata, { author: 'Ilse Varga, Tomas Wren', date: '2026-04', language: 'en' })
  })

  test('keeps boxes, raised numbers, names, whole rows and code in sections', () => {
    const chapters = {
      'a.xhtml':
        '<div class="sidebar"><p>Mind max_size, which is 2<sup>32</sup><a id="n"/>.</p></div><table><tr><td rowspan="2">a</td><td>1</td></tr><tr><td>2</td></tr></table><pre><![CDATA[a < b && c > d]]></pre>',
    }
    assert.equal(
      convertEpub(epub({ chapters })).text,
      'Mind max_size, which is 2^32.\n\n| a | 1 |\n| --- | --- |\n| a | 2 |\n\n```\na < b && c > d\n```',
    )
  })

  test('names a chapter without a heading as its contents do, in both manners', () => {
    const chapters = { 'a b.xhtml': '<p>Text.</p>' }
    const nav = '<ol><li><a href="text/a%20b.xhtml#top">Chapter one</a></li></ol>'
    const ncx =
      '<navPoint><navLabel><text>Chapter one</text></navLabel><content src="text/a%20b.xhtml"/></navPoint>'
    assert.equal(convertEpub(epub({ chapters, nav })).text, '# Chapter one\n\nText.')
    assert.equal(convertEpub(epub({ chapters, ncx })).text, '# Chapter one\n\nText.')
  })

  test('is refused when its chapters are locked, and read when only its fonts are', () => {
    const locks = (part: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${part}"/></CipherData></EncryptedData></encryption>`,
    })
    const chapters = { 'a.xhtml': '<p>Text.</p>' }
    assert.equal(convertEpub(epub({ chapters, more: locks('OEBPS/font.otf') })).text, 'Text.')
    assert.throws(
      () => convertEpub(epub({ chapters, more: locks('OEBPS/text/a.xhtml') })),
      (error) => error instanceof Problem && error.code === 'protected',
    )
  })

  test('is damaged without its package', () => {
    assert.throws(
      () => convertEpub(epub({ chapters: {}, more: { 'META-INF/container.xml': '<container/>' } })),
      (error) => error instanceof Problem && error.code === 'damaged',
    )
    assert.equal(convertEpub(epub({ chapters: {} })).notes[0]?.code, 'no_text')
  })
})
