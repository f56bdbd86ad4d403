// Tools return long texts shortened. A client that writes such a text back would lose the part that was left out.

import type { Library } from '../../answer/library.js'
import {
  everything,
  fileOfRef,
  type Reader,
  recordShown,
  type Stretch,
  shownOf,
} from '../../answer/shown-to-client.js'
import { bodyStart } from '../../graph/frontmatter.js'
import { Problem } from '../../model/problem.js'
import { truncate, truncationMark } from '../../text/truncate.js'
import { contentLimits } from './nodes.js'
import { endsAtCut, losesUnseen } from './truncation-guard.js'
import { idOf, type Spot } from './vaults.js'

/** A note's text, and the stretches that the writer was shown; null if unknown. */
interface Known {
  text: string
  shown: readonly Stretch[] | null
}

/** Refuses content that was made from a shortened copy of the note that it replaces. */
export function requireWhole(spot: Spot, known: Known, content: string) {
  if (!isShortened(known, content)) return
  const { vault, path } = spot
  throw new Problem(
    'invalid_params',
    `The content goes back to a shortened reading of ${idOf(spot)}, so that the rest of the note would be lost.`,
    `Read all of it in its file, and give the whole text, also to append to it. documents_get_document has all of it, too (collection "${vault.source.name}", document "${path}"): once read there up to its last part, it may be shortened. Write "${truncationMark}" otherwise if it is meant as text. Nothing was changed.`,
  )
}

/** Warns about a new note that was copied from a shortened text. The original still exists, so it is no error. */
export function shortenedWarning(content: string): string[] {
  if (!content.trimEnd().endsWith(truncationMark)) return []
  return [`The content ends in "${truncationMark}": if it was copied from another note, the rest is missing.`]
}

/** Whether content has a truncation mark that the note has not, or continues or ends where a tool cuts the note. */
function isShortened({ text, shown }: Known, content: string): boolean {
  const body = text.slice(bodyStart(text))
  const cuts = Object.values(contentLimits)
    .filter((limit) => body.length > limit)
    .map((limit) => truncate(body, limit))
  if (cuts.length > 0 && hasMark(text, body, cuts, plain(content))) return true
  if (shown && losesUnseen(text, shown, content)) return true
  // A writer who knows all of it may end anywhere. Only an end far down, exactly where get_node cuts, is no coincidence.
  const likely = isAll(text, shown) ? cuts.filter(({ length }) => length > contentLimits.list) : cuts
  return likely.some((cut) => endsAtCut(text, bodyStart(text) + cut.length - truncationMark.length, content))
}

const tailLength = 80

function hasMark(text: string, body: string, cuts: readonly string[], given: string): boolean {
  if (marksIn(given) > marksIn(text)) return true
  const whole = plain(body)
  const news = (tail: string) => given.includes(tail) && !whole.includes(tail)
  if (given.endsWith(truncationMark) && news(given.slice(-tailLength))) return true
  return cuts.some((cut) => news(plain(cut).slice(-tailLength)))
}

function marksIn(text: string): number {
  return text.split(truncationMark).length - 1
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd()
}

/** The stretches of a note with that hash that the reader was shown; null if unknown. */
export function shownTo(library: Library, reader: Reader, spot: Spot, hash: string) {
  const file = fileAt(library, spot)
  return file === null ? null : shownOf(library, reader, { file, hash })
}

/** Whether the stretches are the whole body. */
export function isAll(text: string, shown: readonly Stretch[] | null): boolean {
  const start = bodyStart(text)
  return shown?.some((one) => one.start <= start && one.end >= text.length) ?? false
}

/** Records that a client knows all of a text that it wrote, though the answer shows only its beginning. */
export function knowsAll(library: Library, reader: Reader, spot: Spot, hash: string) {
  const file = fileAt(library, spot)
  if (file !== null) recordShown(library, reader, { file, hash, whole: true, shown: everything })
}

function fileAt(library: Library, { vault, path }: Spot): string | null {
  return fileOfRef(library, { source: vault.source.id, path })
}
