// Ordinary rules in prose, each with code that follows it and code that does not.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'

interface Validated {
  compliant: boolean
  checked: number
  not_checkable: number
  suggestions: string[]
  language?: string
  violations: { description: string; severity: string; line?: number }[]
  rules: { rule: string; status: string; reason?: string }[]
}

interface Case {
  rule: string
  section?: string
  /** Language, code that follows the rule, and code that breaks it with the line (0: something is missing). */
  code: [language: string, right: string, wrong: string, line: number][]
}

const cases: Case[] = [
  {
    rule: 'Define an interface for each repository and a class that implements it.',
    code: [
      [
        'typescript',
        'interface Users { find(id: string): User }\nclass SqlUsers implements Users { find(id: string) { return u } }',
        'class SqlUsers {\n  find(id: string) { return u }\n}',
        1,
      ],
      [
        'typescript',
        'import type { Users } from "./users"\nexport class SqlUsers implements Users {}',
        'export function find(id: string) { return id }',
        0,
      ],
      [
        'java',
        'interface Users {}\nclass SqlUsers implements Users {}',
        'class SqlUsers { User find() { return null; } }',
        1,
      ],
      [
        'python',
        'class Users(Protocol):\n    def find(self): ...\n\nclass SqlUsers(Users):\n    pass',
        'class SqlUsers:\n    def find(self):\n        return 1',
        1,
      ],
      [
        'go',
        'package a\n\ntype Users interface { Find() }\ntype sqlUsers struct{}',
        'package a\n\ntype sqlUsers struct{}',
        0,
      ],
    ],
  },
  {
    rule: 'Controllers must not call the database directly.',
    code: [
      [
        'typescript',
        'class UserController {\n  show(id: string) { return this.users.find(id) }\n}',
        'class UserController {\n  show(id: string) {\n    return db.query("SELECT * FROM users")\n  }\n}',
        3,
      ],
      [
        'python',
        'class UserController:\n    def show(self, id):\n        return self.users.find(id)',
        'class UserController:\n    def show(self, id):\n        return cursor.execute("select * from users")',
        3,
      ],
      [
        'java',
        'class UserController { User show() { return users.find(); } }',
        'class UserController {\n  Object show() { return jdbcTemplate.query("SELECT 1 FROM x"); }\n}',
        2,
      ],
      [
        'go',
        'package a\n\nfunc UserController() { users.Find() }',
        'package a\n\nfunc UserController() { db.Query("select 1 from x") }',
        3,
      ],
    ],
  },
  {
    rule: 'No database call outside the repository.',
    code: [
      [
        'typescript',
        'class UserRepository { all() { return db.query("SELECT id FROM users") } }',
        'function report() {\n  return pool.query("SELECT id FROM users")\n}',
        2,
      ],
    ],
  },
  {
    rule: 'The domain never makes HTTP requests.',
    code: [
      [
        'typescript',
        'export class OrderDomain { total() { return sum(this.lines) } }',
        'export class OrderDomain {\n  async total() { return fetch("/rates") }\n}',
        2,
      ],
      [
        'python',
        'class DomainOrder:\n    def total(self):\n        return 1',
        'class DomainOrder:\n    def total(self):\n        return requests.get("x")',
        3,
      ],
    ],
  },
  {
    rule: 'Pass dependencies through the constructor.',
    code: [
      [
        'typescript',
        'class Orders {\n  constructor(private readonly mailer: Mailer) {}\n}',
        'class Orders {\n  private mailer = new SmtpMailer()\n}',
        2,
      ],
      [
        'python',
        'class Orders:\n    def __init__(self, mailer):\n        self.mailer = mailer',
        'class Orders:\n    def __init__(self):\n        self.mailer = SmtpMailer()',
        3,
      ],
      [
        'java',
        'class Orders { Orders(Mailer mailer) { this.mailer = mailer; } }',
        'class Orders {\n  private Mailer mailer = new SmtpMailer();\n}',
        2,
      ],
    ],
  },
  {
    rule: 'Creating its own dependencies inside a service.',
    section: 'Common Pitfalls',
    code: [
      [
        'typescript',
        'class A { constructor(private db: Database) {} }',
        'class A {\n  run() { return new UserRepository().all() }\n}',
        2,
      ],
    ],
  },
  {
    rule: 'Never leave a catch block empty.',
    code: [
      ['typescript', 'try { run() } catch (e) { log(e) }', 'try {\n  run()\n} catch {\n  // nothing\n}', 3],
      [
        'python',
        'try:\n    run()\nexcept ValueError:\n    log()',
        'try:\n    run()\nexcept ValueError:\n    pass',
        3,
      ],
      [
        'java',
        'class A { void a() { try { b(); } catch (Exception e) { log(e); } } }',
        'class A { void a() {\n  try { b(); } catch (Exception e) {}\n} }',
        2,
      ],
      [
        'go',
        'package a\n\nfunc f() error {\n\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}',
        'package a\n\nfunc f() {\n\tif err := g(); err != nil {\n\t}\n}',
        4,
      ],
    ],
  },
  {
    rule: 'Exceptions must not be swallowed silently.',
    code: [
      ['typescript', 'try { run() } catch (e) { throw new Failed(e) }', 'try { run() } catch (e) {}', 1],
    ],
  },
  {
    rule: 'Every public function has a doc comment.',
    code: [
      [
        'typescript',
        '/** Adds. */\nexport function add(a: number) { return a }',
        'const x = 1\nexport function add(a: number) { return a }',
        2,
      ],
      ['python', 'def add(a):\n    """Adds."""\n    return a', 'def add(a):\n    return a', 1],
      [
        'java',
        'class A {\n  /** Adds. */\n  public int add() { return 1; }\n}',
        'class A {\n  public int add() { return 1; }\n}',
        2,
      ],
      ['go', 'package a\n\n// Add adds.\nfunc Add() {}', 'package a\n\nfunc Add() {}', 3],
    ],
  },
  {
    rule: 'Public methods must have documentation comments.',
    code: [
      [
        'typescript',
        'export class A {\n  /** Adds. */\n  add() { return 1 }\n  private sum() { return 2 }\n}',
        'export class A {\n  add() { return 1 }\n}',
        2,
      ],
    ],
  },
  {
    rule: 'Document all exported functions with JSDoc.',
    code: [
      [
        'typescript',
        '/** Adds. */\nexport const add = (a: number) => a',
        'export const add = (a: number) => a',
        1,
      ],
    ],
  },
  {
    rule: 'Use async/await instead of callbacks.',
    code: [
      [
        'typescript',
        'async function load(id: string) { return await read(id) }',
        'function load(id: string, callback: (e: Error) => void) {\n  read(id, callback)\n}',
        1,
      ],
      ['javascript', 'const a = async () => { await read() }', 'read("a", (err, data) => { show(data) })', 1],
    ],
  },
  {
    rule: 'Keep one class per file.',
    code: [
      ['typescript', 'export class A {}\ninterface B {}', 'export class A {}\nexport class B {}', 2],
      ['python', 'class A:\n    pass', 'class A:\n    pass\n\nclass B:\n    pass', 4],
      ['java', 'class A { class Inner {} }', 'class A {}\nclass B {}', 2],
    ],
  },
  {
    rule: 'Avoid mutable global state.',
    code: [
      ['typescript', 'const LIMIT = 3\nfunction f() { let a = 1; return a }', 'let counter = 0', 1],
      ['python', 'LIMIT = 3\ndef f():\n    x = []\n    return x', 'cache = {}', 1],
      [
        'java',
        'class A { private static final int LIMIT = 3; }',
        'class A {\n  private static int counter = 0;\n}',
        2,
      ],
      [
        'go',
        'package a\n\nvar ErrGone = errors.New("gone")\nconst limit = 3',
        'package a\n\nvar counter = 0',
        3,
      ],
    ],
  },
  {
    rule: 'Functions take at most three parameters.',
    code: [
      ['typescript', 'function f(a: A, b: B, c: C) {}', 'function f(a: A, b: B, c: C, d: D) {}', 1],
      [
        'python',
        'class A:\n    def f(self, a, b, c):\n        pass',
        'class A:\n    def f(self, a, b, c, d=1):\n        pass',
        2,
      ],
      [
        'java',
        'class A { void f(int a, int b, int c) {} }',
        'class A { void f(int a, int b, int c, int d) {} }',
        1,
      ],
      [
        'go',
        'package a\n\nfunc f(a, b int, c string) {}',
        'package a\n\nfunc f(a, b int, c, d string) {}',
        3,
      ],
    ],
  },
  {
    rule: 'No function should have more than 4 arguments.',
    code: [
      [
        'typescript',
        'const f = (a: A, b: B, c: C, d: D) => a',
        'const f = (a: A, b: B, c: C, d: D, e: E) => a',
        1,
      ],
    ],
  },
  {
    rule: 'Repository classes end with `Repository`.',
    code: [
      ['typescript', 'class User {}\nclass UserRepository {}', 'class UserStorage {}', 1],
      ['python', 'class UserRepository:\n    pass', 'class UserStorage:\n    pass', 1],
    ],
  },
  {
    rule: 'Name events in the past tense, such as OrderPlaced.',
    code: [
      ['typescript', 'class OrderPlaced {}\ninterface InvoiceSent { id: string }', 'class PlaceOrder {}', 1],
      ['java', 'record OrderShipped(String id) {}', 'class ShipOrder {}', 1],
    ],
  },
  {
    rule: 'Magic numbers are replaced by named constants.',
    code: [
      [
        'typescript',
        'const MAX_TRIES = 5\nfunction f(n: number) { return n < MAX_TRIES }',
        'function f(n: number) {\n  return n < 5\n}',
        2,
      ],
      ['python', 'MAX = 5\ndef f(n):\n    return n < MAX', 'def f(n):\n    return n < 5', 2],
      [
        'java',
        'class A { static final int MAX = 5; boolean f(int n) { return n < MAX; } }',
        'class A {\n  boolean f(int n) { return n < 5; }\n}',
        2,
      ],
      [
        'go',
        'package a\n\nconst max = 5\n\nfunc f(n int) bool { return n < max }',
        'package a\n\nfunc f(n int) bool { return n < 5 }',
        3,
      ],
    ],
  },
  {
    rule: 'Throw typed errors, never generic ones.',
    code: [
      [
        'typescript',
        'function f() { throw new NotFound("x") }',
        'function f() {\n  throw new Error("x")\n}',
        2,
      ],
      ['python', 'def f():\n    raise NotFound("x")', 'def f():\n    raise Exception("x")', 2],
      [
        'java',
        'class A { void f() { throw new NotFound("x"); } }',
        'class A {\n  void f() { throw new RuntimeException("x"); }\n}',
        2,
      ],
      [
        'go',
        'package a\n\nvar ErrGone = errors.New("gone")\n\nfunc f() error { return ErrGone }',
        'package a\n\nfunc f() error { return errors.New("gone") }',
        3,
      ],
    ],
  },
  {
    rule: 'Repositories return domain objects, not database rows.',
    code: [
      [
        'typescript',
        'class Users { async find(id: string): Promise<User> { return toUser(id) } }',
        'class Users {\n  async find(id: string): Promise<UserRow> { return load(id) }\n}',
        2,
      ],
    ],
  },
]

