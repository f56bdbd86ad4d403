import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageTask } from './page-task.js'
import { readPage } from './read-page.js'

describe('a page is read', () => {
  const check = (what: string, html: string | Uint8Array, task: Partial<PageTask>, text: string) =>
    test(what, async () => assert.equal((await read(html, task)).text, text))

  check('as UTF-8 when it says UTF-16 in letters of one byte', sixteen('Zébra'), {}, 'Zébra')
  check(
    'as UTF-16 when the server says so',
    Buffer.from('<p>Zébra</p>', 'utf16le'),
    { charset: 'utf-16le' },
    'Zébra',
  )
  check(
    'as Windows-1252 when it can be nothing else',
    Buffer.from(`${sixteen('Zébra')} `, 'latin1'),
    {},
    'Zébra',
  )

  for (const tag of [
    'script src="a.js"',
    'iframe src="/x"',
    'textarea name="q"',
    'title',
    'a id="top"',
    'div',
  ])
    check(
      `to its end when it is XML with <${tag}/>`,
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><${tag}/><p>Words<br/>here</p></body></html>`,
      { type: 'application/xhtml+xml' },
      'Words  \nhere',
    )
})

test('a page says that it is missing when its title says that and no more', async () => {
  const titles = async (titles: string[], isMissing: boolean) => {
    for (const title of titles) {
      const { missing } = await read(`<title>${title}</title><p>Some words.</p>`, {})
      assert.equal(missing, isMissing, title)
    }
  }
  await titles(
    [
      ...[
        '404',
        'Error 404',
        '404 Not Found',
        '404 - Example',
        '404: This page could not be found.',
        '404 error',
      ],
      ...[
        'Page not found',
        'Page Not Found | Example',
        'Not found!',
        'Page not found (404)',
        'File could not be found',
      ],
      ...[
        'Page not found: Example',
        '404 Page',
        '404 Page not found',
        'Nothing found',
        'Nothing found for “xyz”',
      ],
      ...['Seite nicht gefunden – Beispiel', '¡404!', 'Not Found: /guide'],
    ],
    true,
  )
  await titles(
    [
      ...['File not found when importing modules', 'Nothing found in search results', '404 errors in nginx'],
      ...[
        '404 not working after an update',
        '404 pages: how to make one',
        'Not found in the index: what to do',
      ],
      ...[
        'Page not found: how to fix it',
        '404 page design',
        'Errors: 404',
        '404-based routing',
        '404/410 redirects',
        'Not founded on facts',
      ],
    ],
    false,
  )
})

/** An even number of bytes, so that they could be UTF-16. */
function sixteen(text: string): string {
  return `<html><meta http-equiv="content-type" content="text/html; charset=utf-16"><p>${text}</p>`.padEnd(
    101,
  )
}

async function read(html: string | Uint8Array, task: Partial<PageTask>) {
  const reading = await readPage(
    {
      ...{ source: 's', url: 'http://a.test/', site: 'http://a.test', bytes: Buffer.from(html as string) },
      ...{ type: 'text/html', charset: null, robots: [], canonical: null, fetchedAt: 0, details: {} },
      ...task,
    },
    1_000_000,
  )
  return { ...reading, text: Buffer.from(reading.textBytes!).toString() }
}
