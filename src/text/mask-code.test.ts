import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maskCode } from './mask-code.js'

describe('code without what is only said in it', () => {
  const cases: [language: string, code: string, masked: string][] = [
    ['typescript', 'eval(x) // eval', 'eval(x)        '],
    ['typescript', "f('eval', `eval`)", "f('    ', `    `)"],
    ['typescript', '/* a\n b */ c', '    \n      c'],
    ['python', "x = '''eval\n''' # eval", "x = '      \n  '       "],
    ['python', 'print("a") # b', 'print(" ")    '],
    ['rust', "fn f<'a>(x: &'a str) { g('c') }", "fn f<'a>(x: &'a str) { g(' ') }"],
    ['sql', "SELECT 'it''s' -- no", "SELECT '     '      "],
    ['go', 's := `eval`', 's := `    `'],
    ['html', '<a><!-- b --></a>', '<a>          </a>'],
  ]
  for (const [language, code, masked] of cases)
    test(`${language}: ${code}`, () => assert.equal(maskCode(code, language), masked))

  test('every character stays on its line, whatever the text', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '"',
        "'",
        '`',
        '//',
        '/*',
        '*/',
        '#',
        '--',
        '\n',
        '\r\n',
        '\\',
        'a',
        ' ',
        '"""',
        '<!--',
      ),
    )
    const languages = fc.constantFrom(
      'typescript',
      'python',
      'sql',
      'rust',
      'go',
      'html',
      'ruby',
      'lua',
      'php',
      null,
    )
    fc.assert(
      fc.property(pieces, languages, (parts, language) => {
        const code = parts.join('')
        const masked = maskCode(code, language)
        assert.equal(masked.length, code.length)
        assert.deepEqual(masked.match(/[\r\n]/g), code.match(/[\r\n]/g))
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  test('a megabyte of openings takes no longer than one of code', () => {
    const before = process.cpuUsage()
    for (const piece of ['/*', '"', "'", '`', '"""', '<!--', '\\"'])
      for (const language of ['typescript', 'python', 'html']) maskCode(piece.repeat(200_000), language)
    assert.ok(process.cpuUsage(before).user < 5_000_000)
  })
})
