import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runOn, type Stage } from '../../../test/cli-stage.js'
import type { RunCounts } from '../../model/outcome.js'
import { Problem } from '../../model/problem.js'
import type { EvalReport } from '../../services/evaluate.js'
import type { IndexReport } from '../../services/indexing.js'
import type { Library } from '../../services/library.js'
import type { SearchAnswer, SearchRequest } from '../../services/search.js'
import type { Status } from '../../services/status.js'
import type { Services, Serving } from './context.js'

const hit = {
  collection: 'handbook',
  document: 'guides/retries.md',
  title: 'Retries',
  heading: 'Choosing a budget',
  lines: [12, 30] as [number, number],
  text: 'A retry budget caps how many retries a client may send.\n\nWithout one, retries multiply an outage.',
  score: 0.873,
  distance: null,
  kind: 'prose',
  language: null,
  symbols: [],
  by: 'words',
  chunk: 1,
  chunks: 4,
}

const answer: SearchAnswer = {
  query: 'retry budget',
  hits: [hit],
  notes: [{ code: 'words_only', message: 'Searched by words alone.' }],
  stages: [{ name: 'words', ms: 1.26, state: 'ran' }],
}

const counts: RunCounts = {
  found: 1204,
  stored: 1180,
  unchanged: 19,
  skipped: 4,
  failed: 1,
  forgotten: 2,
  chunks: 9312,
  bytes: 3_400_000,
}

const report: IndexReport = {
  counts,
  bySource: [{ name: 'handbook', counts }],
  failures: [{ source: 'handbook', path: 'a.md', reason: 'Permission denied.' }],
  inPart: [{ source: 'handbook', path: 'b.csv', reason: 'Only the first 10 of 12 rows are kept.' }],
  skipped: [{ reason: 'larger than 2 MB', count: 4, examples: ['big.json', 'dump.sql'] }],
  notes: [],
  ms: 3210,
}

describe('search', () => {
  const asking = (found: SearchAnswer = answer) => {
    const asked: SearchRequest[] = []
    const search: Services['search'] = async (_library, request) => {
      asked.push(request)
      return found
    }
    const stage: Stage = { services: { search } }
    return { stage, asked }
  }

  test('hands every option to the service and nothing that was not said', async () => {
    const { stage, asked } = asking()
    await runOn(stage, 'search', 'retry', 'budget')
    await runOn(
      stage,
      ...'search how so -c a --collection b -u docs -t x -t y -l go -n 3 --max-tokens 500 -m TEXT --deadline 50 --explain'.split(
        ' ',
      ),
    )
    assert.deepEqual(asked, [
      { query: 'retry budget' },
      {
        query: 'how so',
        collections: ['a', 'b'],
        under: ['docs'],
        tags: ['x', 'y'],
        languages: ['go'],
        limit: 3,
        maxTokens: 500,
        mode: 'text',
        deadlineMs: 50,
        explain: true,
      },
    ])
  })

  test('options of the program stand before or after the command', async () => {
    for (const argv of [
      ['--root', '/x', '--set', 'watch=off', 'search', 'a'],
      ['search', 'a', '--root', '/x', '--set', 'watch=off'],
    ]) {
      const { flags } = await runOn(asking().stage, ...argv)
      assert.deepEqual([flags?.root, flags?.set], ['/x', ['watch=off']])
    }
  })

  test('a question may start with a dash after --', async () => {
    const { stage, asked } = asking()
    await runOn(stage, 'search', '--', '--json')
    assert.equal(asked[0]?.query, '--json')
  })

  test('prints passages on stdout and notes on stderr', async () => {
    const told = await runOn(asking().stage, 'search', 'retry budget')
    assert.equal(
      told.out,
      [
        '1.  Retries › Choosing a budget',
        '    handbook:guides/retries.md:12-30  0.87',
        '    A retry budget caps how many retries a client may send.',
        '',
        '    Without one, retries multiply an outage.',
        '',
      ].join('\n'),
    )
    assert.deepEqual([told.err, told.code, told.closed], ['note: Searched by words alone.\n', 0, 1])
  })

  test('--json prints one value with the stages only when asked to explain', async () => {
    const plain = await runOn(asking().stage, 'search', 'retry', '--json')
    assert.deepEqual(JSON.parse(plain.out), { query: 'retry budget', hits: [hit], notes: answer.notes })
    assert.equal(plain.err, '')
    const explained = await runOn(asking().stage, '--json', 'search', 'retry', '--explain')
    assert.deepEqual(JSON.parse(explained.out).stages, answer.stages)
  })

  test('nothing found is an answer', async () => {
    const { stage } = asking({ query: 'zzz', hits: [], notes: [], stages: [] })
    const told = await runOn(stage, 'search', 'zzz')
    assert.deepEqual([told.out, told.err, told.code], ['', 'Nothing found for "zzz".\n', 0])
    assert.equal((await runOn(stage, 'search', 'zzz', '-q')).err, '')
  })

  test('an empty question is a usage error', async () => {
    const told = await runOn(asking().stage, 'search', '  ')
    assert.deepEqual([told.code, told.err.split('\n')[0]], [2, 'error: The question is empty.'])
  })
})

