import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImportLanguage } from '../../model/imports.js'
import { importMatcher, layerOf } from './imports.js'

describe('a package with everything below it, as its language writes it', () => {
  const cases: [language: ImportLanguage, wanted: string, yes: string[], no: string[]][] = [
    [
      'script',
      'lodash',
      ['lodash', 'lodash/fp', 'npm:lodash'],
      ['lodash.get', 'lodash-es', 'lodash.get/x', 'lodash:x', 'lodash::x', '@types/lodash'],
    ],
    ['script', '@scope/a', ['@scope/a', '@scope/a/b.js'], ['@scope/a.b', '@scope/ab', '@scope']],
    ['script', 'chart.js', ['chart.js', 'chart.js/auto'], ['chart', 'chart.jsx', 'chart.ts']],
    ['script', 'chart', ['chart'], ['chart.js']],
    ['script', 'lodash/fp', ['lodash/fp.js', 'lodash/fp/add'], ['lodash/fp.add.js', 'lodash/fps']],
    ['script', 'lodash/fp.js', ['lodash/fp', 'lodash/fp.js'], ['lodash/fp/add', 'lodash']],
    ['script', 'fs', ['node:fs', 'fs/promises', 'node:fs/promises'], ['fs.extra', 'fs-extra']],
    ['python', 'requests', ['requests', 'requests.auth'], ['requests_toolbelt', 'requests/auth']],
    ['java', 'org.junit', ['org.junit.Test', 'org.junit.*'], ['org.junitx.Test', 'org.junit5']],
    ['rust', 'serde', ['serde::de', 'serde'], ['serde_json', 'serde.x']],
    ['go', 'github.com/x/y', ['github.com/x/y/z'], ['github.com/x/y.z', 'github.com/x/yz']],
    ['c', 'boost/asio', ['boost/asio.hpp', 'boost/asio/ip.hpp'], ['boost/asio.detail.hpp']],
    ['c', 'stdio', ['stdio.h'], ['stdio_ext.h']],
  ]
  for (const [language, wanted, yes, no] of cases)
    test(`${wanted} in ${language}`, () => {
      const is = importMatcher([wanted], { paths: [] })
      for (const specifier of [...yes, ...no])
        assert.equal(is({ specifier, language, line: 1, paths: [] }), yes.includes(specifier), specifier)
    })

  test('the imported names of a Python module count with it', () => {
    const one = { specifier: 'os', names: ['path', 'sep'], language: 'python' as const, line: 1, paths: [] }
    assert.equal(importMatcher(['os.path'], { paths: [] })(one), true)
    assert.equal(importMatcher(['os.environ'], { paths: [] })(one), false)
    assert.equal(importMatcher(['path'], { paths: [] })(one), false)
  })
})

describe('a place of the project with everything below it', () => {
  test('is a folder, or a file with an ending that code has', () => {
    const is = (path: string) =>
      importMatcher(['src/app'], { paths: [] })({
        specifier: 'x',
        language: 'script',
        line: 1,
        paths: [path],
      })
    for (const path of ['src/app', 'src/app/x.ts', 'src/app.ts', 'src/app.d.ts', 'src/app.py'])
      assert.equal(is(path), true, path)
    for (const path of ['src/app.config', 'src/app.config.ts', 'src/app.old/x.ts', 'src/apps', 'src/app:x'])
      assert.equal(is(path), false, path)
  })

  const relative: [from: string, file: string, led: string, is: boolean][] = [
    ['src/domain', 'src/domain/deep/a.ts', 'src/infra/db.ts', true],
    ['src/domain/**/*.ts', 'src/domain/deep/a.ts', 'src/infra/db.ts', true],
    ['src/domain/a.ts', 'src/domain/a.ts', 'src/infra/db.ts', true],
    ['**/domain/**', 'apps/web/src/domain/deep/a.ts', 'apps/web/src/infra/db.ts', true],
    ['**/domain/**', 'apps/web/src/domain/deep/a.ts', 'apps/web/src/domain/infra/db.ts', false],
    ['**/domain', 'domain/a.ts', 'infra/db.ts', true],
    ['apps/*/src/domain', 'apps/web/src/domain/a.ts', 'apps/web/src/infra/db.ts', true],
    ['apps/*/src/domain', 'apps/web/src/domain/a.ts', 'apps/api/src/infra/db.ts', false],
    ['packages/*/**', 'packages/a/x.ts', 'packages/infra/db.ts', true],
    ['src/{domain,core}/**', 'src/core/x.ts', 'src/infra/db.ts', true],
  ]
  for (const [from, file, led, expected] of relative)
    test(`../infra seen from ${from} in ${file} is ${expected ? '' : 'not '}${led}`, () => {
      const one = { specifier: 'x', language: 'script' as const, line: 1, paths: [led] }
      assert.equal(importMatcher(['../infra'], { paths: [from] }, file)(one), expected)
    })

  test('a relative name of a rule about files anywhere is what is written there', () => {
    const is = importMatcher(['./internal'], { paths: ['**/*.ts'] }, 'src/a.ts')
    const one = { language: 'script' as const, line: 1, paths: ['src/internal'] }
    assert.equal(is({ ...one, specifier: './internal' }), true)
    assert.equal(is({ ...one, specifier: '../src/internal' }), false)
  })

  test('a layer has no neighbours whose names begin like its own', () => {
    const layers = [
      { name: 'ui', paths: ['src/ui'] },
      { name: 'core', paths: ['src/core'] },
    ]
    assert.equal(layerOf(layers, 'src/core.legacy/a.ts'), -1)
    assert.equal(layerOf(layers, 'src/core/a.ts'), 1)
    assert.equal(layerOf(layers, 'src/core.ts'), 1)
  })
})
