import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf, isMedia, languageNamed, languageOfScript, officeFormatOf } from './formats.js'

const kind = (path: string) => {
  const found = formatOf(path)
  return found ? [found.format, found.language].filter(Boolean).join(' ') : null
}

for (const [path, expected] of [
  ['a.md', 'markdown'],
  ['DOCS/A.MDX', 'markdown'],
  ['x.qmd', 'markdown'],
  ['a.html', 'html'],
  ['a.xhtml', 'html'],
  ['a.ipynb', 'notebook'],
  ['a.txt', 'text'],
  ['README', 'text'],
  ['LICENSE', 'text'],
  ['v1.2', 'text'],
  ['a.unknown', 'text'],
  ['src/a.ts', 'code typescript'],
  ['src/a.tsx', 'code typescript'],
  ['a.mjs', 'code javascript'],
  ['a.py', 'code python'],
  ['a.h', 'code c'],
  ['a.hpp', 'code cpp'],
  ['a.cs', 'code csharp'],
  ['a.sh', 'code shell'],
  ['Dockerfile', 'code dockerfile'],
  ['deploy/Dockerfile.dev', 'code dockerfile'],
  ['Makefile', 'code makefile'],
  ['CMakeLists.txt', 'code cmake'],
  ['Gemfile', 'code ruby'],
  ['.bashrc', 'code shell'],
  ['package.json', 'data json'],
  ['a.yml', 'data yaml'],
  ['Cargo.toml', 'data toml'],
  ['.editorconfig', 'data ini'],
  ['.gitignore', 'data ignore'],
  ['a.csv', 'csv csv'],
  ['a.png', null],
  ['a.PDF', null],
  ['a.dotm', null],
  ['a.pptm', null],
  ['a.tar.gz', null],
  ['a.svg', null],
  ['dir.png/a', 'text'],
  ['dir\\a.go', 'code go'],
] as const)
  test(`${path} is ${expected ?? 'not read'}`, () => assert.equal(kind(path), expected))

test('languages have one name, however they are called', () => {
  const names = [
    'ts',
    'TypeScript',
    'tsx',
    'py',
    'C++',
    'c#',
    'sh',
    'console',
    'shell-session',
    'golang',
    'yml',
    'Brainfuck',
  ]
  assert.deepEqual(names.map(languageNamed), [
    'typescript',
    'typescript',
    'typescript',
    'python',
    'cpp',
    'csharp',
    'shell',
    'shell',
    'shell',
    'go',
    'yaml',
    'brainfuck',
  ])
})

test('editors and people add versions and more to the name of a language', () => {
  const names: [string, string][] = [
    ['typescriptreact', 'typescript'],
    ['javascriptreact', 'javascript'],
    ['TypeScript (React)', 'typescript'],
    ['ECMAScript', 'javascript'],
    ['ES6', 'javascript'],
    ['python3', 'python'],
    ['Python 3.12', 'python'],
    ['Java 17', 'java'],
    ['C++17', 'cpp'],
    ['c99', 'c'],
    ['PHP 8', 'php'],
    ['HTML5', 'html'],
    ['C-Sharp', 'csharp'],
    ['c sharp', 'csharp'],
    ['F-Sharp', 'fsharp'],
    ['VB.NET', 'vb'],
    ['Visual Basic', 'vb'],
    ['Objective C', 'objectivec'],
    ['plpgsql', 'sql'],
    ['T-SQL', 'sql'],
    ['vue3', 'vue'],
    ['jinja2', 'jinja'],
    ['proto3', 'protobuf'],
    ['lang 9', 'lang 9'],
  ]
  for (const [written, name] of names) assert.equal(languageNamed(written), name, written)
})

test('a script is known by its first line', () => {
  assert.equal(languageOfScript('#!/usr/bin/env python3.11\nx'), 'python')
  assert.equal(languageOfScript('#!/bin/bash -e\nx'), 'shell')
  assert.equal(languageOfScript('#!/usr/bin/env -S node --no-warnings\n'), 'javascript')
  assert.equal(languageOfScript('#!/opt/odd\n'), null)
  assert.equal(languageOfScript('# text'), null)
})

test('pictures, sound and film are media; documents are not', () => {
  assert.deepEqual(['a.png', 'b.MP4', 'c.md', 'd', 'e.pdf'].map(isMedia), [true, true, false, false, false])
})

for (const [path, expected] of [
  ['a.PDF', 'pdf'],
  ['folder/a.dotm', 'docx'],
  ['a.tsv', 'csv'],
  ['a.epub', 'epub'],
  ['a.md', null],
  ['a.pdf/b', null],
  ['pdf', null],
] as const)
  test(`${path} is ${expected === null ? 'not converted' : `converted as ${expected}`}`, () =>
    assert.equal(officeFormatOf(path), expected))
