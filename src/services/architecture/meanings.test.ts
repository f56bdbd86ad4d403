import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundledModel } from '../../embed/bundled/model.js'
import type { Embedder } from '../../embed/port.js'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { prepared } from '../../retrieve/alignment/align.js'
import { askedOf } from '../../retrieve/alignment/asked.js'
import { canCompare, vectorsFor } from './meanings.js'

const record = () =>
  prepared(
    parseAdr('adr/1.md', '# Use Helm\n\n## Status\n\nAccepted\n\n## Decision\n\nUse Helm for packages.\n'),
  )

function embedderOf(
  answer: (texts: readonly string[]) => Promise<Float32Array[]>,
): Embedder & { asked: string[][] } {
  const asked: string[][] = []
  return {
    model: bundledModel.name,
    dimensions: 2,
    asked,
    embed: (texts) => {
      asked.push([...texts])
      return answer(texts)
    },
    close: async () => {},
  }
}
const ones = async (texts: readonly string[]) => texts.map(() => new Float32Array([1, 0]))

test('a record is embedded once, a proposal each time', async () => {
  const [one, embedder] = [record(), embedderOf(ones)]
  const first = await vectorsFor(embedder, askedOf('Drop Helm.'), [one], undefined)
  const second = await vectorsFor(embedder, askedOf('Keep Helm for jobs.'), [one], undefined)
  assert.ok(typeof first === 'function' && typeof second === 'function')
  assert.equal(second('Use Helm').length, 2)
  assert.ok(embedder.asked[0]!.includes('Use Helm for packages.'))
  assert.ok(!embedder.asked[1]!.includes('Use Helm for packages.'))
})

test('a model that fails is a note, and one that was cancelled is cancelled', async () => {
  const embedder = embedderOf(async () => {
    throw new Error('gone')
  })
  const note = await vectorsFor(embedder, askedOf('Drop Helm.'), [record()], undefined)
  assert.ok(typeof note !== 'function' && note.code === 'words_only')
  await assert.rejects(vectorsFor(embedder, askedOf('Drop Helm.'), [record()], AbortSignal.abort()))
})

test('only vectors of the model that the weights were fitted on are compared', () => {
  assert.equal(canCompare(null), false)
  assert.equal(canCompare({ ...embedderOf(ones), model: 'other' }), false)
  assert.equal(canCompare(embedderOf(ones)), true)
})
