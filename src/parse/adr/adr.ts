// What a record of a decision says, once read.

export const adrStatuses = [
  'draft',
  'proposed',
  'accepted',
  'rejected',
  'deprecated',
  'superseded',
  'unknown',
] as const
export type AdrStatus = (typeof adrStatuses)[number]

/** A sentence or a short text with the line (from 1) that it begins on. */
export interface Said {
  text: string
  line: number
}

/** How one record names another: by number, by path as written, by its name, or by its title. */
export interface AdrReference {
  /** As a reader sees it. */
  text: string
  number: number | null
  /** A link's target, relative to the record that has it, without anchor. */
  path: string | null
  /** Only a part of the one takes the other's place. */
  partly?: boolean
}

export interface AdrOption {
  name: string
  /** The number or letter that it goes by: "2" of "Option 2: Redis" and of the second in a numbered list. */
  label: string | null
  line: number
  /** Chosen, turned down, or only listed. */
  outcome: 'chosen' | 'rejected' | 'listed'
}

export interface Adr {
  path: string
  /** The number as the file name writes it (`0007`), a dated name whole, or the file's name. Not always unique. */
  id: string
  number: number | null
  title: string
  /** Where the title stands; null where the file's name had to do. */
  titleLine: number | null
  status: AdrStatus
  /** What this record says it takes the place of. */
  supersedes: AdrReference[]
  supersededBy: AdrReference[]
  /** Only a part was superseded: the rest still holds. */
  partly: boolean
  /** The sentences that tell the problem. */
  context: Said[]
  options: AdrOption[]
  /** The text under the heading where the decision stands; null where nothing says what was decided. */
  decision: { text: string; line: number; sentences: Said[] } | null
  consequences: Said[]
  /** What stands under headings that name no usual part ("Naming rules"), or tell how it is checked. */
  elsewhere: Said[]
}

/** A record, or why a file beside records is none. */
export type AdrReading =
  | { kind: 'adr'; adr: Adr }
  | { kind: 'template' | 'index' | 'other'; path: string; title: string }
