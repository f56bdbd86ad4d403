/** `1 file`, `12,345 files` */
export function counted(value: number, noun: string): string {
  return `${thousands(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** An integer as "12,345". Not by `toLocaleString`, whose first call in a process takes 14 ms. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
