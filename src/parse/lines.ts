import type { Parsed } from '../model/document.js'
import type { Format } from '../model/source.js'

/** Parses a text without structure: unknown languages, logs and plain files. */
export function parseLines(text: string, as: { format: Format; language: string | null }): Parsed {
  return {
    format: as.format,
    language: as.language,
    title: null,
    text,
    sections: [],
    blocks: [],
    declarations: [],
    links: [],
    tags: [],
    aliases: [],
    metadata: {},
    notes: [],
  }
}