const leftToReader = [
  'Keep it simple.',
  'Repositories talk to the database.',
  'Name things after what they do.',
  'Write tests first.',
  'Never swallow exceptions unless you log them.',
  'Prefer composition over inheritance.',
]

const page = ({ rule, section = 'Best Practices' }: Pick<Case, 'rule' | 'section'>) =>
  `# P\n\n## ${section}\n\n- ${rule}\n`
const world = await toolsetWorld(architecture, {
  embedding: false,
  files: Object.fromEntries([
    ...cases.map((one, i) => [`mcp/resources/patterns/p${i}.md`, page(one)]),
    ...leftToReader.map((rule, i) => [`mcp/resources/patterns/reader${i}.md`, page({ rule })]),
  ]),
})
after(() => world.close())
const validate = (pattern_name: string, code: string, language?: string) =>
  world.ask<Validated>('validate-against-pattern', { code, pattern_name, ...(language ? { language } : {}) })

describe('rules in prose are checked', () => {
  for (const [i, { rule, section, code }] of cases.entries())
    for (const [language, right, wrong, line] of code)
      test(`${rule} (${language}${code.filter(([one]) => one === language).length > 1 ? `: ${wrong.slice(0, 12)}` : ''})`, async () => {
        const good = await validate(`p${i}`, right, language)
        assert.deepEqual(
          [good.violations, good.checked, good.compliant],
          [[], 1, true],
          JSON.stringify(good.rules),
        )
        const bad = await validate(`p${i}`, wrong, language)
        assert.equal(bad.checked, 1, JSON.stringify(bad.rules))
        assert.deepEqual(
          [bad.violations[0]?.description, bad.violations[0]?.line ?? 0, bad.violations.length],
          [rule, line, 1],
        )
        const isError = section === undefined && !/\b(?:should|avoid)\b/i.test(rule)
        assert.equal(bad.violations[0]!.severity, isError ? 'error' : 'warning')
        assert.equal(bad.compliant, !isError)
      })
})

