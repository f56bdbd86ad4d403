import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../model/problem.js'
import { parse } from './parse.js'

const read = (path: string, text: string | Uint8Array) =>
  parse({ path, bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text })

describe('a file is read in its format', () => {
  const check = (
    path: string,
    text: string,
    format: string,
    language: string | null,
    title: string | null = null,
  ) =>
    test(path, async () => {
      const parsed = await read(path, text)
      assert.deepEqual([parsed.format, parsed.language, parsed.title], [format, language, title])
    })
  check('a.md', '# T', 'markdown', null, 'T')
  check('a.mdx', '<A>\n# T\n</A>', 'markdown', null, 'T')
  check('a.html', '<h1>T</h1>', 'html', null, 'T')
  check('a.txt', '# T', 'text', null)
  check('a.rst', '===\nT\n===\n', 'text', null, 'T')
  check('a.ts', 'const a = 1', 'code', 'typescript')
  check('run', '#!/bin/sh\necho', 'code', 'shell')
  check('NOTES', 'text', 'text', null)
  check('a.json', '{}', 'data', 'json')
  check('a.csv', 'a,b', 'csv', 'csv')
  check('a.ipynb', '{"cells":[]}', 'notebook', null)
  for (const path of ['e.md', 'e.html', 'e.txt', 'e.ts', 'e.json', 'e.ipynb']) {
    test(`${path} may be empty`, async () => assert.equal((await read(path, '')).text, ''))
  }
})

test('a file that is not text is a problem with a code', async () => {
  const code = (expected: string) => (error: unknown) => error instanceof Problem && error.code === expected
  await assert.rejects(read('a.png', 'x'), code('unsupported'))
  await assert.rejects(read('a.md', Uint8Array.of(1, 0, 2)), code('binary'))
})

test('a guessed encoding is the first note', async () => {
  const { text, notes } = await read('a.md', Uint8Array.of(0x23, 0x20, 0xe9))
  assert.equal(text, '# é')
  assert.deepEqual(
    notes.map((note) => note.code),
    ['encoding_guessed'],
  )
})

test('a page is decoded as it declares', async () => {
  const page = Buffer.concat([
    Buffer.from('<meta charset="shift_jis"><p>'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
  ])
  assert.equal((await read('a.html', page)).text, '日本')
})

const outline = async (path: string, text: string) =>
  (await read(path, text)).sections.map((s) => `${s.line}-${s.endLine} ${'#'.repeat(s.level)} ${s.text}`)

test('plain-text markups have sections', async () => {
  assert.deepEqual(await outline('a.rst', 'Top\n===\n\nx\n\nSub\n---\n\n::\n\n  No\n  --\n\nEnd\n===\n'), [
    '1-13 # Top',
    '6-13 ## Sub',
    '14-15 # End',
  ])
  assert.deepEqual(await outline('a.adoc', '= Top\n\n== Sub\n\n----\n== no\n----\n'), [
    '1-7 # Top',
    '3-7 ## Sub',
  ])
  assert.deepEqual(await outline('a.org', '* Top\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n** Sub\n'), [
    '1-5 # Top',
    '5-5 ## Sub',
  ])
  assert.deepEqual(await outline('a.txt', 'Top\n===\n'), [])
})

test('reStructuredText in a .txt file has sections', async () => {
  const body = '\nx\n\nSub\n---\n'
  const sections = ['1-7 # Top', '6-7 ## Sub']
  const check = async (opening: string, expected: string[]) =>
    assert.deepEqual(await outline('docs/topics/db.txt', `Top\n===\n${opening}${body}`), expected)
  await check('.. note:: Read this.', sections)
  await check('.. _queries:', sections)
  await check('.. currentmodule:: django.db', sections)
  await check('See :ref:`queries`.', sections)
  await check('See :py:class:`Field`.', sections)
  await check('See "a:b:`c`".', [])
  await check('.. and so on', [])
  await check('Plain text.', [])
  assert.equal((await read('db.txt', '===\nTop\n===\n\n.. module:: db\n')).title, 'Top')
})

test('AsciiDoc has titles with a line below, and blocks that end where they were opened', async () => {
  const manual =
    'add(1)\n======\n\nNAME\n----\nadd\n\n----\n== no\n-----\n== no\n----\n\n[[o]]\nOptions\n~~~~~~~\n'
  assert.deepEqual(await outline('a.adoc', manual), ['1-16 # add(1)', '4-16 ## NAME', '15-16 ### Options'])
  assert.equal((await read('a.adoc', manual)).title, 'add(1)')
  const text =
    '== Set up ==\n\n++++\n== no\n++++\n\n[abc]\n----\n== no\n----\n\n=== Sub [[x]]\n\n## Old\n\n....\nopen\n\n== End\n'
  assert.deepEqual(await outline('a.asciidoc', text), [
    '1-13 ## Set up',
    '12-13 ### Sub',
    '14-18 ## Old',
    '19-19 ## End',
  ])
})

test('reStructuredText has titles that are short, tight, or longer than their line', async () => {
  const text =
    '.. _top:\nGo\n==\nC#\n--\nx\nno\n--\n\nTwo\n---\nThree\n---\n\nA longer title\n-----\n\nno\n-\n'
  assert.deepEqual(await outline('a.rst', text), [
    '2-19 # Go',
    '4-9 ## C#',
    '10-14 ## Two',
    '15-19 ## A longer title',
  ])
})

test('Org has a title, and headings without their tags', async () => {
  const text =
    '#+TITLE: Notes\n* DONE Milk    :errand:home:\n#+begin_quote\n#+begin_src sh\n* no\n#+end_src\n#+end_quote\n#+begin_example\n* Last\n'
  assert.deepEqual(await outline('a.org', text), ['2-8 # DONE Milk', '9-9 # Last'])
  assert.equal((await read('a.org', text)).title, 'Notes')
  assert.equal((await read('a.org', '#+title: Bare\n\ntext')).title, 'Bare')
})

test('a notebook is its text and its code, without results', async () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Title\n', 'text'] },
    { cell_type: 'code', source: 'x = """\n```\n"""', outputs: [{ text: 'secret' }] },
    { cell_type: 'code', source: '' },
    null,
  ]
  const parsed = await read(
    'a.ipynb',
    JSON.stringify({ cells, metadata: { kernelspec: { language: 'Python' } } }),
  )
  assert.equal(parsed.text, '# Title\ntext\n\n````python\nx = """\n```\n"""\n````')
  assert.deepEqual([parsed.title, parsed.language, parsed.metadata.cells], ['Title', 'python', 4])
  const broken = await read('a.ipynb', '{"cells": [')
  assert.deepEqual([broken.text, broken.notes[0]?.code], ['{"cells": [', 'notebook_broken'])
})

