// Where the sign bits lie and are scanned: in WebAssembly memory by the SIMD kernel, or, where that cannot run, in
// a plain array by plain code. Both give the same answers.

/** Rows of packed bits, side by side. A slot is a row's place; who sits in it is not the bank's business. */
export interface Bank {
  readonly kind: 'simd' | 'plain'
  /** Bytes from one row to the next: a multiple of 16, of which the last may be padding. */
  readonly stride: number
  /** Bytes of memory taken, room to grow included. */
  readonly bytes: number
  /** Makes room for so many rows, a multiple of 64, keeping those that are there. */
  reserve(rows: number): void
  /** All the rows, zeros where none was written; to be asked for again after `reserve`. */
  rows(): Uint8Array
  /** Measures the slice's rows against the query. What it returns is overwritten by the next scan. */
  scan(query: Uint8Array, slice: Slice): Scan
  /** For each slot, the sum of the weights (one a bit) at its row's set bits. Overwritten by the next call. */
  weigh(slots: Uint32Array, weights: Int8Array): Int32Array
}

export interface Slice {
  /** A multiple of 64. */
  from: number
  to: number
  /** One bit a slot of the whole bank; only rows whose bit is set are measured. */
  allowed?: Uint8Array | null
}

export interface Scan {
  /** How many rows lie at each distance. */
  tally: Uint32Array
  /** By slot, counted from the slice's start. */
  distances: Uint16Array
  /** The slots no further away than `bound`, counted from the slice's start, in their order. */
  gather(bound: number): Uint32Array
}

/** Bytes from one row to the next for rows of so many bytes. */
export function strideOf(rowBytes: number): number {
  return (rowBytes + 15) & ~15
}
