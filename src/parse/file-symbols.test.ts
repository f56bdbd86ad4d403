import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileSymbols } from './file-symbols.js'

function check(title: string, path: string, text: string, expected: string[]) {
  test(title, async () => {
    const { symbols } = await fileSymbols(path, text)
    assert.deepEqual(
      symbols.map(({ kind, qualified, line, endLine }) => `${line}-${endLine} ${kind} ${qualified}`),
      expected,
    )
  })
}

describe('members and keys are addresses', () => {
  check(
    'in Python: class attributes, keys of dictionaries and namespaces, with the comment above',
    'a.py',
    'CACHE = {\n    # ten minutes\n    "TTL": 600,\n}\nSTATES = Namespace(\n    DONE="done",\n)\nclass Color:\n    RED = 1\n',
    [
      '1-4 constant CACHE',
      '2-3 key CACHE.TTL',
      '5-7 constant STATES',
      '6-6 key STATES.DONE',
      '8-9 class Color',
      '9-9 attribute Color.RED',
    ],
  )
  check(
    'in TypeScript: enum members, fields, keys of objects',
    'a.ts',
    "export enum K { A, B }\nexport const conf = {\n  plain: 1,\n  'b-c': 2,\n}\n",
    [
      '1-1 enum K',
      '1-1 member K.A',
      '1-1 member K.B',
      '2-5 constant conf',
      '3-3 key conf.plain',
      '4-4 key conf.b-c',
    ],
  )
  check('in Ruby: accessors', 'a.rb', 'class C\n  attr_reader :name, :age\nend\n', [
    '1-3 class C',
    '2-2 attribute C.name',
    '2-2 attribute C.age',
  ])
  check('in JSON', 'a.json', '{\n  "deep": {\n    "a key": 1,\n    "list": [\n      1\n    ]\n  }\n}\n', [
    '2-7 key deep',
    '3-3 key deep.a key',
    '4-6 key deep.list',
  ])
  check('in YAML', 'a.yaml', 'mail:\n  # three\n  retries: 3\njobs:\n  - name: a\n', [
    '1-3 key mail',
    '2-3 key mail.retries',
    '4-5 key jobs',
    '5-5 key jobs.name',
  ])
  check('in TOML', 'a.toml', 'title = "x"\n[server]\n# how long\ntimeout = 30\n', [
    '1-1 key title',
    '2-4 table server',
    '3-4 key server.timeout',
  ])
  check('in an environment file', '.env.example', '# port\nexport PORT=80\n', ['1-2 key PORT'])
})

describe('languages without a grammar go by the look of their lines', () => {
  check('Lua', 'a.lua', '-- five\nM.limit = 5\nfunction M.go(x)\n  local y = 1\n  return y\nend\n', [
    '1-2 variable M.limit',
    '3-6 function M.go',
  ])
  check(
    'Kotlin',
    'a.kt',
    'class K {\n  fun go(): Int {\n    val y = 1\n    return y\n  }\n}\nenum class E { A }\n',
    ['1-6 class K', '2-5 fun K.go', '7-7 class E'],
  )
  check('Swift', 'a.swift', 'struct S {\n  let a: Int\n  func go() {\n    let b = 1\n  }\n}\n', [
    '1-6 struct S',
    '2-2 let S.a',
    '3-5 func S.go',
  ])
  check(
    'Dart',
    'a.dart',
    'class A {\n  void go(int x) {\n    if (x > 1) {\n      print(x);\n    }\n  }\n}\n',
    ['1-7 class A', '2-6 function A.go'],
  )
  check('Elixir', 'a.ex', 'defmodule A.B do\n  def go(x) do\n    x\n  end\nend\n', [
    '1-5 defmodule A.B',
    '2-4 def A.B.go',
  ])
  check('Terraform', 'a.tf', 'resource "aws_bucket" "logs" {\n  name = "a"\n}\n', [
    '1-3 resource aws_bucket.logs',
  ])
  check('SQL', 'a.sql', 'CREATE TABLE IF NOT EXISTS users (\n  id INT\n);\n', ['1-3 table users'])
  check('a makefile', 'Makefile', 'VERSION := 1\n# all of it\nbuild: deps\n\tgo build\n', [
    '1-1 variable VERSION',
    '2-4 rule build',
  ])
  check(
    'named templates of Helm, with the comment above and blocks inside',
    'templates/_helpers.tpl',
    '{{/*\nLabels.\n*/}}\n{{- define "chart.labels" -}}\n{{- if .Values.a }}\na: 1\n{{- end }}\n{{- end -}}\n{{ define "secret" }}\n{{ end }}\n',
    ['1-8 template chart.labels', '9-10 template secret'],
  )
})