test('a notebook of an older version is its text and its code, too', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: ['Ferries'] },
    { cell_type: 'code', language: 'python', input: ['a = 1\n', 'b = 2'], outputs: [] },
    { cell_type: 'markdown', source: 'Done.' },
  ]
  const older = JSON.stringify({ nbformat: 3, metadata: {}, worksheets: [{ cells }, {}] })
  const { text, language, notes } = await read('a.ipynb', older)
  assert.equal(text, '## Ferries\n\n```python\na = 1\nb = 2\n```\n\nDone.')
  assert.deepEqual([language, notes], ['python', []])
})

test('an unclosed fence or comment in a notebook ends with its cell', async () => {
  const open = [
    '```sh\nls',
    '~~~~\n~~~',
    '<!-- to do',
    '<pre>\nx',
    '<?php',
    '- a\n  ```\n  b',
    '```',
    '```\n    ```',
  ]
  const closed = [
    '```sh\nls\n```',
    '<!-- done -->',
    '<pre>x</pre>',
    '`` ` ``',
    'a <!-- b',
    '<preface>',
    '```\n\n````',
  ]
  for (const source of [...open, ...closed]) {
    const cells = [source, '## Next', 'words'].map((text) => ({ cell_type: 'markdown', source: text }))
    const { text, sections, blocks } = await read('a.ipynb', JSON.stringify({ cells }))
    assert.deepEqual(
      sections.map((section) => section.text),
      ['Next'],
      text,
    )
    assert.equal(blocks.at(-1)?.kind, 'paragraph', text)
    if (closed.includes(source)) assert.equal(text, `${source}\n\n## Next\n\nwords`)
  }
})

test('data has its outermost keys as names', async () => {
  const names = async (path: string, text: string) =>
    (await read(path, text)).declarations.map((d) => `${d.line}-${d.endLine} ${d.name}`)
  assert.deepEqual(await names('a.json', '{\n  "a": {\n    "b": 1\n  },\n  "c d": 2\n}\n'), [
    '2-4 a',
    '5-6 c d',
  ])
  assert.deepEqual(await names('a.yaml', 'a:\n  b: 1\n# x: y\nc d: 2\n- e: f\n'), ['1-3 a', '4-5 c d'])
  assert.deepEqual(await names('a.toml', 'x = 1\n[a.b]\ny = 2\n[[c]]\n'), ['1-1 x', '2-3 a.b', '4-4 c'])
  assert.deepEqual(await names('a.ini', 'x=1\n[s t]\ny=2\n'), ['2-3 s t'])
  assert.deepEqual(await names('a.json', '{"a":1}'), [])
})
