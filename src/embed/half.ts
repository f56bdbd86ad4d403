let table: Float32Array | undefined

/** The value of every 16-bit float, by its bits: a look-up is several times faster than arithmetic. */
export function halfTable(): Float32Array {
  table ??= Float32Array.from({ length: 65536 }, (_, bits) => halfToFloat(bits))
  return table
}

function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
