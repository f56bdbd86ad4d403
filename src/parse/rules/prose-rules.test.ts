import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAdvice } from './prose-rules.js'

const advice = (section: string, text: string) => readAdvice(`# P\n\n## ${section}\n\n- ${text}\n`)[0]!

/** Whether some code has what the advice is about. */
function finds(text: string, code: string, section = 'Best Practices'): boolean | null {
  const { rule } = advice(section, text)
  if (!rule) return null
  assert.ok(rule.check.kind === 'text')
  return new RegExp(rule.check.pattern, 'm').test(code)
}

describe('advice that names code', () => {
  const forbids: [text: string, bad: string, good: string][] = [
    ['Never call `eval`.', 'eval(x)', 'evaluate(x)'],
    ['Do not use `Math.random()`: it is not secret.', 'Math.random()', 'Math.randomly()'],
    ["Don't throw `Error`.", 'throw new Error(x)', 'throw new DomainError(x)'],
    [
      'You must not return `QueryResult`, a row or a cursor.',
      'Promise<QueryResult>',
      'Promise<QueryResults>',
    ],
    ['Use `randomUUID()` instead of `Math.random()`.', 'Math.random( )', 'randomUUID()'],
    ['Prefer `const` over `var`.', 'var x = 1', 'const variable = 1'],
    ['`System.exit` is forbidden.', 'System.exit(1)', 'System.exitCode'],
    ['Avoid using `any`.', 'x: any', 'company'],
    ['Avoid `any`.', 'x: any', 'company'],
    ['Avoid `debugger` statements.', 'debugger', 'debuggers'],
    ['You should avoid the `eval` function, because it is slow.', 'eval(x)', 'evaluate(x)'],
    ['We avoid `any`, `Function`, and `Object` types.', 'x: any', 'company'],
    ['Never use `new Date()`.', 'new  Date( )', 'new Date(0)'],
    ['**Never** use the `eval` function at all.', 'eval(x)', 'evaluate(x)'],
    ['We do not use `eval` — it is slow.', 'eval(x)', 'evaluate(x)'],
    [
      'Please, you should never call `eval`, because it is slow if the text is long.',
      'eval(x)',
      'evaluate(x)',
    ],
    ['Never use `eval`: it only works if the text is code.', 'eval(x)', 'evaluate(x)'],
    ['All code must not use `eval` or `Function`!', 'eval(x)', 'evaluate(x)'],
    ['Do not use `eval` or `exec`.', 'exec(x)', '/x/.exec(y)'],
    ['Avoid `unwrap()` and `expect()`.', 'x.expect("y")', 'x.expected'],
    ['We avoid `any`, `Function`, and `Object` types.', 'x: Object', 'x: Objects'],
    ['Never use `any`.', 'x as any', 'await Promise.any(all)'],
    ['Never call `.unwrap()`.', 'x.unwrap()', 'fn unwrap()'],
    ['Never return `IQueryable<T>`.', 'IQueryable<Order> all()', 'IQueryables'],
    ["Don't throw `Error`.", 'raise Error(x)', 'class DomainError extends Error {'],
    ['Never throw `new Error()`.', "throw new Error('x')", 'new Error()'],
    ['Throw `DomainError` instead of `Error`.', 'throw new Error(x)', 'x instanceof Error'],
    ['Do not catch `Exception`.', 'catch (IOException | Exception e)', 'throw new Exception(x)'],
    ['Never catch `Exception`.', 'except (KeyError, Exception):', 'except KeyError: raise Exception'],
    ['Never extend `BaseEntity`.', 'class A extends BaseEntity {', 'f(one: BaseEntity)'],
    ['Never extend `BaseEntity`.', 'class A(Other, BaseEntity):', 'class A(val one: BaseEntity)'],
    ['Never extend `BaseEntity`.', 'class A(val x: Int) : B(), BaseEntity', 'val x: BaseEntity'],
    ['`any` must not be used.', 'x: any', 'company'],
    ['Never use `async void`.', 'public async  void F()', 'async Task<void> F()'],
    ['Avoid `export default`.', 'export default class A {}', 'export const byDefault = 1'],
    ['Never use `as any` or `as unknown`.', 'x as unknown', 'x as anyone'],
    ['`console.log` should never be called.', 'console.log(1)', 'console.logs'],
    ['The use of `goto` is prohibited.', 'goto x', 'gotos'],
    ['No `console.log`.', 'console.log(1)', 'console.logs'],
    ['❌ Never use `goto`.', 'goto x', 'gotos'],
    ['Never, ever use `goto`.', 'goto x', 'gotos'],
    ['Instead of `Math.random()`, use `randomUUID()`.', 'Math.random()', 'randomUUID()'],
    ['Use the `Clock` port instead of `Date.now()`.', 'Date.now()', 'Date.nowhere()'],
    ['Use our `httpClient` rather than `fetch`.', 'fetch(x)', 'cache.fetch(x)'],
  ]
  for (const [text, bad, good] of forbids)
    test(text, () => {
      assert.equal(finds(text, bad), true)
      assert.equal(finds(text, good), false)
      const { rule } = advice('Best Practices', text)
      assert.ok(rule!.check.kind === 'text' && !rule!.check.require && rule!.check.codeOnly)
    })

  test('searches directives for tools in comments', () => {
    for (const [text, code] of [
      ['Never use `@ts-ignore`.', '// @ts-ignore: later'],
      ['Avoid `@ts-ignore` comments.', '// @ts-ignore'],
      ['Do not use `# type: ignore`.', 'x = 1  # type:ignore'],
      ['No `eslint-disable`.', '/* eslint-disable */'],
    ] as const) {
      const { rule } = advice('Best Practices', text)
      assert.ok(rule?.check.kind === 'text' && !rule.check.codeOnly, text)
      assert.match(code, new RegExp(rule.check.pattern))
    }
    assert.equal(advice('Best Practices', 'Never use `TODO` comments.').rule, null)
  })

  test('every sentence of a piece of advice is a separate rule', () => {
    const all = readAdvice('## Best Practices\n\n- Never call `eval`. Do not import `vm`. It is slow.\n')
    assert.deepEqual(
      all.map(({ id, rule }) => [id, rule?.id, rule?.check.kind]),
      [
        ['best-practices-1', 'best-practices-1', 'text'],
        ['best-practices-1.2', 'best-practices-1.2', 'import'],
      ],
    )
  })

  test('a required import is an import, and one of several is enough', () => {
    const { rule } = advice('Best Practices', 'You must import `zod` or `valibot`.')
    assert.deepEqual(rule!.check, {
      kind: 'import',
      require: true,
      imports: ['zod', 'valibot'],
      every: false,
    })
    assert.equal(advice('Best Practices', 'You must call `open()` and `close()`.').rule, null)
  })

  test('checks implemented types only in languages that declare them', () => {
    const { languages } = advice('Best Practices', 'Must implement `StorePort`.').rule!
    assert.ok(
      languages.includes('typescript') && !languages.includes('go') && !languages.includes('javascript'),
    )
    assert.ok(!advice('Best Practices', 'Never instantiate `Clock`.').rule!.languages.includes('python'))
  })

  test('"You must" makes a requirement', () => {
    const { rule } = advice('Implementation', 'You must call `authorize()`.')
    assert.ok(rule?.check.kind === 'text' && rule.check.require)
    const type = advice('Best Practices', 'Must implement `StorePort`.').rule!
    assert.ok(type.check.kind === 'text' && type.check.require)
    const pattern = new RegExp(type.check.pattern, 'm')
    for (const code of [
      'class A implements StorePort {',
      'impl StorePort for A',
      'class A(StorePort):',
      'const a: StorePort =',
    ])
      assert.match(code, pattern)
    for (const code of ['class A implements OtherPort {', 'constructor(store: StorePort) {'])
      assert.doesNotMatch(code, pattern)
  })

  test('imports are a matter of imports', () => {
    assert.deepEqual(advice('Best Practices', 'Do not import `lodash`.').rule!.check, {
      kind: 'import',
      require: false,
      imports: ['lodash'],
      every: false,
    })
    assert.equal(advice('Common Pitfalls', 'Importing `pg`, or any other driver.').rule!.severity, 'warning')
  })

  test('"must" makes an error, "should" a warning', () => {
    assert.equal(advice('Best Practices', 'Never call `eval`.').rule!.severity, 'error')
    assert.equal(advice('Best Practices', 'Avoid using `eval`.').rule!.severity, 'warning')
    assert.equal(advice('Common Pitfalls', 'Calling `eval`.').rule!.severity, 'warning')
  })

  test('the remedy for a pitfall is not forbidden', () => {
    const remedies: [pitfall: string, remedy: string][] = [
      ['Importing `pg`, or any other driver, "just for the type".', 'Do not import `pg`.'],
      ['Using `alert`.', 'Do without `alert`.'],
      ['Calling `console.log`.', 'Do without `console.log`.'],
    ]
    for (const [pitfall, remedy] of remedies)
      assert.equal(advice('Common Pitfalls', pitfall).rule!.suggestion, remedy)
  })

  test('leaves a rule that needs judgement to a human', () => {
    for (const text of [
      'Never call `send()` inside a transaction.',
      'Do not use `sleep()` while you hold a lock.',
      'Never use `any` unless a library forces you.',
      'In tests, do not use `sleep()`.',
      '`catch` and carry on.',
      'Respect `Retry-After` when the far side sends it.',
      'Name methods after what is wanted: `dueBefore(time)`, not `select(...)`.',
      'Never use `if`.',
      'Never use `a b c`.',
      'Never use `good enough`.',
      'Keep it simple.',
      '`Repository<T>` with `findAll`.',
      'Never use `Date` objects of the caller; copy them.',
      'Never use `any`, except at the edges.',
      'Never use `any` (only tests may).',
      'Do not use `any`, unless a library forces you: it spreads.',
      'Do not use `sleep()`, when you hold a lock.',
      'Never call `begin()` and forget the rest.',
      'Never call `open()` and `close()` together.',
      'Controllers: never use `Repository`.',
      'Avoid `any` where a type is known.',
      'Avoid `any` unless a library forces you.',
      'Avoid `get`, `set` and `make` in names.',
      'Never use `get`, `set`, or `make` as prefixes.',
      'Avoid `Date` objects of the caller.',
      'Set a timeout to avoid `EBUSY`.',
      'Always use `camelCase`.',
      'Always use `prettier`.',
      'You must use `DateTime.UtcNow`.',
      'You should have a `README.md`.',
      'Always provide an `index.ts`.',
      'Do not import `lodash`; import `lodash/get`.',
      'Never use `Date`; use `Date.now()`.',
      'Use `Date.now()` instead of `Date`.',
      'Never use `any`. In tests it is fine.',
      'Never use `any`. The only exception is third-party types.',
      'Never use `eval` or `==`.',
      'No `Repository` for each class.',
    ])
      assert.equal(advice('Best Practices', text).rule, null, text)
  })

  test('a rule for one kind of code does not apply to all', () => {
    for (const text of [
      'Controllers must not use `Repository`.',
      '**Controllers.** Never use `Repository`.',
      '*Controllers* must not use `Repository`.',
      'Controllers never use `Repository`.',
      'Controllers check their input and do not use `Repository`.',
      'The domain must not import `express`.',
      'Every repository must implement `IRepository`.',
      'A store should extend `BaseStore`.',
      'Each handler must call `authorize()`.',
      'Tests should use `FakeClock`.',
      'Test code must not use `sleep()`.',
      'Code of the domain must not import `pg`.',
      'Code that runs twice must call `reset()`.',
      'Nobody should call `eval()`.',
      'It is rarely right to avoid using `eval`.',
      'Those who must use `eval()` say so.',
      'Controllers should avoid `Repository`.',
    ]) {
      const { rule, reason } = advice('Best Practices', text)
      assert.equal(rule, null, text)
      assert.equal(reason, 'It is about some code only, and a reader has to tell which.', text)
    }
  })

  test('only the three sections are read, down to their subsections', () => {
    const text = [
      '# P',
      'Never call `a1`.',
      '## Best practices',
      '- Never call `b1`.',
      '### More',
      '- Never call `c1`.',
      '## When to use it',
      '- Never call `d1`.',
      '## Implementation',
      'Never call `e1`.',
    ].join('\n\n')
    assert.deepEqual(
      readAdvice(text).map(({ id, line }) => [id, line]),
      [
        ['best-practices-1', 7],
        ['best-practices-2', 11],
        ['implementation-1', 19],
      ],
    )
  })

  test('long and hostile prose is read in no time', () => {
    const before = process.cpuUsage()
    readAdvice(`## Best Practices\n\n- ${'never call '.repeat(20_000)}\`x\`\n- ${'`a` '.repeat(20_000)}\n`)
    readAdvice(
      `## Best Practices\n\n- Never use ${'`ab`, '.repeat(20_000)}\`c\`. ${'Use `ab.c`. '.repeat(9_000)}\n`,
    )
    assert.ok(process.cpuUsage(before).user < 3_000_000)
  })
})
