import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from './detect-language.js'

const samples: [language: string | null, code: string][] = [
  ['typescript', 'export interface A { b: string }\nexport const f = (x: number): string => String(x)'],
  ['javascript', 'const f = (x) => x + 1\nmodule.exports = { f }'],
  ['python', 'import os\n\ndef f(x):\n    return os.getenv(x)\n'],
  ['go', 'package main\n\nfunc main() {\n\tx := 1\n\tif err != nil { panic(err) }\n}'],
  [
    'rust',
    'use std::io;\n\nfn main() -> Result<(), io::Error> {\n    let mut x = 1;\n    println!("{}", x);\n    Ok(())\n}',
  ],
  [
    'java',
    'package a.b;\nimport java.util.List;\npublic class A {\n  @Override public void f() { System.out.println("x"); }\n}',
  ],
  ['sql', 'SELECT a, b FROM c WHERE d = 1;'],
  ['ruby', "require 'x'\n\ndef f(a)\n  puts a\nend\n"],
  ['php', '<?php\n$x = 1;\nfunction f($y) { return $y; }'],
  ['kotlin', 'fun main() {\n    val x = 1\n    when (x) { 1 -> println() }\n}'],
  ['csharp', 'using System;\nnamespace A { class B { public async Task F() { Console.WriteLine("x"); } } }'],
  ['html', '<!doctype html>\n<html><body></body></html>'],
  ['shell', '#!/usr/bin/env bash\nset -e\n'],
  [null, 'hello there'],
  [null, ''],
]
for (const [language, code] of samples)
  test(`${language ?? 'nothing'}: ${code.slice(0, 30).replaceAll('\n', ' ')}`, () => {
    assert.equal(detectLanguage(code), language)
  })

test('ambiguous code counts as the language that rules are written for', () => {
  assert.equal(detectLanguage('const x = await load()\n', ['typescript']), 'typescript')
  assert.equal(detectLanguage('const x = await load()\n', ['javascript', 'typescript']), 'javascript')
})

test('looks at the beginning only, in no time', () => {
  const before = process.cpuUsage()
  detectLanguage('try { '.repeat(200_000))
  detectLanguage('a '.repeat(500_000))
  detectLanguage('x:'.repeat(500_000))
  detectLanguage(`x${'\n'.repeat(500_000)}`)
  detectLanguage(`x${' '.repeat(500_000)}`)
  for (const word of ['import', 'function', 'class x', 'def x', 'const x'])
    for (const blank of [' ', '\t', '\n', ' \n']) detectLanguage(`${word}${blank.repeat(20_000)}!`)
  assert.ok(process.cpuUsage(before).user < 3_000_000)
})
