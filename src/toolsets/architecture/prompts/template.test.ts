import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { argumentsIn, readTemplate, uriWith } from './template.js'

describe('templates', () => {
  test('are taken apart', () => {
    assert.deepEqual(readTemplate('a {{b}} c {{resource:architecture://patterns/*}}{{tool:x-y}} {{ d }}'), [
      { kind: 'text', text: 'a ' },
      { kind: 'argument', name: 'b', written: '{{b}}' },
      { kind: 'text', text: ' c ' },
      { kind: 'resource', uri: 'architecture://patterns/*' },
      { kind: 'tool', name: 'x-y' },
      { kind: 'text', text: ' ' },
      { kind: 'argument', name: 'd', written: '{{ d }}' },
    ])
  })

  test('what is no placeholder stays', () => {
    for (const text of ['{{', '}}', '{{}}', '{{ 1a }}', '{ {a} }', '{{a b}}', '{{resource:}}', '{{#if x}}'])
      assert.deepEqual(readTemplate(text), [{ kind: 'text', text }])
  })

  test('a uri takes arguments that cannot become wildcards or other addresses', () => {
    const [part] = readTemplate('{{resource:architecture://patterns/{name}}}')
    assert.deepEqual(part, { kind: 'resource', uri: 'architecture://patterns/{name}' })
    assert.deepEqual(argumentsIn([part!]), ['name'])
    assert.equal(uriWith('architecture://patterns/{name}', { name: '*' }), 'architecture://patterns/%2A')
    assert.equal(
      uriWith('architecture://patterns/{name}', { name: '../adr/1' }),
      'architecture://patterns/..%2Fadr%2F1',
    )
    assert.equal(uriWith('architecture://patterns/{name}', { name: ' ' }), null)
    assert.equal(uriWith('architecture://patterns/{toString}', {}), null)
  })

  test('a long row of braces takes no time', () => {
    const before = process.cpuUsage()
    readTemplate('{{'.repeat(100_000))
    readTemplate(`{{resource:${'{a}'.repeat(50_000)}`)
    assert.ok(process.cpuUsage(before).user < 3_000_000)
  })
})
