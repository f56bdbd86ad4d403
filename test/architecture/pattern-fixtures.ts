export interface Fixture {
  language: string
  path?: string
  code: string
}

export interface BadFixture extends Fixture {
  /** The rules it breaks, with the line; null where something is missing. */
  rules: Record<string, number | null>
}

export const fixtures: { pattern: string; good: Fixture[]; bad: BadFixture[] }[] = [
  {
    pattern: 'repository',
    good: [
      {
        language: 'typescript',
        code: `
export class RemindLate {
  constructor(private readonly store: StorePort) {}
  async run(now: Date) {
    for (const late of await this.store.dueBefore(now, 100)) late.remind()
  }
}`,
      },
      {
        language: 'python',
        code: 'def remind(store, now):\n    for late in store.due_before(now, limit=100):\n        late.remind()\n',
      },
      {
        language: 'typescript',
        code: "const label = 'Select a reader from the list, or delete from the cart'\nconst hint = 'Insert into the tray'\n",
      },
    ],
    bad: [
      {
        language: 'typescript',
        code: 'export async function late(db: Db) {\n  return db.query(`\n    SELECT id, body\n    FROM notification`)\n}\n',
        rules: { 'no-sql-outside-adapters': 3 },
      },
      {
        language: 'java',
        code: 'class A {\n  void f() {\n    run("delete from outbox where id = 1");\n  }\n}\n',
        rules: { 'no-sql-outside-adapters': 3 },
      },
      {
        language: 'go',
        code: 'package a\n\nfunc f(db *sql.DB) {\n\tdb.Query("select id, due_at as due from outbox where id = $1", 1)\n}\n',
        rules: { 'no-sql-outside-adapters': 4 },
      },
      {
        language: 'csharp',
        code: 'class A {\n  string q = "INSERT INTO outbox (id) VALUES (1)";\n}\n',
        rules: { 'no-sql-outside-adapters': 2 },
      },
      { language: 'typescript', code: 'const all = await store.findAll()\n', rules: { 'no-find-all': 1 } },
      { language: 'python', code: 'x = 1\nrows = store.get_all()\n', rules: { 'no-find-all': 2 } },
      {
        language: 'typescript',
        code: 'export interface StorePort {\n  due(): Promise<NotificationRow[]>\n}\n',
        rules: { 'no-row-leaves': 2 },
      },
      {
        language: 'typescript',
        code: "import type { QueryResult } from 'pg'\nexport const f = (result: QueryResult) => result\n",
        rules: { 'best-practices-2': 2, 'common-pitfalls-3': 1 },
      },
    ],
  },
  {
    pattern: 'ports-and-adapters',
    good: [
      {
        language: 'typescript',
        path: 'code/api/src/domain/ports.ts',
        code: "import type { RenderedMessage } from './notification.js'\n\nexport interface ChannelPort {\n  deliver(message: RenderedMessage): Promise<DeliveryResult>\n}\n",
      },
      {
        language: 'typescript',
        path: 'code/api/src/adapters/push.ts',
        code: "import { connect } from 'node:net'\nimport type { ChannelPort } from '../domain/ports.js'\n\nexport const push: ChannelPort = { name: 'push', deliver: send }\n",
      },
    ],
    bad: [
      {
        language: 'typescript',
        path: 'code/api/src/domain/deep/down.ts',
        code: "import { x } from './x.js'\nimport http from 'http'\n",
        rules: { 'ports-are-free-of-the-outside': 2 },
      },
      {
        language: 'typescript',
        path: 'code/api/src/adapters/webhook.ts',
        code: "import { emailChannel } from './email.js'\n",
        rules: { 'no-adapter-to-adapter': 1 },
      },
      {
        language: 'typescript',
        code: 'export interface ChannelPort {\n  handle(request: IncomingMessage): Promise<void>\n}\n',
        rules: { 'a-port-names-no-protocol': 2 },
      },
      {
        language: 'typescript',
        code: 'const a = 1\nexport class ChannelPort {}\n',
        rules: { 'a-port-is-an-interface': 2 },
      },
    ],
  },
  {
    pattern: 'retry-with-back-off',
    good: [
      {
        language: 'typescript',
        code: `
export async function withRetry<T>(call: () => Promise<T>, maxAttempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= maxAttempts) throw error
      await sleep(Math.random() * 2 ** attempt)
    }
  }
}`,
      },
      {
        language: 'python',
        code: 'def retry(call, max_attempts):\n    for n in range(max_attempts):\n        time.sleep(random.uniform(0, 2 ** n))\n',
      },
      { language: 'typescript', code: 'export const add = (a: number, b: number) => a + b\n' },
      {
        language: 'typescript',
        code: "// We do not retry (callers do).\nexport const wait = (r: Response) => ({ retryAfter: r.headers.get('retry-after') })\n",
      },
      {
        language: 'rust',
        code: 'const MAX_ATTEMPTS: u32 = 5;\n\nfn backoff(n: u32) -> Duration {\n    let part = rand::random::<f64>();\n    Duration::from_secs_f64(part * 2f64.powi(n as i32))\n}\n',
      },
      {
        language: 'go',
        code: 'package a\n\nfunc f() error {\n\treturn backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 5))\n}\n',
      },
    ],
    bad: [
      {
        language: 'typescript',
        code: 'async function retry(call: () => Promise<void>, budget: Budget) {\n  await sleep(1000)\n}\n',
        rules: { 'jitter-required': null },
      },
      {
        language: 'go',
        code: 'package a\n\nfunc retry(f func() error) {\n\tfor f() != nil {\n\t\ttime.Sleep(rand.Intn(9))\n\t}\n}\n',
        rules: { 'attempts-are-bounded': null },
      },
      {
        language: 'javascript',
        code: 'let n = 0\nwhile (true) {\n  try {\n    await call()\n    break\n  } catch (e) {\n  }\n}\n',
        rules: { 'no-endless-retry': 2 },
      },
      {
        language: 'typescript',
        code: 'for (;;) {\n  try {\n    await call()\n  } catch {}\n}\n',
        rules: { 'no-endless-retry': 1 },
      },
      {
        language: 'java',
        code: 'class A {\n  // Thread.sleep() is not for us.\n  void f() throws Exception { Thread.sleep(100); }\n}\n',
        rules: { 'best-practices-4': 3 },
      },
    ],
  },
  {
    pattern: 'transactional-outbox',
    good: [
      {
        language: 'typescript',
        code: "await db.transaction(async (tx) => {\n  await tx.insert('notification', fact)\n  await tx.insert('outbox', row)\n})\nawait bus.publish(hint)\n",
      },
      {
        language: 'sql',
        code: 'BEGIN;\nINSERT INTO fact VALUES (1);\nINSERT INTO outbox VALUES (1);\nCOMMIT;\n',
      },
      { language: 'rust', code: 'fn f() {\n    channel.send(&m)?;\n    store.mark_delivered(id)?;\n}\n' },
    ],
    bad: [
      {
        language: 'typescript',
        code: "await db.transaction(async (tx) => {\n  await tx.insert('notification', fact)\n  if (urgent) {\n    await bus.publish('created', fact)\n  }\n})\n",
        rules: { 'no-publish-in-transaction': 4 },
      },
      {
        language: 'typescript',
        code: 'await prisma.$transaction(async (tx) => {\n  await tx.order.create(fact)\n  await this.bus.publish(fact)\n})\n',
        rules: { 'no-publish-in-transaction': 3 },
      },
      {
        language: 'sql',
        code: 'INSERT INTO fact VALUES (1);\nINSERT INTO outbox VALUES (1);\n',
        rules: { 'one-transaction-for-both': null },
      },
      {
        language: 'sql',
        code: 'insert into fact values (1);\ninsert into outbox(message_id) values (1);\n',
        rules: { 'one-transaction-for-both': null },
      },
      {
        language: 'rust',
        code: 'fn f() {\n    store.mark_delivered(id)?;\n    channel.send(&m)?;\n}\n',
        rules: { 'mark-after-the-answer': 2 },
      },
      {
        language: 'sql',
        path: 'code/store/migrations/0099.sql',
        code: 'CREATE TABLE outbox (id text);\n',
        rules: { 'outbox-table-has-message-id': null },
      },
    ],
  },
]