describe('index', () => {
  const indexing = (made: IndexReport = report): Stage => ({ services: { indexAll: async () => made } })

  test('prints counts that add up, what was passed over and what failed', async () => {
    const told = await runOn(indexing(), 'index')
    assert.equal(
      told.out,
      [
        '1,204 files in 3.2 s: 1,180 stored (9,312 passages, 3.4 MB), 19 unchanged, 4 skipped, 1 failed; 2 gone from the index.',
        '',
        'Skipped',
        '  4 × larger than 2 MB (big.json, dump.sql, …)',
        '',
        'Failed',
        '  handbook:a.md: Permission denied.',
        '',
        'Indexed in part',
        '  handbook:b.csv: Only the first 10 of 12 rows are kept.',
        '',
      ].join('\n'),
    )
    assert.deepEqual([told.code, told.closed], [0, 1])
  })

  test('lists several sources in a table', async () => {
    const two = {
      ...report,
      failures: [],
      skipped: [],
      bySource: [...report.bySource, { name: '資料', counts }],
    }
    const told = await runOn(indexing(two), 'index')
    assert.deepEqual(told.out.split('\n').slice(2, 5), [
      '  collection  files  stored  unchanged  skipped  failed  gone',
      '  handbook    1,204   1,180         19        4       1     2',
      '  資料        1,204   1,180         19        4       1     2',
    ])
  })

  test('--json prints the report as it is', async () => {
    assert.deepEqual(JSON.parse((await runOn(indexing(), 'index', '--json')).out), report)
  })

  test('tells how long embedding took, which is no part of the time for the files', async () => {
    const library = { embedder: {}, close: async () => {} } as unknown as Library
    const services = {
      open: async () => library,
      indexAll: async () => report,
      fillVectors: async () => ({ embedded: 2345 }),
    }
    assert.match((await runOn({ services }, 'index')).out, /^[^\n]+\n2,345 passages embedded in \d+ ms\.\n/)
    const { embedded, embeddingMs, ms } = JSON.parse((await runOn({ services }, 'index', '--json')).out)
    assert.deepEqual([embedded, typeof embeddingMs, ms], [2345, 'number', report.ms])
    const none = { ...services, fillVectors: async () => ({ embedded: 0 }) }
    assert.doesNotMatch((await runOn({ services: none }, 'index')).out, /embedded/)
  })

  test('tells of packages that it took in, and notes those it could not', async () => {
    const none = {
      state: 'synced',
      version: null,
      commit: null,
      updated: 0,
      unchanged: 0,
      removed: 0,
    } as const
    const one = { ...none, alias: 'docs', url: './docs', added: 2, skipped: [], failed: [], error: null }
    const away = { ...one, alias: 'away', state: 'failed' as const, added: 0, error: 'It is not there.' }
    const notes = ['The package "away" was not taken in. It is not there.']
    const services = {
      indexAll: async () => report,
      syncNewPackages: async () => ({ reports: [one, away], notes }),
    }
    const told = await runOn({ services }, 'index')
    assert.match(told.out, /\ndocs: 2 added, 0 updated, 0 unchanged, 0 removed, 0 skipped, 0 failed\.\n$/)
    assert.deepEqual(
      [told.err, told.code],
      ['note: The package "away" was not taken in. It is not there.\n', 0],
    )
    const { packages } = JSON.parse((await runOn({ services }, 'index', '--json')).out)
    assert.deepEqual(packages, [one, away])
  })

  test('a run in which nothing could be read has failed', async () => {
    const bad = { ...report, counts: { ...counts, stored: 0, unchanged: 0, failed: 3 } }
    assert.equal((await runOn(indexing(bad), 'index')).code, 1)
  })

  test('passes --force and the signal on, and takes its progress off the terminal', async () => {
    let forced: unknown
    const told = await runOn(
      {
        terminal: true,
        columns: 80,
        services: {
          indexAll: async (_library, { force, signal, onProgress }) => {
            forced = [force, signal instanceof AbortSignal]
            onProgress?.({ phase: 'reading', subject: 'docs', done: 1, total: 2, chunks: 3, bytes: 4 })
            return report
          },
        },
      },
      'index',
      '--force',
    )
    assert.deepEqual(forced, [true, true])
    assert.ok(told.err.startsWith('\r\x1b[2KReading docs'))
    assert.ok(told.err.endsWith('\r\x1b[2K'))
  })

  test('takes its progress off the terminal when the work fails, and closes the library', async () => {
    const told = await runOn(
      {
        terminal: true,
        services: {
          indexAll: async (_library, { onProgress }) => {
            onProgress?.({ phase: 'listing', subject: 'docs', done: 0, total: 0, chunks: 0, bytes: 0 })
            throw new Problem('disk_full', 'The disk is full.', 'Free some space.')
          },
        },
      },
      'index',
      '--no-color',
    )
    assert.ok(told.err.endsWith('\r\x1b[2Kerror: The disk is full.\nFree some space.\n'), told.err)
    assert.deepEqual([told.code, told.closed], [1, 1])
  })
})