describe('advice that no check recognises', () => {
  for (const [i, rule] of leftToReader.entries())
    test(`is left to the reader, with a note: ${rule}`, async () => {
      const { compliant, checked, not_checkable, suggestions, rules } = await validate(
        `reader${i}`,
        'let a = 1',
        'ts',
      )
      assert.deepEqual([compliant, checked, not_checkable], [true, 0, 1])
      assert.match(suggestions[0]!, /^Nothing could be checked/)
      assert.ok(rules[0]!.reason)
    })

  test('a rule about a layer that the code does not name is not checked', async () => {
    const { checked, rules } = await validate('p1', 'db.query("SELECT 1 FROM x")', 'typescript')
    assert.equal(checked, 0)
    assert.equal(rules[0]!.status, 'not_checkable')
  })

  test('code that cannot be parsed is not called right', async () => {
    assert.equal((await validate('p6', 'try { run( } catch (e) { log(e', 'typescript')).checked, 0)
  })
})

test('a pattern is found by its folder and name, too', async () => {
  for (const name of ['patterns/p0', 'pattern/p0', 'Patterns/p0.md', 'architecture://pattern/p0'])
    assert.equal((await validate(name, 'class A {}', 'ts')).checked, 1, name)
})

test('implements means TypeScript, unless the code is Java', async () => {
  const language = async (code: string) => (await validate('p0', code)).language
  assert.equal(
    await language('class SqlUsers implements Users {\n  find(id) { return this.db.get(id) }\n}'),
    'typescript',
  )
  assert.equal(await language('public class SqlUsers implements Users {\n  private final Db db;\n}'), 'java')
  assert.equal(
    await language(
      'class SqlUsers implements Users {\n  private final Db db;\n  public User find(String id) { return null; }\n}',
    ),
    'java',
  )
})
