import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageTask } from './page-task.js'
import { readPage } from './read-page.js'

describe('a page is read', () => {
  const check = (what: string, html: string | Uint8Array, told: Partial<PageTask>, text: string) =>
    test(what, async () => assert.equal((await read(html, told)).text, text))

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
})

/** An even number of bytes, so that they could be UTF-16. */
function sixteen(text: string): string {
  return `<html><meta http-equiv="content-type" content="text/html; charset=utf-16"><p>${text}</p>`.padEnd(
    101,
  )
}

async function read(html: string | Uint8Array, told: Partial<PageTask>) {
  const reading = await readPage(
    {
      ...{ source: 's', url: 'http://a.test/', site: 'http://a.test', bytes: Buffer.from(html as string) },
      ...{ type: 'text/html', charset: null, robots: [], canonical: null, fetchedAt: 0, details: {} },
      ...told,
    },
    1_000_000,
  )
  return { ...reading, text: Buffer.from(reading.kept!).toString() }
}
