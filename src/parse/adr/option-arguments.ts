// What is said for and against the options of a record.
import type { AdrOption } from './adr.js'
import { nameColumn } from './option-lists.js'
import { optionCalled, optionNamed, sameWords } from './option-names.js'
import { cellsOf, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { pointOf, type Side, sided, sideNamed, sideOfText } from './sides.js'

/** What stands below an option's heading, line or item is about it; a row of a table may name its own. */
export function argue(options: readonly AdrOption[], part: Part) {
  const owner = ownerOf(options, part)
  // An option may be called "Good, because".
  const own = owner && isCalled(owner, part) ? null : sideNamed(part.heading)
  const optionAt = ({ lines }: Piece) =>
    options.filter(({ line }) => lines.some((one) => one.line === line)).at(-1) ?? null
  let option = owner
  for (const { piece, side } of sided(part.pieces, (one) => optionAt(one) !== null)) {
    const named = optionAt(piece)
    if (piece.kind === 'row') argueRow(named ?? rowOption(options, owner, piece), piece)
    else if (named) option = named
    else if (option) {
      const text = textOf(piece)
      place(option, text, sideOfText(text) ?? (piece.kind === 'item' ? (side ?? own) : null))
    }
  }
}

function isCalled(option: AdrOption, { heading, line }: Part): boolean {
  return option.line === line || sameWords(option.name, optionNamed(heading, line).name)
}

/** By its heading's place; among the arguments, by its name as well. */
function ownerOf(options: readonly AdrOption[], part: Part): AdrOption | null {
  for (let at: Part | null = part; at; at = at.parent) {
    const { heading, line } = at
    const own = options.find((option) => option.line === line)
    const found = own ?? (isArgued(part) ? optionCalled(options, optionNamed(heading, line).name) : null)
    if (found) return found
  }
  return null
}

function isArgued({ role }: Part): boolean {
  return role === 'arguments' || role === 'options'
}

/** The option that a row names, or that its table stands under. */
function rowOption(
  options: readonly AdrOption[],
  owner: AdrOption | null,
  { lines, line, table, part }: Piece,
): AdrOption | null {
  if (!table || owner || !isArgued(part)) return owner
  const name = plain(cellsOf(lines[0]!.text)[nameColumn(table)] ?? '')
  return optionCalled(options, optionNamed(name, line).name)
}

/** A column for each side. */
function argueRow(option: AdrOption | null, { lines, line, table }: Piece) {
  if (!option || !table || table.line === line) return
  const cells = cellsOf(lines[0]!.text)
  for (const [i, header] of table.header.entries()) {
    const side = sideNamed(plain(header))
    const said = (cells[i] ?? '').split(/<br\s*\/?>/i).map((one) => plain(one).replace(/^[-+*•]\s+/, ''))
    if (side) for (const text of said.filter(Boolean)) place(option, text, side)
  }
}

function place(option: AdrOption, text: string, side: Side | null) {
  if (!side) return
  const into = side === 'good' ? option.pros : side === 'bad' ? option.cons : option.neutral
  if (into.length < 40) into.push(pointOf(text).slice(0, 500))
}
