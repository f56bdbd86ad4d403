import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { hasMaskedKey, maskPrivateKeys } from './mask-private-keys.js'

// Put together at run time, so that scanners of this repository do not take the examples for leaks.
const fence = (end: 'BEGIN' | 'END', kind: string) => `-----${end} ${kind}-----`
const row = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH9jK2mN5pQ8sT1vW4xY7z/+12345678'
const rows = [row, row, `${row.slice(0, 20)}==`]
const block = (kind: string, body: readonly string[]) =>
  [fence('BEGIN', kind), ...body, fence('END', kind)].join('\n')
const kind = 'RSA PRIVATE KEY'

const keys: Record<string, string> = {
  'a block': block(kind, rows),
  'an OpenSSH key': block('OPENSSH PRIVATE KEY', rows),
  'a PGP key': block('PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', '', ...rows, '=a1B2']),
  'an encrypted key': block(kind, ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0123', '', ...rows]),
  'a key with other line ends': block(kind, rows).replaceAll('\n', '\r\n'),
  'a key in a quotation': block(kind, rows).replace(/^/gm, '> '),
  'an indented key': block(kind, rows).replace(/^/gm, '    '),
  'a key in JSON': JSON.stringify({ private_key: block('PRIVATE KEY', rows) }),
  'a key in code': block(kind, rows)
    .split('\n')
    .map((line) => `'${line}\\n' +`)
    .join('\n'),
  'a key on one line': block('PRIVATE KEY', rows).replaceAll('\n', ' '),
  'a key without an end': [fence('BEGIN', 'EC PRIVATE KEY'), ...rows].join('\n'),
  'a PuTTY key': `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n${row}\n${row}\n`,
}

describe('private keys', () => {
  for (const [what, key] of Object.entries(keys))
    test(`are masked: ${what}`, () => {
      const text = `# Note\n\nBefore.\n\n${key}\n\nAfter it, some prose.\n`
      const clean = maskPrivateKeys(text)
      assert.equal(clean.length, text.length)
      assert.equal(clean.split('\n').length, text.split('\n').length)
      assert.doesNotMatch(clean, /aB3dE6|gH9jK2|W4xY7z|a1B2/)
      assert.match(clean, /PRIVATE KEY|Private-Lines/)
      assert.ok(clean.startsWith('# Note\n\nBefore.\n\n') && clean.endsWith('\n\nAfter it, some prose.\n'))
      assert.equal(maskPrivateKeys(clean), clean)
      assert.ok(hasMaskedKey(clean))
      assert.ok(!hasMaskedKey(text))
    })

  for (const text of [
    `A key starts with ${fence('BEGIN', kind)} and its body follows in lines of base64 letters.`,
    `${fence('BEGIN', kind)}\n...\n${fence('END', kind)}`,
    `${fence('BEGIN', kind)}\n<your key here>\n${fence('END', kind)}`,
    `const begin = '${fence('BEGIN', kind)}'\nexport function readPrivateKeyFromFile(path) {}\n`,
    block('PUBLIC KEY', rows),
    block('CERTIFICATE', rows),
    'The PRIVATE KEY of the server is kept elsewhere.',
  ])
    test(`are not seen in ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.equal(maskPrivateKeys(text), text)
      assert.ok(!hasMaskedKey(text))
    })

  test('take linear time', () => {
    for (const piece of [
      fence('BEGIN', kind),
      `${fence('BEGIN', kind)}\nA: b`,
      `${fence('BEGIN', kind)} aaaaaaaaaaaaaaaaaaaa-`,
      '-----BEGIN ',
      'Private-Lines: 1\na\n',
      'PRIVATE KEY-----\n"',
    ]) {
      const took = processorTime(() => maskPrivateKeys(piece.repeat(Math.ceil(300_000 / piece.length))))
      assert.ok(took < 2_000, `${JSON.stringify(piece)}: ${took} ms`)
    }
  })
})
