import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runOn, type Stage } from '../../../test/cli-stage.js'
import { sampleHit } from '../../../test/support/sample-hit.js'
import type { Library } from '../../answer/library.js'
import type { SearchAnswer, SearchRequest } from '../../answer/search.js'
import { Problem } from '../../model/problem.js'
import type { IndexReport, RunCounts } from '../../model/reports.js'
import type { Services } from './context.js'

const hit = sampleHit({
  collection: 'handbook',
  heading: 'Choosing a budget',
  lines: [12, 30],
  text: 'A retry budget caps how many retries a client may send.\n\nWithout one, retries multiply an outage.',
  score: 0.873,
  chunks: 4,
})

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
  skippedFiles: [],
  skipped: [{ reason: 'larger than 2 MB', count: 4, examples: ['big.json', 'dump.sql'] }],
  notes: [],
  ms: 3210,
}

describe('search', () => {
  const asking = (found: SearchAnswer = answer) => {
    const requests: SearchRequest[] = []
    const search: Services['search'] = async (_library, request) => {
      requests.push(request)
      return found
    }
    const stage: Stage = { services: { search } }
    return { stage, requests }
  }

  test('passes every given option to the service, and no other', async () => {
    const { stage, requests } = asking()
    await runOn(stage, 'search', 'retry', 'budget')
    await runOn(
      stage,
      ...'search how so -c a --collection b -u docs -t x -t y -l go -k code -k NOTES --since 7d --weak -n 3 --max-tokens 500 -m TEXT --deadline 50 --explain'.split(
        ' ',
      ),
    )
    assert.deepEqual(requests, [
      { query: 'retry budget' },
      {
        query: 'how so',
        collections: ['a', 'b'],
        under: ['docs'],
        tags: ['x', 'y'],
        languages: ['go'],
        kinds: ['code', 'notes'],
        since: '7d',
        weak: true,
        limit: 3,
        maxTokens: 500,
        mode: 'text',
        deadlineMs: 50,
        explain: true,
      },
    ])
  })

  test('accepts program options before and after the command', async () => {
    for (const argv of [
      ['--root', '/x', '--set', 'watch=off', 'search', 'a'],
      ['search', 'a', '--root', '/x', '--set', 'watch=off'],
    ]) {
      const { flags } = await runOn(asking().stage, ...argv)
      assert.deepEqual([flags?.root, flags?.set], ['/x', ['watch=off']])
    }
  })

  test('a question may start with a dash after --', async () => {
    const { stage, requests } = asking()
    await runOn(stage, 'search', '--', '--json')
    assert.equal(requests[0]?.query, '--json')
  })

  test('prints passages on stdout and notes on stderr', async () => {
    const result = await runOn(asking().stage, 'search', 'retry budget')
    assert.equal(
      result.out,
      [
        '1.  Retries › Choosing a budget',
        '    handbook:guides/retries.md:12-30  0.87',
        '    A retry budget caps how many retries a client may send.',
        '',
        '    Without one, retries multiply an outage.',
        '',
      ].join('\n'),
    )
    assert.deepEqual([result.err, result.code, result.closed], ['note: Searched by words alone.\n', 0, 1])
  })

  test('--json prints one value, with the stages only under --explain', async () => {
    const plain = await runOn(asking().stage, 'search', 'retry', '--json')
    assert.deepEqual(JSON.parse(plain.out), { query: 'retry budget', hits: [hit], notes: answer.notes })
    assert.equal(plain.err, '')
    const explained = await runOn(asking().stage, '--json', 'search', 'retry', '--explain')
    assert.deepEqual(JSON.parse(explained.out).stages, answer.stages)
  })

  test('nothing found is an answer', async () => {
    const { stage } = asking({ query: 'zzz', hits: [], notes: [], stages: [] })
    const result = await runOn(stage, 'search', 'zzz')
    assert.deepEqual([result.out, result.err, result.code], ['', 'Nothing found for "zzz".\n', 0])
    assert.equal((await runOn(stage, 'search', 'zzz', '-q')).err, '')
  })

  test('an empty question is a usage error', async () => {
    const result = await runOn(asking().stage, 'search', '  ')
    assert.deepEqual([result.code, result.err.split('\n')[0]], [2, 'error: The question is empty.'])
  })
})

