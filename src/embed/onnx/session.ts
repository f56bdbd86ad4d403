// A model loaded by the native ONNX runtime, inside a worker. One thread each: working in parallel is the pool's part.
import { createRequire } from 'node:module'
import { halfTable } from '../arithmetic.js'

export interface Session {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Runs the model on one row of numbers an input, and gives the outputs as floats. */
  run(inputs: Record<string, readonly number[]>): Promise<Record<string, Output>>
}

export interface Output {
  shape: readonly number[]
  data: Float32Array
}

/** Thrown when the native code does not load here, as on musl or an unusual processor. */
export class NativeMissing extends Error {}

export interface NativeRuntime {
  /** Loads a model from its file or its bytes. */
  open(model: string | Uint8Array): Promise<Session>
}

/** To be called in a process of its own: what the runtime keeps is not safe to share between threads. */
export function loadNativeRuntime(name = 'onnxruntime-node'): NativeRuntime {
  const { Tensor, InferenceSession } = loadPackage(name)
  return {
    async open(model) {
      const session = await InferenceSession.create(model, sessionOptions)
      return {
        inputs: session.inputNames,
        outputs: session.outputNames,
        async run(rows) {
          const feeds = Object.entries(rows).map(([name, row]) => {
            return [name, new Tensor('int64', BigInt64Array.from(row, BigInt), [1, row.length])] as const
          })
          const results = await session.run(Object.fromEntries(feeds))
          return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, toOutput(tensor)]))
        },
      }
    },
  }
}

// The package comes without type declarations; this is the part of it in use.
interface OnnxPackage {
  Tensor: new (type: 'int64', data: BigInt64Array, shape: number[]) => object
  InferenceSession: { create(model: string | Uint8Array, options: object): Promise<NativeSession> }
}

interface NativeSession {
  inputNames: string[]
  outputNames: string[]
  run(feeds: Record<string, object>): Promise<Record<string, NativeTensor>>
}

interface NativeTensor {
  type: string
  dims: readonly number[]
  data: Float32Array | Uint16Array
}

const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }

function loadPackage(name: string): OnnxPackage {
  try {
    return createRequire(import.meta.url)(name) as OnnxPackage
  } catch (cause) {
    throw new NativeMissing(`The native ONNX runtime does not load: ${(cause as Error).message}`, { cause })
  }
}

function toOutput({ type, dims, data }: NativeTensor): Output {
  if (type === 'float32') return { shape: dims, data: data as Float32Array }
  if (type !== 'float16') throw new Error(`The model answers in ${type}, not in floats.`)
  const table = halfTable()
  return { shape: dims, data: Float32Array.from(data as Uint16Array, (bits) => table[bits]!) }
}
