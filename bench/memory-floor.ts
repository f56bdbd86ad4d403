// What memory allows: the time it takes to read bytes with SIMD and do nothing else with them.

/** Reads so many bytes of memory as fast as it goes. */
export type Touch = (bytes: number) => unknown

const FLOOR_SOURCE = `
export function touch(start: usize, bytes: usize): i32 {
  let a = i64x2.splat(0)
  let b = a
  let c = a
  for (let end = start + bytes; start < end; start += 48) {
    a = v128.xor(a, v128.load(start))
    b = v128.xor(b, v128.load(start, 16))
    c = v128.xor(c, v128.load(start, 32))
  }
  return v128.any_true(v128.xor(a, v128.xor(b, c))) ? 1 : 0
}`

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (limits: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number }
  Instance: new (module: object, imports: object) => { exports: unknown }
}

interface Compiler {
  compileString(
    source: string,
    options: object,
  ): Promise<{ binary: Uint8Array | null; stderr: { toString(): string } }>
}

export async function memoryFloor(): Promise<Touch> {
  // By a name the type checker does not follow: the compiler's own types would replace Node's `console`.
  const name: string = 'assemblyscript/asc'
  const { default: asc } = (await import(name)) as { default: Compiler }
  const { binary, stderr } = await asc.compileString(FLOOR_SOURCE, {
    optimizeLevel: 3,
    runtime: 'stub',
    importMemory: true,
    enable: ['simd'],
  })
  if (!binary) throw new Error(`The floor does not compile: ${stderr}`)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } })
  const { touch } = exports as { touch(start: number, bytes: number): number }
  return (bytes) => {
    const missing = bytes + 64 - memory.buffer.byteLength
    if (missing > 0) {
      const start = memory.buffer.byteLength
      memory.grow(Math.ceil(missing / 65536))
      // Pages never written all read from one page of zeros, which would be no measure of memory.
      new Uint8Array(memory.buffer, start).fill(1)
    }
    return touch(0, bytes)
  }
}