describe('status, doctor and eval', () => {
  const facts: Status = {
    root: '/project',
    data: '/project/.carrel',
    collections: [
      { name: 'docs', id: 'f1', kind: 'folder', location: '/project/docs', documents: 12, chunks: 340 },
      { name: 'notes', id: 'f2', kind: 'folder', location: '/project/notes', documents: 1200, chunks: 9000 },
    ],
    documents: 1212,
    chunks: 9340,
    characters: 4_200_000,
    databaseBytes: 12_300_000,
    indexing: { pid: 77, host: 'desk' },
    folders: 2,
    lastIndexed: '2026-11-15T10:00:00.000Z',
    lastFailures: [{ source: 'docs', path: 'x.md', reason: 'Not text.' }],
    inPart: [{ source: 'docs', path: 'x.csv', reason: 'Only the first 10 of 12 rows are kept.' }],
    vectors: [{ model: 'minilm', count: 9000 }],
    memory: {
      discoveries: { total: 5, superseded: 1, byType: { pattern: 2, rule: 0, decision: 3, issue: 0 } },
      sessions: { total: 12, open: 1, last: '2026-11-15T09:00:00.000Z' },
      context: [{ path: 'src/auth/token.ts', score: 0.925, accesses: 12 }],
    },
  }

  test('status', async () => {
    const stage: Stage = { services: { status: async () => facts } }
    assert.equal(
      (await runOn(stage, 'status')).out,
      [
        'root       /project',
        'data       /project/.carrel (12 MB)',
        'documents  1,212 (4,200,000 characters)',
        'passages   9,340',
        'indexed    2026-11-15T10:00:00.000Z',
        'indexing   now, by process 77 on desk',
        '',
        'Collections',
        '  name   kind    documents  passages  location',
        '  docs   folder         12       340  /project/docs',
        '  notes  folder      1,200     9,000  /project/notes',
        '',
        'Vectors',
        '  minilm: 9,000 of 9,340 passages',
        '',
        'Memory',
        '  discoveries  5 (2 pattern, 3 decision, 1 superseded)',
        '  sessions     12 (1 open, last 2026-11-15T09:00:00.000Z)',
        '',
        'Read most',
        '  file               score  reads',
        '  src/auth/token.ts   0.93     12',
        '',
        'Could not be read',
        '  docs:x.md: Not text.',
        '',
        'Indexed in part',
        '  docs:x.csv: Only the first 10 of 12 rows are kept.',
        '',
      ].join('\n'),
    )
    assert.deepEqual(JSON.parse((await runOn(stage, 'status', '--json')).out), facts)
  })

  test('status of what was not indexed says what there is to do', async () => {
    const told = async (more: Partial<Status>) =>
      (
        await runOn(
          { services: { status: async () => ({ ...facts, lastIndexed: null, ...more }) } },
          'status',
        )
      ).out
    assert.match(await told({ documents: 0, chunks: 0 }), /^indexed {4}never; run carrel index$/m)
    assert.match(await told({}), /^indexed {4}no folder yet; run carrel index$/m)
    assert.match(await told({ folders: 0 }), /^indexed {4}no folder is configured$/m)
    const unembedded = { vectors: [{ model: 'minilm', count: 0 }] }
    assert.match(await told(unembedded), /^Vectors\n {2}minilm: 0 of 9,340 passages$/m)
    assert.doesNotMatch(await told({ ...unembedded, chunks: 0 }), /Vectors/)
  })

  test('doctor ends with 1 when something is broken', async () => {
    const repairs: unknown[] = []
    const stage: Stage = {
      services: {
        doctor: async (_settings, { repair }) => {
          repairs.push(repair)
          return [
            { name: 'root', state: 'ok', message: 'readable' },
            { name: 'database', state: 'failed', message: 'is damaged', hint: 'Run carrel doctor --repair.' },
          ]
        },
      },
    }
    const told = await runOn(stage, 'doctor')
    assert.equal(
      told.out,
      [
        'ok        root      readable',
        'failed    database  is damaged',
        '                    Run carrel doctor --repair.',
        '',
        '1 of 2 checks failed.',
        '',
      ].join('\n'),
    )
    assert.equal(told.code, 1)
    const json = await runOn(stage, 'doctor', '--repair', '--json')
    assert.deepEqual([JSON.parse(json.out).healthy, json.code, repairs], [false, 1, [false, true]])
  })

  const measured: EvalReport = {
    set: 'cranfield',
    mode: 'text',
    documents: 1400,
    queries: 225,
    ndcg10: 0.3712,
    ndcg10Graded: 0.35,
    recall100: 0.7254,
    mrr10: 0.5,
    queryMs: { p50: 0.84, p95: 2.1 },
    indexMs: 1500,
    notes: ['One query has no judgement.'],
  }

  test('eval prints a table, and the agreed keys for programs', async () => {
    const asked: unknown[] = []
    const evaluate: Services['evaluate'] = async (_settings, { folder, mode }) => {
      asked.push([folder, mode])
      return measured
    }
    const stage: Stage = { services: { evaluate } }
    const told = await runOn(stage, 'eval', 'data/cranfield', '--mode', 'text')
    assert.equal(
      told.out,
      [
        'set        mode  documents  queries  nDCG@10  graded  Recall@100  MRR@10     p50     p95  index',
        'cranfield  text      1,400      225   0.3712  0.3500      0.7254  0.5000  0.8 ms  2.1 ms  1.5 s',
        '',
      ].join('\n'),
    )
    assert.equal(told.err, 'note: One query has no judgement.\n')
    assert.deepEqual(asked, [['data/cranfield', 'text']])
    const json = JSON.parse((await runOn(stage, 'eval', 'x', '--json')).out)
    assert.deepEqual(json, {
      set: 'cranfield',
      mode: 'text',
      documents: 1400,
      queries: 225,
      'ndcg@10': 0.3712,
      'ndcg@10_graded': 0.35,
      'recall@100': 0.7254,
      'mrr@10': 0.5,
      query_ms: { p50: 0.84, p95: 2.1 },
      index_ms: 1500,
      notes: ['One query has no judgement.'],
    })
  })
})

