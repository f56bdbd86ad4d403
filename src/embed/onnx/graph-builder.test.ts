import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGraph } from './graph-builder.js'
import { loadNativeRuntime, NativeMissing } from './session.js'

test('a graph that was built runs: rows looked up, scaled and split', async () => {
  const graph = createGraph()
  const table = graph.constant('table', [3, 2], Float32Array.of(1, 2, 3, 4, 5, 6))
  const rows = graph.operation('Gather', [table, 'ids'], { axis: { integer: 0 } })
  const doubled = graph.operation('Mul', [rows, graph.constant('two', [], Float32Array.of(2))])
  const [left, right] = graph.operations('Split', [doubled], 2, { axis: { integer: -1 } })
  const file = graph.finish(
    [{ name: 'ids', type: 'int64', shape: [1, 'length'] }],
    [
      { name: 'left', from: left!, type: 'float32', shape: [1, 'length', 1] },
      { name: 'right', from: right!, type: 'float32', shape: [1, 'length', 1] },
    ],
  )
  const session = await loadNativeRuntime().open(Buffer.concat(file.parts))
  const outputs = await session.run({ ids: [2, 0] })
  assert.deepEqual([session.inputs, session.outputs], [['ids'], ['left', 'right']])
  assert.deepEqual(outputs.left, { shape: [1, 2, 1], data: Float32Array.of(10, 2) })
  assert.deepEqual([...outputs.right!.data], [12, 4])
})

test('a constant may be declared twice, but not with another content', () => {
  const graph = createGraph()
  graph.constant('one', [1], Float32Array.of(1))
  graph.constant('one', [1], Float32Array.of(1))
  assert.throws(() => graph.constant('one', [1], Float32Array.of(2)), /different constants/)
})

test('a runtime that does not load has another error than a bad model', async () => {
  assert.throws(() => loadNativeRuntime('@carrel/no-such-runtime'), NativeMissing)
  const runtime = loadNativeRuntime()
  await assert.rejects(runtime.open(new Uint8Array(3)), (error) => !(error instanceof NativeMissing))
})
