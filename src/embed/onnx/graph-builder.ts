// Builds an ONNX model in memory: constants, operations, and the two ends. Field numbers are those of onnx.proto.
import { bytesField, type Encoded, floatField, integerField, message } from './protobuf.js'

export type TensorData = Float32Array | Int8Array | BigInt64Array

export interface End {
  name: string
  type: 'float32' | 'int64'
  /** A name stands for a size that is known only when the model runs. */
  shape: (number | string)[]
}

/** A whole number, a list of them, or a float: the kind is part of the format, so that 1 and 1.0 differ. */
export type Attribute = { integer: number } | { integers: number[] } | { float: number }

export interface GraphBuilder {
  /** Adds a constant once; a second one of the same name is the same. Returns its name. */
  constant(name: string, shape: readonly number[], data: TensorData): string
  /** Adds an operation with one result. Returns the result's name. */
  operation(type: string, inputs: string[], attributes?: Record<string, Attribute>): string
  /** Adds an operation with several results. */
  operations(
    type: string,
    inputs: string[],
    results: number,
    attributes?: Record<string, Attribute>,
  ): string[]
  /** The finished file; `outputs` name results that must leave the graph under another name. */
  finish(inputs: End[], outputs: (End & { from: string })[]): Encoded
}

export function createGraph(): GraphBuilder {
  const nodes: Encoded[] = []
  const constants = new Map<string, Encoded>()
  let count = 0

  function add(
    type: string,
    inputs: string[],
    outputs: string[],
    attributes: Record<string, Attribute> = {},
  ) {
    const node = message(
      ...inputs.map((name) => bytesField(1, name)),
      ...outputs.map((name) => bytesField(2, name)),
      bytesField(4, type),
      ...Object.entries(attributes).map(([name, value]) => bytesField(5, encodeAttribute(name, value))),
    )
    nodes.push(bytesField(1, node))
    return outputs
  }

  const fresh = (results: number) => Array.from({ length: results }, () => `value_${count++}`)

  return {
    constant(name, shape, data) {
      const encoded = bytesField(5, encodeTensor(name, shape, data))
      const known = constants.get(name)
      if (known && !sameBytes(known, encoded)) throw new Error(`Two different constants are called ${name}.`)
      if (!known) constants.set(name, encoded)
      return name
    },
    operation: (type, inputs, attributes) => add(type, inputs, fresh(1), attributes)[0]!,
    operations: (type, inputs, results, attributes) => add(type, inputs, fresh(results), attributes),
    finish(inputs, outputs) {
      for (const { name, from } of outputs) add('Identity', [from], [name])
      const graph = message(
        ...nodes,
        bytesField(2, 'carrel'),
        ...constants.values(),
        ...inputs.map((end) => bytesField(11, encodeEnd(end))),
        ...outputs.map((end) => bytesField(12, encodeEnd(end))),
      )
      return encodeModel(graph)
    },
  }
}

const elementTypes = { float32: 1, int8: 3, int64: 7 } as const
const attributeTypes = { float: 1, integer: 2, integers: 7 } as const

// Version 8 of the format and 17 of the operations: the first with LayerNormalization, known to every later runtime.
function encodeModel(graph: Encoded): Encoded {
  const operations = message(bytesField(1, ''), integerField(2, 17))
  return message(integerField(1, 8), bytesField(2, 'carrel'), bytesField(7, graph), bytesField(8, operations))
}

function encodeTensor(name: string, shape: readonly number[], data: TensorData): Encoded {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const type = data instanceof Float32Array ? 'float32' : data instanceof Int8Array ? 'int8' : 'int64'
  return message(
    ...shape.map((size) => integerField(1, size)),
    integerField(2, elementTypes[type]),
    bytesField(8, name),
    bytesField(9, raw),
  )
}

function sameBytes(a: Encoded, b: Encoded): boolean {
  return a.size === b.size && Buffer.concat(a.parts).equals(Buffer.concat(b.parts))
}

function encodeAttribute(name: string, value: Attribute): Encoded {
  const kind = 'float' in value ? 'float' : 'integer' in value ? 'integer' : 'integers'
  const type = integerField(20, attributeTypes[kind])
  if ('float' in value) return message(bytesField(1, name), floatField(2, value.float), type)
  if ('integer' in value) return message(bytesField(1, name), integerField(3, value.integer), type)
  return message(bytesField(1, name), ...value.integers.map((n) => integerField(8, n)), type)
}

function encodeEnd({ name, type, shape }: End): Encoded {
  const sizes = shape.map((size) => (typeof size === 'string' ? bytesField(2, size) : integerField(1, size)))
  const dimensions = message(...sizes.map((size) => bytesField(1, size)))
  const tensor = message(integerField(1, elementTypes[type]), bytesField(2, dimensions))
  return message(bytesField(1, name), bytesField(2, message(bytesField(1, tensor))))
}
