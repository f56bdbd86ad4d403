// Sections and links are stored as lists of values: `[[2,"Value",13,16,434,503]]`. With the names in every entry they
// would take twice the space.
import type { Link, Section } from '../../model/document.js'

/** A record with a name that is missing or unknown here does not compile. */
type Names<T> = { [name in keyof Required<T>]: true }

const section: Names<Section> = { level: true, text: true, line: true, endLine: true, start: true, end: true }
const link: Names<Link> = {
  kind: true,
  target: true,
  label: true,
  heading: true,
  block: true,
  start: true,
  end: true,
  line: true,
}

export const sectionList = listOf<Section>(section)
export const linkList = listOf<Link>(link)

function listOf<T extends object>(entry: Names<T>) {
  const names = Object.keys(entry) as (keyof T)[]
  return {
    pack: (entries: readonly T[]): string =>
      JSON.stringify(entries.map((entry) => names.map((name) => entry[name]))),
    unpack: (packed: string): T[] =>
      (JSON.parse(packed) as unknown[][]).map(
        (values) => Object.fromEntries(names.map((name, i) => [name, values[i]])) as T,
      ),
    /** Packs a list that was stored with its names. A damaged one stays as it is: its checksum tells. */
    repack(named: string): string {
      try {
        return this.pack(JSON.parse(named))
      } catch {
        return named
      }
    },
  }
}
