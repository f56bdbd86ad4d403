// One vector out of the vectors of a text's tokens.
import type { Pooling } from './model-folder.js'
import type { Output } from './session.js'

/** `output` is [1, tokens, width], or already one vector [1, width]. */
export function pooled({ shape, data }: Output, pooling: Pooling): Float32Array {
  const width = shape.at(-1)!
  const tokens = shape.length === 3 ? shape[1]! : 1
  if (tokens === 1 || pooling === 'cls') return data.slice(0, width)
  if (pooling === 'last') return data.slice((tokens - 1) * width, tokens * width)
  return pooling === 'max' ? largest(data, width) : summed(data, width)
}

function largest(data: Float32Array, width: number): Float32Array {
  const most = data.slice(0, width)
  for (let i = width; i < data.length; i++) most[i % width] = Math.max(most[i % width]!, data[i]!)
  return most
}

// A sum points where the mean does, and the length is made one afterwards. Doubles, so that the order does not matter.
function summed(data: Float32Array, width: number): Float32Array {
  const sum = new Float64Array(width)
  for (let i = 0; i < data.length; i++) sum[i % width]! += data[i]!
  return Float32Array.from(sum, (value) => value / (data.length / width))
}
