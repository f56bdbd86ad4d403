import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runOn, type Stage } from '../../../../test/cli-stage.js'
import type { EvalReport, Status } from '../../../model/reports.js'
import type { Services } from '../context.js'

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
    disk: { texts: 6_000_000, postings: 3_200_000, vectors: 0, rest: 3_100_000 },
    indexing: { pid: 77, host: 'desk' },
    folders: 2,
    unread: [],
    lastIndexed: '2026-11-15T10:00:00.000Z',
    lastSkipped: [],
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
        'data       /project/.carrel (12 MB: texts 6.0 MB, postings 3.2 MB, rest 3.1 MB)',
        'documents  1,212 (4,200,000 characters)',
        'chunks     9,340',
        'indexed    2026-11-15T10:00:00.000Z',
        'indexing   now, by process 77 on desk',
        '',
        'Collections',
        '  name   kind    documents  chunks  location',
        '  docs   folder         12     340  /project/docs',
        '  notes  folder      1,200   9,000  /project/notes',
        '',
        'Vectors',
        '  minilm: 9,000 of 9,340 chunks',
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

  test('status of a project without an index says what to do', async () => {
    const statusText = async (more: Partial<Status>) =>
      (
        await runOn(
          { services: { status: async () => ({ ...facts, lastIndexed: null, ...more }) } },
          'status',
        )
      ).out
    assert.match(await statusText({ documents: 0, chunks: 0 }), /^indexed {4}never; run carrel index$/m)
    const unread = [{ name: 'more', location: '/project/more' }]
    assert.match(await statusText({ unread }), /^indexed {4}no folder yet; run carrel index$/m)
    assert.match(await statusText({}), /^indexed {4}no folder has files to index$/m)
    const part =
      /^Never indexed to the end\n {2}more {2}\/project\/more\n {2}Search finds only a part of them/m
    assert.match(await statusText({ unread }), new RegExp(`${part.source} until indexing is done\\.$`, 'm'))
    assert.match(
      await statusText({ unread, indexing: null }),
      new RegExp(`${part.source}: run carrel index$`, 'm'),
    )
    assert.match(await statusText({ folders: 0 }), /^indexed {4}no folder is configured$/m)
    const unembedded = { vectors: [{ model: 'minilm', count: 0 }] }
    assert.match(await statusText(unembedded), /^Vectors\n {2}minilm: 0 of 9,340 chunks$/m)
    assert.doesNotMatch(await statusText({ ...unembedded, chunks: 0 }), /Vectors/)
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
    const result = await runOn(stage, 'doctor')
    assert.equal(
      result.out,
      [
        'ok        root      readable',
        'failed    database  is damaged',
        '                    Run carrel doctor --repair.',
        '',
        '1 of 2 checks failed.',
        '',
      ].join('\n'),
    )
    assert.equal(result.code, 1)
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
    kinds: [],
    notes: ['One query has no judgement.'],
  }

  test('eval prints a table, and the agreed keys for programs', async () => {
    const calls: unknown[] = []
    const evaluate: Services['evaluate'] = async (_settings, { folder, mode }) => {
      calls.push([folder, mode])
      return measured
    }
    const stage: Stage = { services: { evaluate } }
    const result = await runOn(stage, 'eval', 'data/cranfield', '--mode', 'text')
    assert.equal(
      result.out,
      [
        'set        mode  documents  queries  nDCG@10  graded  Recall@100  MRR@10     p50     p95  index',
        'cranfield  text      1,400      225   0.3712  0.3500      0.7254  0.5000  0.8 ms  2.1 ms  1.5 s',
        '',
      ].join('\n'),
    )
    assert.equal(result.err, 'note: One query has no judgement.\n')
    assert.deepEqual(calls, [['data/cranfield', 'text']])
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
