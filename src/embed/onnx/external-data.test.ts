import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { externalFiles, requireOwnData } from './external-data.js'
import { openOnnxEmbedder } from './onnx-embedder.js'
import { bytesField, type Encoded, integerField, message } from './protobuf.js'

const root = mkdtempSync(join(tmpdir(), 'carrel-external-'))
after(() => rmSync(root, { recursive: true }))
let count = 0

const tensor = (location: string): Encoded =>
  message(
    integerField(1, 4),
    bytesField(13, message(bytesField(1, 'location'), bytesField(2, location))),
    bytesField(13, message(bytesField(1, 'offset'), bytesField(2, '0'))),
    integerField(14, 1),
  )

/** Every place of a model that can hold a tensor. */
const places: Record<string, (inner: Encoded) => Encoded> = {
  'an initializer': (inner) => bytesField(7, bytesField(5, inner)),
  'the values of a sparse initializer': (inner) => bytesField(7, bytesField(15, bytesField(1, inner))),
  'a constant': (inner) => bytesField(7, bytesField(1, bytesField(5, bytesField(5, inner)))),
  'one of several constants': (inner) => bytesField(7, bytesField(1, bytesField(5, bytesField(10, inner)))),
  'a branch': (inner) => bytesField(7, bytesField(1, bytesField(5, bytesField(6, bytesField(5, inner))))),
  'a function': (inner) => bytesField(25, bytesField(7, bytesField(5, bytesField(5, inner)))),
  'a training step': (inner) => bytesField(20, bytesField(1, bytesField(5, inner))),
}

function modelFolder(model: Encoded | Uint8Array): { folder: string; modelPath: string } {
  const folder = join(root, String(count++))
  mkdirSync(folder)
  const bytes = model instanceof Uint8Array ? model : Buffer.concat(model.parts)
  writeFileSync(join(folder, 'model.onnx'), bytes)
  writeFileSync(join(folder, 'config.json'), '{"hidden_size": 2}')
  writeFileSync(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n')
  return { folder, modelPath: join(folder, 'model.onnx') }
}

const initializer = places['an initializer']!

describe('a model with data in other files', () => {
  for (const [place, put] of Object.entries(places))
    test(`is read in ${place}`, async () => {
      const { modelPath } = modelFolder(message(integerField(1, 8), put(tensor('../outside.bin'))))
      assert.deepEqual(await externalFiles(modelPath), ['../outside.bin'])
    })

  for (const location of ['../outside.bin', '/etc/passwd', 'a/../../b', '..', '', 'out.bin', 'way/out.bin'])
    test(`is refused if a file is outside its folder: ${JSON.stringify(location)}`, async () => {
      writeFileSync(join(root, 'outside.bin'), 'secret')
      const model = modelFolder(initializer(tensor(location)))
      symlinkSync(join(root, 'outside.bin'), join(model.folder, 'out.bin'))
      symlinkSync(root, join(model.folder, 'way'))
      if (location === 'way/out.bin') symlinkSync('outside.bin', join(root, 'out.bin'))
      await assert.rejects(requireOwnData(model), /takes data from .*, which is outside its folder/)
    })

  test('is refused before the native runtime sees it', async () => {
    const { folder } = modelFolder(initializer(tensor('../outside.bin')))
    const embedder = openOnnxEmbedder({ folder })
    await assert.rejects(embedder.embed(['x'], { kind: 'query' }), /outside its folder/)
    await embedder.close()
  })

  test('is accepted when all lie in its folder', async () => {
    const model = modelFolder(initializer(tensor('model.onnx_data')))
    writeFileSync(join(model.folder, 'model.onnx_data'), 'weights')
    await requireOwnData(model)
  })

  test('is accepted as the Hugging Face cache links it', async () => {
    const [cache, folder] = [join(root, 'cache'), join(root, 'cache/snapshots/abc')]
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(cache, 'blobs'))
    writeFileSync(join(cache, 'blobs/1'), Buffer.concat(initializer(tensor('model.onnx_data')).parts))
    writeFileSync(join(cache, 'blobs/2'), 'weights')
    symlinkSync('../../blobs/1', join(folder, 'model.onnx'))
    symlinkSync('../../blobs/2', join(folder, 'model.onnx_data'))
    await requireOwnData({ folder, modelPath: join(folder, 'model.onnx') })
  })

  test('is refused when it is cut short or damaged, and never read for ever', async () => {
    const whole = Buffer.concat(message(integerField(1, 8), initializer(tensor('../outside.bin'))).parts)
    for (let end = 3; end < whole.length; end++) {
      const { modelPath } = modelFolder(whole.subarray(0, end))
      await assert.rejects(externalFiles(modelPath), /no valid ONNX file/, String(end))
    }
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      const { modelPath } = modelFolder(flipped)
      await externalFiles(modelPath).catch((error) => assert.match(error.message, /no valid ONNX file/))
    }
    let deep: Encoded = tensor('x')
    for (let i = 0; i < 200; i++) deep = bytesField(1, bytesField(5, bytesField(6, deep)))
    await assert.rejects(externalFiles(modelFolder(bytesField(7, deep)).modelPath), /no valid ONNX file/)
  })
})
