// AssemblyScript, compiled by scripts/kernel.mjs into kernel-wasm.ts. The scan over packed sign bits: for each row,
// how many bits differ from the query's. It knows no memory layout: every address comes from the caller.
//
// A row is `stride` bytes, a multiple of 16. A distance is a u16, since 4096 bits differ at most; the tally counts
// with a u32 how many rows lie at each distance, and tells how far the nearest few reach without any sorting.

/** Marks a row that was not asked for: further away than any distance can be. */
const OUT_OF_SCOPE: u16 = 0xffff

/** Writes the distance of every row, and adds it to the tally. */
export function scan(rows: usize, stride: usize, count: usize, query: usize, distances: usize, tally: usize): void {
  const fours = count & ~3
  for (let i: usize = 0; i < fours; i += 4) {
    const four = distancesOfFour(rows + i * stride, stride, query)
    const at = distances + (i << 1)
    record(at, tally, i32x4.extract_lane(four, 0))
    record(at + 2, tally, i32x4.extract_lane(four, 1))
    record(at + 4, tally, i32x4.extract_lane(four, 2))
    record(at + 6, tally, i32x4.extract_lane(four, 3))
  }
  for (let i = fours; i < count; i++) {
    record(distances + (i << 1), tally, distance(rows + i * stride, stride, query))
  }
}

/**
 * The same for the rows whose bit is set in `allowed`; the others are marked as out of scope and not read at all.
 * Works through whole words of 64 rows, so `distances` and `allowed` have room up to the next multiple of 64.
 */
export function scanAllowed(
  rows: usize,
  stride: usize,
  count: usize,
  query: usize,
  distances: usize,
  tally: usize,
  allowed: usize,
): void {
  for (let i: usize = 0; i < count; i += 64) {
    const at = distances + (i << 1)
    for (let j: usize = 0; j < 128; j += 16) v128.store(at + j, i16x8.splat(OUT_OF_SCOPE))
    let word = load<u64>(allowed + (i >> 3))
    while (word != 0) {
      const row = <usize>ctz(word)
      record(at + (row << 1), tally, distance(rows + (i + row) * stride, stride, query))
      word &= word - 1
    }
  }
}

/** Lists the rows no further away than `bound`, in their order, and returns how many there are. */
export function gather(distances: usize, count: usize, bound: u32, slots: usize): u32 {
  const bounds = i16x8.splat(<i16>bound)
  let found: u32 = 0
  for (let i: usize = 0; i < count; i += 8) {
    let near: u32 = i16x8.bitmask(i16x8.le_u(v128.load(distances + (i << 1)), bounds))
    if (count - i < 8) near &= (1 << (<u32>count - <u32>i)) - 1
    while (near != 0) {
      store<u32>(slots + (<usize>found << 2), <u32>i + ctz(near))
      found++
      near &= near - 1
    }
  }
  return found
}

/**
 * For each listed row, the sum of the query's values at the bits that are set: how alike the two are, when one of
 * them is known better than by its signs. `weights` is one i8 a bit; a sum is an i32, and may take its slot's place.
 */
export function weigh(rows: usize, stride: usize, slots: usize, count: usize, weights: usize, sums: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const row = rows + <usize>load<u32>(slots + (i << 2)) * stride
    let sum = i32x4.splat(0)
    for (let at: usize = 0; at < stride; at += 2) {
      const chosen = v128.and(spread(row + at), v128.load(weights + (at << 3)))
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_s(chosen)))
    }
    store<i32>(sums + (i << 2), addUp(sum))
  }
}

/**
 * For each row of int8 values, `width` of them, a multiple of 8: the sum of their products with the query's doubles, an
 * f64, and the sum of their squares, an i32. Products at even and at odd places are added up apart, in their order, so
 * that plain code which does the same comes to the same bits.
 */
export function multiply(rows: usize, width: usize, count: usize, query: usize, sums: usize, squares: usize): void {
  const pairs = count & ~1
  for (let i: usize = 0; i < pairs; i += 2) {
    const row = rows + i * width
    const other = row + width
    let a = f64x2.splat(0)
    let b = f64x2.splat(0)
    let p = i32x4.splat(0)
    let q = i32x4.splat(0)
    // Two rows side by side, as each addition waits for the one before it.
    for (let at: usize = 0; at < width; at += 8) {
      const x = v128.load_ext<i8>(row + at)
      const y = v128.load_ext<i8>(other + at)
      const values = query + (at << 3)
      p = i32x4.add(p, i32x4.dot_i16x8_s(x, x))
      q = i32x4.add(q, i32x4.dot_i16x8_s(y, y))
      a = add8(a, x, values)
      b = add8(b, y, values)
    }
    write(sums + (i << 3), a)
    write(sums + (i << 3) + 8, b)
    store<i32>(squares + (i << 2), addUp(p))
    store<i32>(squares + (i << 2) + 4, addUp(q))
  }
  if (pairs < count) multiplyLast(rows + pairs * width, width, query, sums + (pairs << 3), squares + (pairs << 2))
}

