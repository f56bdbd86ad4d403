import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bytesField, type Encoded, floatField, integerField, message } from './protobuf.js'

function check(title: string, encoded: Encoded, hex: string) {
  test(title, () => {
    const bytes = Buffer.concat(encoded.parts)
    assert.equal(bytes.toString('hex'), hex.replaceAll(' ', ''))
    assert.equal(encoded.size, bytes.length)
  })
}

// Each line can be checked by hand against the encoding's documentation.
describe('protobuf encodings', () => {
  check('a small number', integerField(1, 5), '08 05')
  check('a number of two bytes', integerField(1, 150), '08 96 01')
  check('a field number above fifteen', integerField(20, 2), 'a0 01 02')
  check('a negative number takes ten bytes', integerField(3, -1), '18 ff ff ff ff ff ff ff ff ff 01')
  check('a 64-bit number', integerField(1, 2n ** 63n - 1n), '08 ff ff ff ff ff ff ff ff 7f')
  check('a float', floatField(2, 1.5), '15 00 00 c0 3f')
  check('a text', bytesField(2, 'testing'), '12 07 74 65 73 74 69 6e 67')
  check('a text beyond ASCII', bytesField(2, 'é'), '12 02 c3 a9')
  check('nothing', bytesField(8, new Uint8Array()), '42 00')
  check('a message within a message', bytesField(3, message(integerField(1, 150))), '1a 03 08 96 01')
  check('fields in order', message(integerField(1, 1), bytesField(2, 'a')), '08 01 12 01 61')

  test('large contents are passed on, not copied', () => {
    const large = new Uint8Array(1000)
    assert.equal(bytesField(1, bytesField(2, large)).parts.at(-1), large)
  })
})
