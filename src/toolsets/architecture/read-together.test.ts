import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeEmbedder } from '../../../test/support/fake-embedder.js'
import type { Entailment, Pair } from '../../embed/entail/port.js'
import type { Embedder } from '../../embed/port.js'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { prepared } from '../../retrieve/alignment/align.js'
import { readTogether } from './read-together.js'

const rules = ['Apples', 'Bears', 'Cedars', 'Doors', 'Eagles', 'Ferries', 'Gates'].map(
  (name) => `${name} must be red.`,
)
const record = () =>
  prepared(parseAdr('adr/1.md', `# Colours\n\n## Status\n\nAccepted\n\n## Decision\n\n${rules.join(' ')}\n`))

const enough = 5_000

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
  const found = await readTogether(all, 'Paint the doors and the eagles blue.', [one], undefined, enough)
  assert.ok(found instanceof Map)
  assert.equal(found.get(one)!.statements.length, 6)
  const decisions = compared.map(([, decision]) => decision)
  assert.ok(decisions.includes('Colours. Doors must be red.'))
  assert.ok(decisions.includes('Colours. Eagles must be red.'))
  assert.equal(found.get(one)!.statements[0]!.stand.against, 0.5)
  assert.equal(found.get(one)!.statements[0]!.part, 'Paint the doors and the eagles blue.')
})

test('the same statements are read at once as well, in the order of the record', async () => {
  const { compared, ...all } = readers()
  const one = record()
  const found = await readTogether(all, 'Paint the eagles and the doors blue.', [one], undefined, enough)
  assert.ok(found instanceof Map)
  assert.deepEqual(found.get(one)!.atOnce, [{ against: 0.5, along: 0.2, beside: 0.3 }])
  const [, whole] = compared.at(-1)!
  assert.match(whole, /^Colours\. .*Doors must be red\. .*Eagles must be red\./)
  assert.equal(compared.length, 7)
})

test('a record is embedded once a model, a proposal each time', async () => {
  const one = record()
  const { embedder, entailment, embedded } = readers()
  await readTogether({ embedder, entailment }, 'Paint the doors.', [one], undefined, enough)
  await readTogether({ embedder, entailment }, 'Paint the gates.', [one], undefined, enough)
  assert.deepEqual(embedded.slice(-1), ['Paint the gates.'])
  assert.equal(embedded.filter((text) => text.startsWith('Colours')).length, rules.length + 1)
  const other = { ...embedder, model: 'other' }
  await readTogether({ embedder: other, entailment }, 'Paint the gates.', [one], undefined, enough)
  assert.equal(embedded.filter((text) => text.startsWith('Colours')).length, 2 * (rules.length + 1))
})

test('a long proposal is read a few sentences at a time, and of a huge one only the first', async () => {
  const { compared, ...all } = readers()
  await readTogether(all, 'Paint every one of the doors blue. '.repeat(140), [record()], undefined, enough)
  const parts = new Set(compared.map(([part]) => part))
  assert.ok(compared.length <= 42 && parts.size === 1, `${compared.length} pairs, ${parts.size} parts`)
  for (const part of parts) assert.ok(part.length < 500)
})

test('a model that fails is a note, and a request that was given up is given up', async () => {
  const { embedder, entailment } = readers()
  const broken: Entailment = { ...entailment, compare: () => Promise.reject(new Error('gone')) }
  const note = await readTogether(
    { embedder, entailment: broken },
    'Paint it.',
    [record()],
    undefined,
    enough,
  )
  assert.ok('code' in note && note.code === 'words_only' && /gone/.test(note.message))
  const gone = AbortSignal.abort()
  await assert.rejects(readTogether({ embedder, entailment }, 'Paint it.', [record()], gone, enough), {
    name: 'AbortError',
  })
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
  const note = await readTogether({ embedder, entailment: slow }, 'Paint it.', [record()], undefined, 19.5)
  clearTimeout(atWork)
  assert.ok('code' in note && /took too long/.test(note.message))
})