describe('serve', () => {
  const serving = (more: Partial<Serving> = {}): Serving => ({
    url: 'http://127.0.0.1:7373',
    elsewhere: [],
    documents: 3,
    tools: 30,
    indexed: Promise.resolve(),
    closed: Promise.resolve(),
    close: async () => {},
    ...more,
  })

  test('shows lines for clients, with the token that they need', async () => {
    const serve = async () => serving({ elsewhere: ['http://desk.example:7373'] })
    const plain = await runOn({ services: { serve: async () => serving() } }, 'serve')
    assert.doesNotMatch(plain.err, /Authorization|TOKEN|other machines|meanwhile/)
    assert.match(plain.err, /^Open http:\/\/127\.0\.0\.1:7373\/ in a browser/m)
    // Without the address it would set up another server, of the folder that one stands in.
    assert.match(
      plain.err,
      /^or let "carrel setup --client NAME --url http:\/\/127\.0\.0\.1:7373\/mcp" do it\./m,
    )
    const told = await runOn({ services: { serve }, env: { CARREL_TOKEN: 'not-to-be-shown-here' } }, 'serve')
    assert.match(told.err, /other machines at http:\/\/desk\.example:7373$/m)
    assert.match(told.err, /7373\/mcp --header "Authorization: Bearer \$CARREL_TOKEN"$/m)
    const json = /"url": ".+", "headers": \{ "Authorization": "Bearer \$\{env:CARREL_TOKEN\}" \} \} \} \}$/gm
    assert.equal(told.err.match(json)?.length, 2)
    assert.match(told.err, /bearer_token_env_var = "CARREL_TOKEN"/)
    assert.doesNotMatch(told.err, /not-to-be-shown/)
  })

  test('names the page before it has indexed everything, where that takes long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let end = () => {}
    const indexed = new Promise<void>((resolve) => {
      end = resolve
    })
    const running = runOn({ services: { serve: async () => serving({ indexed, closed: indexed }) } }, 'serve')
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(3_000)
    end()
    assert.match((await running).err, /^Open http:\/\/127\.0\.0\.1:7373\/ meanwhile/m)
  })

  test('hands an empty token on to be refused, and no token only where none is set', async () => {
    const given: string[][] = []
    const serve = async (_: unknown, { tokens }: { tokens: string[] }) => {
      given.push(tokens)
      return serving()
    }
    await runOn({ services: { serve } }, 'serve')
    await runOn({ services: { serve }, env: { CARREL_TOKEN: '' } }, 'serve')
    assert.deepEqual(given, [[], ['']])
  })

  test('stops when told, also while it still indexes', async () => {
    const controller = new AbortController()
    let closed = 0
    const told = await runOn(
      {
        signal: controller.signal,
        services: {
          serve: async () => {
            controller.abort()
            return serving({ indexed: new Promise(() => {}), close: async () => void closed++ })
          },
        },
      },
      'serve',
      '--json',
    )
    assert.deepEqual([told.out, told.err, told.code, closed], ['', '', 130, 1])
  })
})

