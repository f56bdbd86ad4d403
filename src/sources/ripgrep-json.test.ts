import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.js'
import { matchesIn, type Place } from './ripgrep-json.js'

interface Text {
  text?: string
  bytes?: string
}
interface Line {
  lines: Text
  line_number: number
  absolute_offset: number
  submatches: { match: Text; start: number; end: number }[]
}
interface Found {
  path: Text
  matches: Line[]
}

/** As ripgrep prints it. */
function printed(files: readonly Found[]): Buffer {
  const messages = files.flatMap(({ path, matches }) => [
    { type: 'begin', data: { path } },
    ...matches.map((line) => ({ type: 'match', data: { path, ...line } })),
    { type: 'end', data: { path, binary_offset: null, stats: { elapsed: { secs: 0 }, matches: 1 } } },
  ])
  const summary = { data: { elapsed_total: { human: '0.1s' }, stats: {} }, type: 'summary' }
  return Buffer.from([...messages, summary].map((message) => `${JSON.stringify(message)}\n`).join(''))
}

/** The slow and obvious way. */
function parsedWhole(bytes: Buffer): Place[] {
  const messages = bytes.toString().trim().split('\n')
  return messages.flatMap((json) => {
    const { type, data } = JSON.parse(json) as { type: string; data: Line & { path: Text } }
    if (type !== 'match') return []
    const path = data.path.text ?? Buffer.from(data.path.bytes!, 'base64').toString()
    const starts = data.submatches.length > 0 ? data.submatches.map(({ start }) => start) : [0]
    return starts.map((start) => ({ path, line: data.line_number, offset: data.absolute_offset + start }))
  })
}

async function* cutAt(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

async function read(bytes: Buffer, cuts: readonly number[] = []): Promise<Place[]> {
  const places: Place[] = []
  for await (const place of matchesIn(cutAt(bytes, cuts))) places.push(place)
  return places
}

const lookAlikes = [
  '"start":5',
  '},"start":5,"end":6}',
  '"},"line_number":9,"absolute_offset":9,"submatches":[{"match":{"text":"x"},"start":1,"end":2}]}}',
  '\\"},\\"start\\":7}',
  '},',
  '\\',
  '\n{"type":"begin","data":{"path":{"text":"./other"}}}\n',
  '{"type":"match","data":{',
  ',"submatches":[',
  '',
  'é𝄞\u2028\0',
]

const sample: Found[] = [
  {
    path: { text: './a "},"start":3.txt' },
    matches: lookAlikes.map((text, i) => ({
      lines: { text: `${text}\n` },
      line_number: i + 1,
      absolute_offset: i * 1_000,
      submatches: lookAlikes
        .slice(i, i + 2)
        .map((match, k) => ({ match: { text: match }, start: k * 3, end: k * 3 + 1 })),
    })),
  },
  {
    path: { bytes: Buffer.from([0x2e, 0x2f, 0x6e, 0xff, 0x2e, 0x74]).toString('base64') },
    matches: [
      {
        lines: { bytes: Buffer.from([0xff, 10]).toString('base64') },
        line_number: 7,
        absolute_offset: 90,
        submatches: [{ match: { bytes: '/w==' }, start: 0, end: 1 }],
      },
      { lines: { text: 'last' }, line_number: 8, absolute_offset: 92, submatches: [] },
    ],
  },
]

describe('matches in a stream of JSON', () => {
  test('are those of the whole, wherever the stream is cut once', async () => {
    const bytes = printed(sample)
    const expected = parsedWhole(bytes)
    for (let cut = 0; cut <= bytes.length; cut++) assert.deepEqual(await read(bytes, [cut]), expected)
  })

  test('are those of the whole, byte for byte', async () => {
    const bytes = printed(sample)
    const cuts = Array.from({ length: bytes.length }, (_, i) => i)
    assert.deepEqual(await read(bytes, cuts), parsedWhole(bytes))
  })

  test('are those of the whole for any text', async () => {
    const text = fc.oneof(
      anyText(),
      fc.array(fc.constantFrom(...lookAlikes, '"', '\\', '}', ']')).map((some) => some.join('')),
    )
    const either = fc.oneof(
      text.map((one) => ({ text: one })),
      fc.uint8Array().map((one) => ({ bytes: Buffer.from(one).toString('base64') })),
    )
    const submatches = fc.array(fc.record({ match: either, start: fc.nat(), end: fc.nat() }), {
      maxLength: 4,
    })
    const line = { lines: either, line_number: fc.nat(), absolute_offset: fc.nat(), submatches }
    const file = fc.record({ path: either, matches: fc.array(fc.record(line), { maxLength: 4 }) })
    const law = fc.asyncProperty(
      fc.array(file, { maxLength: 4 }),
      fc.array(fc.nat(3_000), { maxLength: 20 }),
      async (files, places) => {
        const bytes = printed(files)
        const cuts = places.filter((at) => at < bytes.length).sort((a, b) => a - b)
        assert.deepEqual(await read(bytes, cuts), parsedWhole(bytes))
      },
    )
    await fc.assert(law, { seed: 7, numRuns: 100 })
  })

  test('have the path of their file, also one that is no UTF-8', async () => {
    const places = await read(printed(sample))
    assert.deepEqual([...new Set(places.map(({ path }) => path))], ['./a "},"start":3.txt', './n\ufffd.t'])
  })

  test('of a line of 20 MB are read piece by piece', async () => {
    const huge = { text: '"start":1},"'.repeat(1_700_000) }
    const submatches = Array.from({ length: 100_000 }, (_, i) => ({
      match: { text: 'x' },
      start: i * 9,
      end: i * 9 + 1,
    }))
    const line = { lines: huge, line_number: 3, absolute_offset: 40, submatches }
    const bytes = printed([{ path: { text: './min.js' }, matches: [line] }])
    const cuts = Array.from({ length: Math.floor(bytes.length / 65_536) }, (_, i) => (i + 1) * 65_536)
    let count = 0
    for await (const { path, line: at, offset } of matchesIn(cutAt(bytes, cuts))) {
      if (path !== './min.js' || at !== 3 || offset !== 40 + count * 9) assert.fail(`${path}:${at}:${offset}`)
      count++
    }
    assert.equal(count, 100_000)
  })

  test('are no longer looked for when the caller stops', async () => {
    let read = 0
    let closed = false
    const bytes = printed(sample)
    const stream = async function* () {
      try {
        for (;;) {
          read++
          yield bytes
        }
      } finally {
        closed = true
      }
    }
    for await (const _ of matchesIn(stream())) break
    assert.deepEqual([read, closed], [1, true])
  })

  test('of a stream that breaks off are those that came whole', async () => {
    const bytes = printed(sample)
    const all = parsedWhole(bytes)
    for (let length = 0; length < bytes.length; length += 7) {
      const some = await read(bytes.subarray(0, length))
      assert.deepEqual(some, all.slice(0, some.length))
    }
  })
})
