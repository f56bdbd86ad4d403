// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are in the code that is masked.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maskCode } from './mask-code.js'

describe('masking comments and strings', () => {
  const cases: [language: string, code: string, masked: string | null][] = [
    ['typescript', 'eval(x) // eval', 'eval(x)        '],
    ['typescript', "f('eval', `eval`)", "f('    ', `    `)"],
    ['typescript', '/* a\n b */ c', '    \n      c'],
    ['python', "x = '''eval\n''' # eval", "x = '''    \n'''       "],
    ['python', 'print("a") # b', 'print(" ")    '],
    ['rust', "fn f<'a>(x: &'a str) { g('c') }", "fn f<'a>(x: &'a str) { g(' ') }"],
    ['go', 's := `eval`', 's := `    `'],
    ['html', '<a><!-- b --></a>', '<a>          </a>'],
    // Regular expressions, and what only looks like one.
    ['typescript', 'x = /`/g\nreturn eval(x) // `', 'x = / /g\nreturn eval(x)     '],
    ['typescript', '/[/*]/; eval(y)', '/    /; eval(y)'],
    ['typescript', '/https?:\\/\\//.test(y) && eval(y)', '/           /.test(y) && eval(y)'],
    ['typescript', 'if (a) /"/.test(eval(b))', 'if (a) / /.test(eval(b))'],
    ['typescript', '(a) / eval("x") / b', '(a) / eval(" ") / b'],
    ['typescript', 'a[0] / eval(x) / 2 + x++ / f(1) / x! / g(2) / .5', null],
    ['typescript', 'x.return / eval(x) / of.y', null],
    ['typescript', 'return /"/', 'return / /'],
    ['typescript', 'f(a)\n{}\n/"/.test(b)', 'f(a)\n{}\n/ /.test(b)'],
    ['typescript', 'x = <p><b>{a}/{eval(x)}</b><A b={c}\n/><b d={e(1)} /></p>', null],
    ['tsx', "<p>don't {eval(x)} {name}'s</p>{f('y')}", "<p>don't {eval(x)} {name}'s</p>{f(' ')}"],
    ['typescript', "case'a':return'b'+html`c`", "case' ':return' '+html` `"],
    // Code in strings.
    ['typescript', 'a = `x ${eval(y)} z`', 'a = `  ${eval(y)}  `'],
    ['typescript', '`${f({ a: `}${g("}")}` })}b` + c', '`${f({ a: ` ${g(" ")}` })} ` + c'],
    ['typescript', '`\\${a}${/`/.test(b)}`', '`     ${/ /.test(b)}`'],
    ['python', 'print(f"a {eval(x)} b")', 'print(f"  {eval(x)}  ")'],
    ['python', "rf'{{a}} {b:>{c(1)}} d' # {e}", "rf'      {b  {c(1)}}  '      "],
    ['python', 'f"{a:\'>9}" + eval(b)', 'f"{a    }" + eval(b)'],
    ['python', "f'''{d['k'][1:2]!r}\n{x}''' + '{y}'", "f'''{d[' '][1:2]!r}\n{x}''' + '   '"],
    ['csharp', '$"a {eval(b):0.0} {{c}}" + @"\\" + d', '$"  {eval(b)    }      " + @" " + d'],
    ['ruby', '"a #{eval(b)}" # c', '"  #{eval(b)}"    '],
    ['shell', 'a="b $(eval c)"', 'a="  $(eval c)"'],
    ['php', '"a {$b->c()}"', '"  {$b->c()}"'],
    ['go', 's := `a\\` + f()', 's := `  ` + f()'],
    // What each language has of its own.
    ['java', 'a = """\n "x" b\n""".f(eval(c))', 'a = """\n      \n""".f(eval(c))'],
    ['cpp', 'a = R"(say "hi)"; eval(b)', 'a = R"(       )"; eval(b)'],
    ['cpp', 'a = u8R"x(")")x" + f() // b \\\n c', 'a = u8R"x(   )x" + f()       \n  '],
    ['rust', '/* a /* b */ c */ f(r#"d"e"#, "\n\\"g")', '                  f(r#"   "#, "\n   ")'],
    ['shell', '[ $# -gt 0 ] && eval "$1" # a', '[ $# -gt 0 ] && eval "$1"    '],
    ['shell', "n=${#a[@]}; echo a#b it\\'s; eval x", null],
    ['shell', "a 'b\\'; c $'d\\'e'; awk '\nf\n' g", "a '  '; c $'    '; awk '\n \n' g"],
    ['shell', "cat <<EOF | eval x\n it's $(y)\nEOF\neval z", 'cat <<EOF | eval x\n      $(y)\nEOF\neval z'],
    ['shell', 'x="$(cat <<-\'E\'\n$(a)"\n\tE\n)"; eval b', 'x="$(cat <<-\'E\'\n     \n E\n)"; eval b'],
    ['shell', 'a=$((1<<n)); cat <<<x; eval b', null],
    ['ruby', '=begin\na\n=end\nb', '      \n \n    \nb'],
    ['ruby', "x = %q(it's (a)) + ?' + %Q[b #{c}]", 'x = %q(        ) +    + %Q[  #{c}]'],
    ['ruby', 'f(<<~A, <<~B) # c\n a\n A\n #{b}\nB\nc', 'f(<<~A, <<~B)    \n  \n A\n #{b}\nB\nc'],
    ['php', "<p>don't</p><?php // a ?><?php eval($b); # c", "<p>don't</p><?php      ?><?php eval($b);    "],
    ['php', "$a = <<<'E'\nit's\nE;\n#[B] eval('\n');", "$a = <<<'E'\n    \nE;\n#[B] eval('\n');"],
    ['vue', '<p>don\'t</p><!-- a --><script>// b\nc("d")', '<p>don\'t</p>          <script>    \nc(" ")'],
    ['css', 'a { b: url(//c) } /* d */', 'a { b: url(//c) }        '],
    ['tsx', '<p>see https://a.b/{eval(c)}</p> // d', '<p>see https://a.b/{eval(c)}</p>     '],
    ['tsx', '<p>`</p>\neval(a)', null],
    ['tsx', '<p>a ` b</p>\neval(a)', null],
    ['tsx', 'styled.div<A>`b\n c`; f(d as `e`)', 'styled.div<A>` \n  `; f(d as ` `)'],
  ]
  for (const [language, code, masked] of cases)
    test(`${language}: ${code}`, async () =>
      assert.equal(await maskCode(code, language, null), masked ?? code))

  test('every character stays on its line, whatever the text', async () => {
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
        '/',
        '[',
        '{',
        '}',
        '${',
        'f"',
        ':',
        '<<A',
        'A',
        '{-',
        '#|',
        'R"(',
        '<script>',
        '<?php',
        '?>',
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
      'shell',
      'cpp',
      'haskell',
      'vue',
      'lisp',
      null,
    )
    await fc.assert(
      fc.asyncProperty(pieces, languages, async (parts, language) => {
        const code = parts.join('')
        const masked = await maskCode(code, language, null)
        if (masked === null) return
        assert.equal(masked.length, code.length)
        assert.deepEqual(masked.match(/[\r\n]/g), code.match(/[\r\n]/g))
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  test('gives null for a language without a grammar', async () => {
    for (const language of ['sql', 'kotlin', 'swift', 'yaml', 'nothing', null])
      assert.equal(await maskCode('a // b', language, null), null)
  })

  test('gives up a hostile text when the parser takes too long', async () => {
    for (const [language, piece] of [
      ['typescript', '`${'],
      ['python', 'f"{a:'],
      ['ruby', '%q('],
      ['html', '<script'],
    ] as const) {
      const before = process.cpuUsage()
      await maskCode(piece.repeat(30_000), language, null)
      assert.ok(process.cpuUsage(before).user < 10_000_000, language)
    }
  })
})