describe('what goes wrong', () => {
  const failing = (error: unknown): Stage => ({
    services: {
      status: async () => {
        throw error
      },
    },
  })

  for (const [argv, message, hint] of [
    [['serch', 'x'], "Unknown command 'serch'.", 'Did you mean search?'],
    [['index', '--forec'], "Unknown option '--forec'.", 'Did you mean --force?'],
    [['search'], "Missing required argument 'QUERY'.", null],
    [['status', 'now'], "Too many arguments for 'status'. Expected 0 arguments but got 1.", null],
    [['search', 'x', '--root'], "Option '--root <DIR>' argument missing.", null],
    [
      ['search', 'x', '-n', '-5'],
      "Option '-n, --limit <NUMBER>' argument '-5' is invalid. A whole number from 1 to 1,000 is expected.",
      null,
    ],
    [
      ['search', 'x', '--mode', 'hybird'],
      "Option '-m, --mode <MODE>' argument 'hybird' is invalid. One of text, vector, hybrid, rerank is expected. Did you mean \"hybrid\"?",
      null,
    ],
    [
      ['status', '--root='],
      "Option '--root <DIR>' argument '' is invalid. The path of a folder is expected.",
      null,
    ],
    [
      ['index', '--data', ' '],
      "Option '--data <DIR>' argument ' ' is invalid. The path of a folder is expected.",
      null,
    ],
    [
      ['--config', '', 'index'],
      "Option '--config <FILE>' argument '' is invalid. The path of a file is expected.",
      null,
    ],
    [
      ['setup', '--client', 'cursor', '--scope', 'projcet'],
      "Option '--scope <SCOPE>' argument 'projcet' is invalid. One of project, user is expected. Did you mean \"project\"?",
      null,
    ],
  ] as const)
    test(`carrel ${argv.join(' ')} is wrong use`, async () => {
      const next = hint ?? 'carrel --help shows the commands, carrel COMMAND --help their options.'
      const told = await runOn({}, ...argv)
      assert.deepEqual([told.out, told.err, told.code], ['', `error: ${message}\n${next}\n`, 2])
      const json = await runOn(
        {},
        ...argv.filter((arg) => arg !== '--root'),
        '--json',
        ...argv.filter((arg) => arg === '--root'),
      )
      assert.deepEqual(JSON.parse(json.out), { error: { code: 'usage', message, hint: next } })
    })

  test('one JSON value and another format are not asked for at once', async () => {
    for (const format of ['dot', 'graphml']) {
      const told = await runOn({}, 'graph', 'export', '--format', format, '--json')
      assert.equal(told.code, 2)
      assert.equal(JSON.parse(told.out).error.message, `--json and --format ${format} do not go together.`)
    }
  })

  test('no command at all shows the help on stderr', async () => {
    const told = await runOn({})
    assert.deepEqual([told.out, told.code], ['', 2])
    assert.match(told.err, /^Usage: carrel .*Commands:/s)
    assert.equal(JSON.parse((await runOn({}, '--json')).out).error.code, 'usage')
  })

  test('a bad configuration is wrong use', async () => {
    const settings = async () => {
      throw new Problem('bad_configuration', 'Unknown key "x".', 'Did you mean "y"?')
    }
    const told = await runOn({ settings }, 'status', '--json')
    assert.equal(told.code, 2)
    assert.equal(told.err, 'error: Unknown key "x".\nDid you mean "y"?\n')
    assert.deepEqual(JSON.parse(told.out).error.code, 'bad_configuration')
  })

  test('a request that cannot be met ends with 1', async () => {
    const told = await runOn(failing(new Problem('not_found', 'No collection "x".')), 'status')
    assert.deepEqual([told.err, told.code, told.closed], ['error: No collection "x".\n', 1, 1])
  })

  test('a bug is one plain line, and its stack only on request', async () => {
    const told = await runOn(failing(new TypeError('x is not\na function')), 'status')
    assert.equal(
      told.err,
      'error: Something went wrong inside Carrel: x is not\nThis is a bug. CARREL_DEBUG=1 shows where it happened.\n',
    )
    assert.equal(told.code, 1)
    const cause = new Error('deep down')
    const debug = await runOn(
      { ...failing(new Error('top', { cause })), env: { CARREL_DEBUG: '1' } },
      'status',
    )
    assert.match(debug.err, /Error: top\n {4}at .*caused by Error: deep down\n {4}at /s)
  })

  test('an interruption ends with 130 and no complaint', async () => {
    const controller = new AbortController()
    const told = await runOn(
      {
        signal: controller.signal,
        services: {
          indexAll: async (_library, { signal }) => {
            controller.abort()
            signal?.throwIfAborted()
            return report
          },
        },
      },
      'index',
    )
    assert.deepEqual([told.out, told.err, told.code, told.closed], ['', 'Stopped.\n', 130, 1])
  })

  test('notes about the settings go to stderr', async () => {
    const settings = async () => ({
      settings: {} as never,
      notes: [{ code: 'key_missing', message: 'No key.' }],
    })
    const doctor = async () => []
    assert.equal((await runOn({ settings, services: { doctor } }, 'doctor')).err, 'note: No key.\n')
    assert.equal((await runOn({ settings, services: { doctor } }, 'doctor', '-q')).err, '')
  })
})

describe('help', () => {
  for (const command of ['index', 'search', 'status', 'doctor', 'eval'])
    test(`of ${command} has examples and the program's options`, async () => {
      const told = await runOn({}, command, '--help')
      assert.match(told.out, new RegExp(`^Usage: carrel ${command}.*Examples:\\n  carrel ${command}`, 's'))
      assert.match(told.out, /--root <DIR>/)
      assert.deepEqual([told.err, told.code], ['', 0])
    })

  test('of the program names every command, and --version is bare', async () => {
    assert.match((await runOn({}, '--help')).out, /index.*search.*status.*doctor.*eval/s)
    assert.equal((await runOn({}, '--version')).out, '9.9.9\n')
  })
})
