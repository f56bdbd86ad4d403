import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeEmbedder } from '../../../test/support/fake-embedder.js'
import type { Embedder, Entailment, Pair } from '../../embed/port.js'
import type { Adr } from '../../parse/adr/adr.js'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { readTogether } from './read-together.js'

const rules = ['Apples', 'Bears', 'Cedars', 'Doors', 'Eagles', 'Ferries', 'Gates'].map(
  (name) => `${name} must be red.`,
)
const record = () =>
  parseAdr('adr/1.md', `# Colours\n\n## Status\n\nAccepted\n\n## Decision\n\n${rules.join(' ')}\n`)

const enough = { timeMs: 5_000 }
const found = (record: Adr) => ({ record, found: [] })

function readers() {
  const [embedded, compared]: [string[], Pair[]] = [[], []]
  const fake = fakeEmbedder()
  const embedder: Embedder = {
    ...fake,
    embed(texts, options) {
      embedded.push(...texts)
      return fake.embed(texts, options)
    },
  }
  const entailment: Entailment = {
    model: 'fake',
    async compare(pairs, { signal } = {}) {
      signal?.throwIfAborted()
      compared.push(...pairs)
      return pairs.map(() => ({ against: 0.5, along: 0.2, beside: 0.3 }))
    },
    close: async () => {},
  }
  return { embedder, entailment, embedded, compared }
}

test('a proposal is read with the statements that are nearest to it, each under its title', async () => {
  const { compared, ...all } = readers()
  const one = record()
  const read = await readTogether(all, 'Paint the doors and the eagles blue.', [found(one)], enough)
  assert.ok(Array.isArray(read))
  assert.equal(read[0]!.statements.length, 6)
  const decisions = compared.map(([, decision]) => decision)
  assert.ok(decisions.includes('Colours. Doors must be red.'))
  assert.ok(decisions.includes('Colours. Eagles must be red.'))
  assert.equal(read[0]!.statements[0]!.stand.against, 0.5)
  assert.equal(read[0]!.statements[0]!.part, 'Paint the doors and the eagles blue.')
})

test('the same statements are read at once as well, in the order of the record', async () => {
  const { compared, ...all } = readers()
  const one = record()
  const read = await readTogether(all, 'Paint the eagles and the doors blue.', [found(one)], enough)
  assert.ok(Array.isArray(read))
  assert.deepEqual(read[0]!.atOnce, [{ against: 0.5, along: 0.2, beside: 0.3 }])
  const [, whole] = compared.at(-1)!
  assert.match(whole, /^Colours\. .*Doors must be red\. .*Eagles must be red\./)
  assert.equal(compared.length, 7)
})

test('a record is embedded once for each model, a proposal each time', async () => {
  const one = { ...record(), title: 'Paint' }
  const { embedder, entailment, embedded } = readers()
  await readTogether({ embedder, entailment }, 'Paint the doors.', [found(one)], enough)
  await readTogether({ embedder, entailment }, 'Paint the gates.', [found(one)], enough)
  assert.deepEqual(embedded.slice(-1), ['Paint the gates.'])
  assert.equal(
    embedded.filter((text) => text.startsWith('Paint.') || text === 'Paint').length,
    rules.length + 1,
  )
  const other = { ...embedder, model: 'other' }
  await readTogether({ embedder: other, entailment }, 'Paint the gates.', [found(one)], enough)
  assert.equal(embedded.filter((text) => text.startsWith('Paint. ')).length, rules.length * 2)
})

test('a long proposal is read a few sentences at a time, and of a huge one only the first', async () => {
  const { compared, ...all } = readers()
  await readTogether(all, 'Paint every one of the doors blue. '.repeat(140), [found(record())], enough)
  const parts = new Set(compared.map(([part]) => part))
  assert.ok(compared.length <= 42 && parts.size === 1, `${compared.length} pairs, ${parts.size} parts`)
  for (const part of parts) assert.ok(part.length < 500)
})

test('a model that fails is a note, and a request that was given up is given up', async () => {
  const { embedder, entailment } = readers()
  const broken: Entailment = { ...entailment, compare: () => Promise.reject(new Error('gone')) }
  const note = await readTogether({ embedder, entailment: broken }, 'Paint it.', [found(record())], enough)
  assert.ok('code' in note && note.code === 'words_only' && /gone/.test(note.message))
  const gone = AbortSignal.abort()
  await assert.rejects(
    readTogether({ embedder, entailment }, 'Paint it.', [found(record())], { ...enough, signal: gone }),
    {
      name: 'AbortError',
    },
  )
})

test('models that take too long are not waited for', async () => {
  const { embedder, entailment } = readers()
  const slow: Entailment = {
    ...entailment,
    compare: (_, { signal } = {}) =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
  }
  // A limit does not keep a process alive that has nothing else to do; a model at work does.
  const atWork = setTimeout(() => {}, 10_000)
  const note = await readTogether({ embedder, entailment: slow }, 'Paint it.', [found(record())], {
    timeMs: 19.5,
  })
  clearTimeout(atWork)
  assert.ok('code' in note && /took too long/.test(note.message))
})
