import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openSafetensors } from './safetensors.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-safetensors-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0

function file(bytes: Uint8Array): string {
  const path = join(folder, `${count++}.safetensors`)
  writeFileSync(path, bytes)
  return path
}

function withHeader(header: unknown, body: Uint8Array = new Uint8Array()): Uint8Array {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, body])
}

describe('tensors', () => {
  const body = new Uint8Array(28)
  const view = new DataView(body.buffer)
  view.setFloat32(0, 1.5, true)
  view.setFloat32(4, -2, true)
  // 16-bit floats: 1, -2, the largest, the smallest, infinity, not a number.
  for (const [i, bits] of [0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x7e00].entries())
    view.setUint16(8 + 2 * i, bits, true)
  view.setUint16(20, 0x3fc0, true)
  view.setInt8(22, -63)
  view.setInt8(23, 127)
  const tensors = openSafetensors(
    file(
      withHeader(
        {
          __metadata__: { format: 'pt' },
          plain: { dtype: 'F32', shape: [2, 1], data_offsets: [0, 8] },
          half: { dtype: 'F16', shape: [6], data_offsets: [8, 20] },
          small: { dtype: 'I8', shape: [2], data_offsets: [22, 24] },
          brain: { dtype: 'BF16', shape: [], data_offsets: [20, 22] },
          ids: { dtype: 'I64', shape: [0], data_offsets: [22, 22] },
        },
        body,
      ),
    ),
  )
  after(() => tensors.close())

  test('are read by name, as floats', () => {
    assert.deepEqual(tensors.read('plain'), { shape: [2, 1], data: Float32Array.of(1.5, -2) })
    const smallest = 2 ** -24
    const halves = Float32Array.of(1, -2, 65504, smallest, Number.POSITIVE_INFINITY, Number.NaN)
    assert.deepEqual(tensors.read('half').data, halves)
    assert.deepEqual(tensors.read('small'), { shape: [2], data: Float32Array.of(-63, 127) })
    assert.deepEqual(tensors.read('brain'), { shape: [], data: Float32Array.of(1.5) })
  })

  test('are missed by name', () => {
    assert.deepEqual([tensors.has('small'), tensors.has('toString')], [true, false])
    for (const name of ['other', '__metadata__', 'toString', 'ids'])
      assert.throws(() => tensors.read(name), { name: 'Problem', code: 'embedder_weights' })
  })
})

describe('damaged files are reported as damaged', () => {
  const entry = { dtype: 'F32', shape: [2], data_offsets: [0, 8] }
  const cases: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    'shorter than its first number': new Uint8Array(5),
    'a header longer than the file': Buffer.from([255, 0, 0, 0, 0, 0, 0, 0, 123]),
    'an absurd header length': new Uint8Array(100).fill(255),
    'a header that is not JSON': withHeader('{"a":'),
    'a header that is not text': Buffer.concat([
      Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.from([0xff, 0xfe]),
    ]),
    'a body cut short': withHeader({ a: entry }, new Uint8Array(7)),
    'a size that does not fit the shape': withHeader({ a: { ...entry, shape: [3] } }, new Uint8Array(8)),
    'places that run backwards': withHeader({ a: { ...entry, data_offsets: [8, 0] } }, new Uint8Array(8)),
    'no places': withHeader({ a: { dtype: 'F32', shape: [2] } }, new Uint8Array(8)),
    'no shape': withHeader({ a: { dtype: 'F32', data_offsets: [0, 8] } }, new Uint8Array(8)),
    'an entry that is null': withHeader({ a: null }, new Uint8Array(8)),
  }
  for (const [title, bytes] of Object.entries(cases))
    test(title, () =>
      assert.throws(() => openSafetensors(file(bytes)), {
        name: 'Problem',
        code: 'embedder_weights',
        message: /damaged/,
      }),
    )
})
