import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { zipSync } from 'fflate'
import { zipOf } from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { openZip, zipLimits } from './zip.js'

describe('an archive', () => {
  test('gives its parts by name', () => {
    const zip = openZip(zipOf({ 'a.xml': 'hello', 'b/c.xml': 'x'.repeat(5000) }))
    assert.deepEqual(zip.names, ['a.xml', 'b/c.xml'])
    assert.equal(Buffer.from(zip.bytes('a.xml')!).toString(), 'hello')
    assert.equal(zip.bytes('b/c.xml')!.length, 5000)
    assert.equal(zip.bytes('nowhere'), null)
  })

  test('hides parts whose names lead out of it', () => {
    const zip = openZip(
      zipOf({ '../evil.xml': 'a', '/etc/passwd': 'b', 'x/../../y': 'c', 'C:/z': 'd', 'good..xml': 'e' }),
    )
    assert.deepEqual(zip.names, ['good..xml'])
  })

  test('is read with comments on it and its parts', () => {
    const bytes = zipSync(
      { 'a.xml': [Buffer.from('hello'), { comment: 'a part' }] },
      { comment: 'an archive' },
    )
    assert.equal(Buffer.from(openZip(bytes).bytes('a.xml')!).toString(), 'hello')
  })

  test('is refused for its declared size before anything is unpacked', () => {
    refused(zipOf({ bomb: new Uint8Array(20_000_000) }), 'too_large', /unpacks to \d+ times its size/)
    refused(zipOf({ a: new Uint8Array(900), b: new Uint8Array(900) }), 'too_large', /come to more than/, {
      totalBytes: 1000,
    })
    refused(zipOf({ a: 'a', b: 'b', c: 'c' }), 'too_large', /more than 2 parts/, { entries: 2 })
  })

  test('is cut off when a part unpacks to more than it announces', () => {
    const zip = openZip(lying(zipOf({ 'word/document.xml': 'x'.repeat(100_000) }), 10))
    assert.throws(() => zip.bytes('word/document.xml'), isProblem('too_large', /more than it announces/))
  })

  test('is reported as locked when its parts are encrypted', () => {
    const bytes = Buffer.from(zipOf({ 'a.xml': 'hello' }))
    bytes.writeUInt16LE(1, bytes.indexOf('PK\x01\x02') + 8)
    assert.throws(() => openZip(bytes).bytes('a.xml'), isProblem('protected', /password/))
  })

  test('is damaged when it is truncated, at any place', () => {
    const whole = zipOf({ 'a.xml': 'hello '.repeat(100), 'b.xml': 'world' })
    for (let length = 0; length < whole.length; length += 7)
      assert.throws(
        () => openZip(whole.subarray(0, length)),
        isProblem('damaged', /archive is missing|parts is broken/),
      )
  })

  test('never does worse than a Problem on broken bytes', () => {
    const whole = zipOf({ 'a.xml': 'hello '.repeat(100), 'b.xml': 'world' })
    for (let at = 0; at < whole.length; at++) {
      const broken = Uint8Array.from(whole)
      broken[at] = broken[at]! ^ 0xff
      try {
        const zip = openZip(broken)
        for (const name of zip.names) zip.bytes(name)
      } catch (error) {
        assert.ok(error instanceof Problem, `byte ${at}: ${error}`)
      }
    }
  })

  test('holds an archive in an archive as bytes, however deep', () => {
    let nested = zipOf({ 'a.xml': 'innermost' })
    for (let i = 0; i < 20; i++) nested = zipOf({ 'inner.zip': nested })
    assert.deepEqual(openZip(nested).names, ['inner.zip'])
  })
})

function refused(bytes: Uint8Array, code: string, message: RegExp, limits = {}) {
  assert.throws(() => openZip(bytes, { ...zipLimits, ...limits }), isProblem(code, message))
}

function isProblem(code: string, message: RegExp) {
  return (error: unknown) => error instanceof Problem && error.code === code && message.test(error.message)
}

/** The same archive, with the size in its table of contents written down to `size`. */
function lying(bytes: Uint8Array, size: number): Uint8Array {
  const file = Buffer.from(bytes)
  file.writeUInt32LE(size, file.indexOf('PK\x01\x02') + 24)
  return file
}
