// The comparing model as it is converted for the native runtime.
import { pairGraph } from '../bundled/bert-graph.js'
import type { Conversion } from '../bundled/graph-cache.js'
import { bundledModel, pinnedFiles } from '../bundled/model.js'
import { openSafetensors, type Safetensors, type Tensor } from '../bundled/safetensors.js'
import { entailModel } from './model.js'

/** Of the weights that both models share, those of the embedding model are read. */
export function entailConversion(base: string, own: string = entailModel.weights): Conversion {
  return {
    name: `${entailModel.name}-${entailModel.pinned.sha256.slice(0, 8)}`,
    weights: [
      { path: base, pinned: pinnedFiles.weights },
      { path: own, pinned: entailModel.pinned },
    ],
    convert() {
      const [shared, trained] = [openSafetensors(base), openSafetensors(own)]
      try {
        return pairGraph(bundledModel.shape, (name) =>
          trained.has(name) ? scaled(trained, name) : shared.read(name),
        )
      } finally {
        shared.close()
        trained.close()
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
