// The default model as it is converted for the native runtime.
import { bertGraph } from './bert-graph.js'
import type { Conversion } from './graph-cache.js'
import { bundledModel, pinnedFiles } from './model.js'
import { openSafetensors } from './safetensors.js'

export function bundledConversion(weights: string): Conversion {
  return {
    name: 'all-MiniLM-L6-v2-int8-6638f625-1',
    weights: [{ path: weights, pinned: pinnedFiles.weights }],
    convert() {
      const file = openSafetensors(weights)
      try {
        return bertGraph(bundledModel.shape, file.read)
      } finally {
        file.close()
      }
    },
  }
}
