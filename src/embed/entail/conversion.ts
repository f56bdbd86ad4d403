// The comparing model as it is converted for the native runtime.
import { pairGraph } from '../bundled/bert-graph.js'
import type { Conversion } from '../bundled/graph-cache.js'
import { openSafetensors, type Safetensors, type Tensor } from '../bundled/safetensors.js'
import { entailModel } from './model.js'

export function entailConversion(path: string = entailModel.weights): Conversion {
  return {
    name: `${entailModel.name}-${entailModel.pinned.sha256.slice(0, 8)}`,
    weights: [{ path, pinned: entailModel.pinned }],
    convert() {
      const file = openSafetensors(path)
      try {
        return pairGraph(entailModel.shape, (name) => scaled(file, name))
      } finally {
        file.close()
      }
    },
  }
}

/** A matrix of whole numbers comes with one scale a row. */
function scaled(file: Safetensors, name: string): Tensor {
  const { shape, data } = file.read(name)
  if (!file.has(`${name}.scale`)) return { shape, data }
  const { data: scales } = file.read(`${name}.scale`)
  const width = data.length / scales.length
  return { shape, data: data.map((value, i) => value * scales[Math.floor(i / width)]!) }
}