describe('index', () => {
  const indexing = (made: IndexReport = report): Stage => ({ services: { indexAll: async () => made } })

  test('prints counts that add up, and the skipped and failed files', async () => {
    const result = await runOn(indexing(), 'index')
    assert.equal(
      result.out,
      [
        '1,204 files in 3.2 s: 1,180 stored (9,312 chunks, 3.4 MB), 19 unchanged, 4 skipped, 1 failed; 2 gone from the index.',
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
    assert.deepEqual([result.code, result.closed], [0, 1])
  })

  test('lists several sources in a table', async () => {
    const two = {
      ...report,
      failures: [],
      skipped: [],
      bySource: [...report.bySource, { name: '資料', counts }],
    }
    const result = await runOn(indexing(two), 'index')
    assert.deepEqual(result.out.split('\n').slice(2, 5), [
      '  collection  files  stored  unchanged  skipped  failed  gone',
      '  handbook    1,204   1,180         19        4       1     2',
      '  資料        1,204   1,180         19        4       1     2',
    ])
  })

  test('--json prints the report as it is', async () => {
    assert.deepEqual(JSON.parse((await runOn(indexing(), 'index', '--json')).out), report)
  })

  test('prints the embedding time separately from the time for the files', async () => {
    const library = { embedder: {}, close: async () => {} } as unknown as Library
    const services = {
      open: async () => library,
      indexAll: async () => report,
      fillVectors: async () => ({ embedded: 2345 }),
    }
    assert.match((await runOn({ services }, 'index')).out, /^[^\n]+\n2,345 chunks embedded in \d+ ms\.\n/)
    const { embedded, embeddingMs, ms } = JSON.parse((await runOn({ services }, 'index', '--json')).out)
    assert.deepEqual([embedded, typeof embeddingMs, ms], [2345, 'number', report.ms])
    const none = { ...services, fillVectors: async () => ({ embedded: 0 }) }
    assert.doesNotMatch((await runOn({ services: none }, 'index')).out, /embedded/)
  })

  test('leaves the vectors to an engine, unless it has to wait for them', async () => {
    const library = { embedder: {}, close: async () => {} } as unknown as Library
    const services = {
      open: async () => library,
      indexAll: async () => report,
      embedBehind: async () => 9312 as number | null,
      fillVectors: async () => ({ embedded: 9312 }),
    }
    const behind = await runOn({ services }, 'index')
    assert.match(
      behind.out,
      /^[^\n]+\nVectors of 9,312 chunks follow in the background; `carrel status` shows how far\.\n/,
    )
    const none = { ...services, embedBehind: async () => null }
    for (const result of [
      await runOn({ services }, 'index', '--wait'),
      await runOn({ services: none }, 'index'),
    ])
      assert.match(result.out, /^[^\n]+\n9,312 chunks embedded in \d+ ms\.\n/)
    assert.equal(JSON.parse((await runOn({ services }, 'index', '--json')).out).embedded, 9312)
    assert.doesNotMatch((await runOn({ services }, 'index', '--words-only')).out, /Vectors|embedded/)
    assert.equal((await runOn({ services }, 'index', '--wait', '--words-only')).code, 2)
  })

  test('reports added packages, and notes those that failed', async () => {
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
    const result = await runOn({ services }, 'index')
    assert.match(result.out, /\ndocs: 2 added, 0 updated, 0 unchanged, 0 removed, 0 skipped, 0 failed\.\n$/)
    assert.deepEqual(
      [result.err, result.code],
      ['note: The package "away" was not taken in. It is not there.\n', 0],
    )
    const { packages } = JSON.parse((await runOn({ services }, 'index', '--json')).out)
    assert.deepEqual(packages, [one, away])
  })

  test('a run in which nothing could be read has failed', async () => {
    const bad = { ...report, counts: { ...counts, stored: 0, unchanged: 0, failed: 3 } }
    assert.equal((await runOn(indexing(bad), 'index')).code, 1)
  })

  test('passes --force and the signal on, and clears its progress bar', async () => {
    let forced: unknown
    const result = await runOn(
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
    assert.ok(result.err.startsWith('\r\x1b[2KReading docs'))
    assert.ok(result.err.endsWith('\r\x1b[2K'))
  })

  test('clears its progress bar when the work fails, and closes the library', async () => {
    const result = await runOn(
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
    assert.ok(result.err.endsWith('\r\x1b[2Kerror: The disk is full.\nFree some space.\n'), result.err)
    assert.deepEqual([result.code, result.closed], [1, 1])
  })
})

describe('errors', () => {
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
    [
      ['search', '--profile means what'],
      "Unknown option '--profile means what'.",
      'Put "--" before text that begins with a dash.',
    ],
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
      const result = await runOn({}, ...argv)
      assert.deepEqual([result.out, result.err, result.code], ['', `error: ${message}\n${next}\n`, 2])
      const json = await runOn(
        {},
        ...argv.filter((arg) => arg !== '--root'),
        '--json',
        ...argv.filter((arg) => arg === '--root'),
      )
      assert.deepEqual(JSON.parse(json.out), { error: { code: 'usage', message, hint: next } })
    })

  test('refuses --json together with another format', async () => {
    for (const format of ['dot', 'graphml']) {
      const result = await runOn({}, 'graph', 'export', '--format', format, '--json')
      assert.equal(result.code, 2)
      assert.equal(JSON.parse(result.out).error.message, `--json and --format ${format} cannot be combined.`)
    }
  })

  test('no command at all shows the help on stderr', async () => {
    const result = await runOn({})
    assert.deepEqual([result.out, result.code], ['', 2])
    assert.match(result.err, /^Indexes notes.*\nUsage: carrel .*Commands:/s)
    assert.equal(JSON.parse((await runOn({}, '--json')).out).error.code, 'usage')
  })

  test('a bad configuration is wrong use', async () => {
    const settings = async () => {
      throw new Problem('bad_configuration', 'Unknown key "x".', 'Did you mean "y"?')
    }
    const result = await runOn({ settings }, 'status', '--json')
    assert.equal(result.code, 2)
    assert.equal(result.err, 'error: Unknown key "x".\nDid you mean "y"?\n')
    assert.deepEqual(JSON.parse(result.out).error.code, 'bad_configuration')
  })

  test('a request that cannot be met ends with 1', async () => {
    const result = await runOn(failing(new Problem('not_found', 'No collection "x".')), 'status')
    assert.deepEqual([result.err, result.code, result.closed], ['error: No collection "x".\n', 1, 1])
  })

  test('a bug is one plain line, and its stack only on request', async () => {
    const result = await runOn(failing(new TypeError('x is not\na function')), 'status')
    assert.equal(
      result.err,
      'error: Something went wrong inside Carrel: x is not\nThis is a bug. Run the command again with CARREL_DEBUG=1 to see where it happened.\n',
    )
    assert.equal(result.code, 1)
    const cause = new Error('deep down')
    const debug = await runOn(
      { ...failing(new Error('top', { cause })), env: { CARREL_DEBUG: '1' } },
      'status',
    )
    assert.match(debug.err, /Error: top\n {4}at .*caused by Error: deep down\n {4}at /s)
  })

  test('an interruption ends with 130 and no complaint', async () => {
    const interrupted = (...argv: string[]) => {
      const controller = new AbortController()
      const indexAll: Services['indexAll'] = async (_library, { signal }) => {
        controller.abort()
        signal?.throwIfAborted()
        return report
      }
      return runOn({ signal: controller.signal, services: { indexAll } }, ...argv)
    }
    const result = await interrupted('index')
    assert.deepEqual([result.out, result.err, result.code, result.closed], ['', 'Stopped.\n', 130, 1])
    const json = await interrupted('index', '--json')
    assert.deepEqual(JSON.parse(json.out), { error: { code: 'stopped', message: 'Stopped.' } })
    assert.deepEqual([json.err, json.code], ['Stopped.\n', 130])
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

describe('--quiet', () => {
  const setup: Services['setup'] = async ({ client }) => ({
    result: { client, file: '/f.json', action: 'created', notes: ['Restart it.'] },
    changedLines: '+ x\n',
  })
  const syncNewPackages = async () => ({ reports: [], notes: [] })
  const indexing = (counts: Partial<typeof report.counts> = {}) => ({
    services: {
      setup,
      syncNewPackages,
      indexAll: async () => ({ ...report, counts: { ...report.counts, failed: 0, ...counts } }),
    },
  })

  test('prints nothing on success', async () => {
    for (const argv of [
      ['index', '-q'],
      ['-q', 'index'],
      ['setup', '--client', 'cursor', '--quiet'],
    ]) {
      const result = await runOn(indexing(), ...argv)
      assert.deepEqual([result.out, result.err, result.code], ['', '', 0], argv.join(' '))
    }
  })

  test('still prints failures and results', async () => {
    assert.match((await runOn(indexing({ failed: 1 }), 'index', '-q')).out, /1 failed/)
    const result = await runOn(indexing(), 'setup', '--client', 'cursor', '--dry-run', '-q')
    assert.deepEqual([result.out, result.err], ['/f.json: The file would be created.\n+ x\n', ''])
    assert.match((await runOn(indexing(), 'index', '-q', '--json')).out, /"counts"/)
  })
})

describe('help', () => {
  for (const command of ['index', 'search', 'status', 'doctor', 'eval'])
    test(`of ${command} opens with a sentence and an example, and lists the program's options`, async () => {
      const result = await runOn({}, command, '--help')
      const opening = `^[A-Z][^\\n]+\\.\\n\\nExamples:\\n  carrel ${command}.*\\nUsage: carrel ${command}`
      assert.match(result.out, new RegExp(opening, 's'))
      assert.match(result.out, /Options of every command.*--root,/)
      assert.deepEqual([result.err, result.code], ['', 0])
    })

  for (const [command, usage, needed] of [
    ['setup', '--client <NAME> [options]', /--client <NAME> +the client \(required\)/],
    ['add', '<URL> --as <NAME> [options]', /--as <NAME> +the alias of the collection \(required\)/],
    ['crawl', '[options] <URL> | --resume', /URL +where to start \(required without --resume\)/],
    ['graph', '[options] COMMAND', /check/],
    ['import', '[options] <FILE> | COMMAND', /FILE/],
  ] as const)
    test(`lists what ${command} requires`, async () => {
      const result = await runOn({}, command, '--help')
      assert.ok(result.out.includes(`\n\nUsage: carrel ${command} ${usage}\n`), result.out)
      assert.match(result.out, needed)
    })

  test('is shown for "help COMMAND", also for a subcommand', async () => {
    for (const [words, usage] of [
      [['help', 'search'], 'carrel search'],
      [['help', 'graph', 'check'], 'carrel graph check'],
      [['help'], 'carrel [options] COMMAND'],
    ] as const) {
      const result = await runOn({}, ...words)
      assert.ok(result.out.includes(`\n\nUsage: ${usage}`), result.out)
      assert.deepEqual([result.err, result.code], ['', 0])
    }
  })

  test('refuses an unknown command and suggests the closest one', async () => {
    const result = await runOn({}, 'help', 'serch')
    assert.deepEqual([result.out, result.code], ['', 2])
    assert.equal(result.err, `error: Unknown command 'serch'.\nDid you mean "search"?\n`)
    assert.match(
      (await runOn({}, 'help', 'graph', 'nothing-like-it')).err,
      /The commands are check, export\./,
    )
    for (const argv of [
      ['serch', '--help'],
      ['--root', '/x', 'serch', '-h'],
      ['--json', '--set', 'a=b', 'graph', 'chekc', '--help'],
    ]) {
      const result = await runOn({}, ...argv)
      assert.equal(result.code, 2, argv.join(' '))
      assert.match(
        result.err,
        /^error: Unknown command '(serch|chekc)'\.\nDid you mean "(search|check)"\?\n$/,
      )
    }
    assert.match(
      (await runOn({}, 'search', 'nope', '--help')).out,
      /^Finds the passages.*\nUsage: carrel search/s,
    )
  })

  test('of the program names every command, and --version is bare', async () => {
    assert.match((await runOn({}, '--help')).out, /index.*search.*status.*doctor.*eval/s)
    assert.equal((await runOn({}, '--version')).out, '9.9.9\n')
  })
})
