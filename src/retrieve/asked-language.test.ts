import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredChunk } from '../model/document.js'
import { askedLanguage } from './asked-language.js'

test('a language is asked for by its name before or behind a question', () => {
  const rests: [string, string | null][] = [
    ['python check if a string is a number', 'check if a string is a number'],
    ['Python list files recursively', 'list files recursively'],
    ['reverse a slice in golang', 'reverse a slice'],
    ['how to read a file line by line using nodejs?', 'how to read a file line by line'],
    ['java read a file line by line', null],
    ['python how to reverse a list', 'how to reverse a list'],
    ['how does the python plugin sync', null],
    ['why is the backend not written in Python', null],
    ['TypeScript for the HTTP API', null],
    ['python', null],
    ['python errors', null],
    ['remove the javascript', null],
    ['python.util.List add', null],
    ['python-client retries and limits', null],
  ]
  for (const [question, rest] of rests) assert.equal(askedLanguage(question)?.rest ?? null, rest, question)
})

test('code is of a language, and prose is of none', () => {
  const chunk = (kind: StoredChunk['kind'], language: string | null) => ({ kind, language }) as StoredChunk
  const { isOf } = askedLanguage('javascript sort a list')!
  assert.deepEqual(
    [chunk('code', 'javascript'), chunk('code', 'typescript'), chunk('code', 'go'), chunk('prose', null)].map(
      isOf,
    ),
    [true, true, false, null],
  )
})
