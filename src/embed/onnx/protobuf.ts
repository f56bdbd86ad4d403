// The few protobuf encodings that an ONNX file is made of. Parts are kept apart and never copied together: a file's
// tensors go from where they were computed straight to the disk.

export interface Encoded {
  size: number
  parts: Uint8Array[]
}

/** Fields in order; a message is nothing more. */
export function message(...fields: Encoded[]): Encoded {
  let size = 0
  const parts: Uint8Array[] = []
  for (const field of fields) {
    size += field.size
    for (const part of field.parts) parts.push(part)
  }
  return { size, parts }
}

export function integerField(field: number, value: number | bigint): Encoded {
  return small([...varint(tag(field, 0)), ...varint(value)])
}

export function floatField(field: number, value: number): Encoded {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return small([...varint(tag(field, 5)), ...bytes])
}

/** A text, raw bytes, or a message inside the message. */
export function bytesField(field: number, value: string | Uint8Array | Encoded): Encoded {
  const body = typeof value === 'string' ? new TextEncoder().encode(value) : value
  const { size, parts } = body instanceof Uint8Array ? { size: body.byteLength, parts: [body] } : body
  const head = small([...varint(tag(field, 2)), ...varint(size)])
  return { size: head.size + size, parts: [...head.parts, ...parts] }
}

const tag = (field: number, wireType: number) => field * 8 + wireType

const small = (bytes: number[]): Encoded => ({ size: bytes.length, parts: [Uint8Array.from(bytes)] })

// Seven bits a byte, low ones first; a negative number is written as its 64-bit two's complement.
function varint(value: number | bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return bytes
}
