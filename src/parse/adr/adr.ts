// The parsed form of an architecture decision record.

const adrStatuses = [
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
export interface Sentence {
  text: string
  line: number
}

/** A reference to another record: by number, path, file name or title. */
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
  /** Its number or letter: "2" for "Option 2: Redis" and for the second item of a numbered list. */
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
  /** The line of the title; null if the file's name serves as title. */
  titleLine: number | null
  status: AdrStatus
  /** The records that this one supersedes, by its own words. */
  supersedes: AdrReference[]
  supersededBy: AdrReference[]
  /** Only a part was superseded: the rest still holds. */
  partly: boolean
  /** The sentences that describe the problem. */
  context: Sentence[]
  options: AdrOption[]
  /** The text under the decision's heading; null if the record names no decision. */
  decision: { text: string; line: number; sentences: Sentence[] } | null
  consequences: Sentence[]
  /** Sentences under unusual headings ("Naming rules") and under those about checking the decision. */
  elsewhere: Sentence[]
}

/** A record, or what else a file among records is. */
export type AdrReading =
  | { kind: 'adr'; adr: Adr }
  | { kind: 'template' | 'index' | 'other'; path: string; title: string }
