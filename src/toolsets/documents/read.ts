// One document: whole, its outline, or one of its sections.

import { type FoundDocument, openDocument } from '../../answer/collections.js'
import { isMiss, type Miss } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { aboutLines } from '../../answer/notes/answer-notes.js'
import { missingParts } from '../../answer/notes/index-state.js'
import { chooseSection, type Stretch, sectionMiss, stretchOf } from '../../answer/sections.js'
import { fileOfRef, type Reader, recordShown } from '../../answer/shown-to-client.js'
import type { Section } from '../../model/document.js'
import type { Note } from '../../model/problem.js'
import type { Source } from '../../model/source.js'
import { lineCount } from '../../text/lines.js'
import { type Continuation, type Part, partOf } from './parts.js'

export interface DocumentAddress {
  collection: string
  document: string
}

interface Opened {
  source: Source
  path: string
  title: string
  notes: Note[]
}

export interface ReadDocument extends Opened, Part {
  /** Of a document that did not fit: the way to a part of it. */
  sections: Section[]
  lines: number
}

export async function readDocument(
  library: Library,
  request: DocumentAddress & Continuation,
  reader?: Reader,
): Promise<ReadDocument | Miss> {
  const found = await openDocument(library, request)
  if (isMiss(found)) return found
  const { document } = found
  const part = partOf(document, { start: 0, end: document.text.length }, request)
  if (isMiss(part)) return part
  shown(library, found, { reader, whole: true, part })
  // Only a part has line numbers.
  const about = part.next === null ? opened(found) : withLines(found)
  return { ...about, ...part, sections: document.sections, lines: lineCount(document.text) }
}

export interface Outline extends Opened {
  sections: Section[]
}

export async function readOutline(
  library: Library,
  request: DocumentAddress & { maxDepth: number },
): Promise<Outline | Miss> {
  const found = await openDocument(library, request)
  if (isMiss(found)) return found
  const sections = found.document.sections.filter(({ level }) => level <= request.maxDepth)
  return { ...(sections.length > 0 ? withLines(found) : opened(found)), sections }
}

export interface ReadSection extends Opened, Part {
  section: Section
  /** The whole section's last line; the part may end before. */
  lastLine: number
  /** How many other sections the name fits as well, and what some of them are called. */
  more: number
  others: string[]
}

export async function readSection(
  library: Library,
  request: DocumentAddress & Continuation & { section: string; includeSubsections: boolean },
  reader?: Reader,
): Promise<ReadSection | Miss> {
  const found = await openDocument(library, request)
  if (isMiss(found)) return found
  const { document } = found
  const chosen = chooseSection(document.sections, request.section)
  if (!chosen) return sectionMiss(document.sections, request.section, request.document)
  const stretch: Stretch = stretchOf(document, chosen.place, request.includeSubsections)
  const part = partOf(document, stretch, request)
  if (isMiss(part)) return part
  shown(library, found, { reader, whole: false, part })
  const { place, more, others } = chosen
  const section = document.sections[place]!
  return { ...withLines(found), ...part, section, lastLine: stretch.endLine, more, others }
}

function shown(
  library: Library,
  { document: { ref, hash } }: FoundDocument,
  { reader, whole, part }: { reader: Reader | undefined; whole: boolean; part: Part },
) {
  const file = fileOfRef(library, ref)
  const stretch = { start: part.start, end: part.start + part.text.length }
  if (file !== null) recordShown(library, reader, { file, hash, whole, shown: stretch })
}

function opened({ source, document, notes }: FoundDocument): Opened {
  return {
    source,
    path: document.ref.path,
    title: document.title,
    notes: [
      ...notes,
      ...document.notes.filter(({ code }) => readAs.includes(code)),
      ...missingParts(document.notes),
    ],
  }
}

/** Notes that tell why a text may look odd. */
const readAs = ['encoding_guessed', 'notebook_broken']

function withLines(found: FoundDocument): Opened {
  const about = opened(found)
  return { ...about, notes: [...about.notes, ...aboutLines({ ...found.document, source: found.source })] }
}
