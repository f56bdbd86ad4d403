// Floats into 8-bit integers, symmetric around zero, with one scale a row of the original matrix.

export interface Quantised {
  values: Int8Array
  /** Multiply a value by its row's scale to get the float back. */
  scales: Float32Array
}

/** Keeps the layout: for tables that are looked up by row. */
export function quantiseRows(data: Float32Array, width: number, most: number): Quantised {
  const rows = data.length / width
  const values = new Int8Array(data.length)
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    const start = row * width
    const scale = scaleOf(data, start, width, most)
    scales[row] = scale
    for (let i = start; i < start + width; i++) values[i] = Math.round(data[i]! / scale)
  }
  return { values, scales }
}

/** Turns a matrix of [outputs, inputs] into columns, as a multiplication from the left needs it. */
export function quantiseTransposed(data: Float32Array, width: number, most: number): Quantised {
  const rows = data.length / width
  const values = new Int8Array(data.length)
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    const start = row * width
    const scale = scaleOf(data, start, width, most)
    scales[row] = scale
    for (let i = 0; i < width; i++) values[i * rows + row] = Math.round(data[start + i]! / scale)
  }
  return { values, scales }
}

function scaleOf(data: Float32Array, start: number, width: number, most: number): number {
  let largest = 0
  for (let i = start; i < start + width; i++) largest = Math.max(largest, Math.abs(data[i]!))
  return largest === 0 ? 1 : largest / most
}
