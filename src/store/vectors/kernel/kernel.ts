// Compiles the kernel once, and starts an instance for each memory.
import { KERNEL_BASE64 } from './kernel-wasm.js'

export const PAGE = 65536

export interface Kernel {
  scan(...addresses: number[]): void
  scanAllowed(...addresses: number[]): void
  gather(...addresses: number[]): number
  weigh(...addresses: number[]): void
  multiply(...addresses: number[]): void
}

export interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// The part of the runtime's WebAssembly we use; Node's own types leave it to the browser's.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (limits: { initial: number; maximum: number }) => Memory
  Instance: new (module: object, imports: object) => { exports: unknown }
}

let compiled: object | null | undefined

/**
 * Null where the kernel cannot run: without SIMD the module does not compile, and under a tight limit on address space the
 * memory is not granted.
 */
export function startKernel(limits: {
  initial: number
  maximum: number
}): { kernel: Kernel; memory: Memory } | null {
  if (compiled === null) return null
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_BASE64, 'base64'))
    const memory = new WebAssembly.Memory(limits)
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
    return { kernel: exports as Kernel, memory }
  } catch {
    compiled = null
    return null
  }
}
