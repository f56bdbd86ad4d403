/** Bytes of "2 MB", "512 KiB", "1.5mb" or a bare number; null for anything else. */
export function sizeInBytes(written: string | number): number | null {
  if (typeof written === 'number') return Number.isSafeInteger(written) && written >= 0 ? written : null
  const match = /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]*)\s*$/i.exec(written)
  const unit = match && units.get(match[2]!.toLowerCase())
  return match && unit ? Math.round(Number(match[1]) * unit) : null
}

const units = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1e3],
  ['kb', 1e3],
  ['kib', 1024],
  ['m', 1e6],
  ['mb', 1e6],
  ['mib', 1024 ** 2],
  ['g', 1e9],
  ['gb', 1e9],
  ['gib', 1024 ** 3],
])