function multiplyLast(row: usize, width: usize, query: usize, sum: usize, squares: usize): void {
  let a = f64x2.splat(0)
  let p = i32x4.splat(0)
  for (let at: usize = 0; at < width; at += 8) {
    const x = v128.load_ext<i8>(row + at)
    p = i32x4.add(p, i32x4.dot_i16x8_s(x, x))
    a = add8(a, x, query + (at << 3))
  }
  write(sum, a)
  store<i32>(squares, addUp(p))
}

// Adds the products of eight values, two at a time.
@inline
function add8(sum: v128, x: v128, values: usize): v128 {
  const low = i32x4.extend_low_i16x8_s(x)
  const high = i32x4.extend_high_i16x8_s(x)
  sum = f64x2.add(sum, f64x2.mul(v128.load(values), f64x2.convert_low_i32x4_s(low)))
  sum = f64x2.add(sum, f64x2.mul(v128.load(values + 16), f64x2.convert_low_i32x4_s(upper(low))))
  sum = f64x2.add(sum, f64x2.mul(v128.load(values + 32), f64x2.convert_low_i32x4_s(high)))
  return f64x2.add(sum, f64x2.mul(v128.load(values + 48), f64x2.convert_low_i32x4_s(upper(high))))
}

@inline
function upper(lanes: v128): v128 {
  return v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1)
}

@inline
function write(at: usize, evenAndOdd: v128): void {
  store<f64>(at, f64x2.extract_lane(evenAndOdd, 0) + f64x2.extract_lane(evenAndOdd, 1))
}

@inline
function record(at: usize, tally: usize, distance: u32): void {
  store<u16>(at, <u16>distance)
  const entry = tally + (<usize>distance << 2)
  store<u32>(entry, load<u32>(entry) + 1)
}

// Four rows side by side read the query once and share the adding up: an eighth faster than one row after another.
@inline
function distancesOfFour(row: usize, stride: usize, query: usize): v128 {
  let a = i16x8.splat(0)
  let b = a
  let c = a
  let d = a
  for (let at: usize = 0; at < stride; at += 16) {
    const bits = v128.load(query + at)
    const p = row + at
    a = i16x8.add(a, differing(p, bits))
    b = i16x8.add(b, differing(p + stride, bits))
    c = i16x8.add(c, differing(p + stride * 2, bits))
    d = i16x8.add(d, differing(p + stride * 3, bits))
  }
  return i32x4.dot_i16x8_s(addPairs(addPairs(a, b), addPairs(c, d)), i16x8.splat(1))
}

@inline
function distance(row: usize, stride: usize, query: usize): u32 {
  let sum = i16x8.splat(0)
  for (let at: usize = 0; at < stride; at += 16) {
    sum = i16x8.add(sum, differing(row + at, v128.load(query + at)))
  }
  return addUp(i32x4.extadd_pairwise_i16x8_u(sum))
}

// Widened at once: 32 blocks of 8 differing bits would overflow a byte at 4096 dimensions.
@inline
function differing(block: usize, bits: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(v128.xor(v128.load(block), bits)))
}

// Adds neighbouring lanes: the four sums of `a`, then the four of `b`.
@inline
function addPairs(a: v128, b: v128): v128 {
  const ones = i16x8.splat(1)
  return i16x8.narrow_i32x4_s(i32x4.dot_i16x8_s(a, ones), i32x4.dot_i16x8_s(b, ones))
}

@inline
function addUp(lanes: v128): i32 {
  const halves = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1))
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1)
}

// Sixteen bits as sixteen bytes: all ones where the bit is set.
@inline
function spread(at: usize): v128 {
  const bit = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128)
  const bytes = v128.load16_splat(at)
  const repeated = v128.shuffle<i8>(bytes, bytes, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)
  return i8x16.eq(v128.and(repeated, bit), bit)
}
