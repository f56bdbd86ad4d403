// What is said for and against the options of a record.
import type { AdrOption } from './adr.js'
import { isHeadBeforeMark, isHeadOfWords, sameWords } from './option-names.js'
import { cellsOf, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { pointOf, type Side, sideLabelled, sideNamed, sideOfText } from './sides.js'

export const likenesses = [sameWords, isHeadBeforeMark, isHeadOfWords]

/** The arguments of a part go to the option whose heading it stands under; a row of a table may name its own. */
export function argue(options: readonly AdrOption[], part: Part, nameIn: (heading: string) => string) {
  const option = ownerOf(options, part, nameIn)
  let side = sideNamed(part.heading)
  for (const piece of part.pieces) {
    if (piece.kind === 'row') argueRow(options, option, piece, nameIn)
    if (!option || piece.kind === 'row') continue
    const text = textOf(piece)
    const label = sideLabelled(text)
    if (label) side = label
    else place(option, text, sideOfText(text) ?? (piece.kind === 'item' ? side : null))
  }
}

function ownerOf(
  options: readonly AdrOption[],
  part: Part,
  nameIn: (heading: string) => string,
): AdrOption | null {
  for (let at: Part | null = part; at; at = at.parent) {
    const found = optionCalled(options, nameIn(at.heading))
    if (found) return found
  }
  return null
}

function optionCalled(options: readonly AdrOption[], name: string): AdrOption | null {
  for (const isSame of likenesses) {
    const found = options.find((option) => isSame(option.name, name))
    if (found) return found
  }
  return null
}

/** A column for each side, of the option that the first cell names or that the table stands under. */
function argueRow(
  options: readonly AdrOption[],
  owner: AdrOption | null,
  { lines, line, table }: Piece,
  nameIn: (cell: string) => string,
) {
  if (!table || table.line === line) return
  const cells = cellsOf(lines[0]!.text).map(plain)
  const option = sideNamed(table.header[0] ?? '') ? owner : optionCalled(options, nameIn(cells[0] ?? ''))
  if (!option) return
  table.header.forEach((head, i) => {
    const side = sideNamed(plain(head))
    if (side && cells[i]) place(option, cells[i], side)
  })
}

function place(option: AdrOption, text: string, side: Side | null) {
  if (!side) return
  const into = side === 'good' ? option.pros : side === 'bad' ? option.cons : option.neutral
  if (into.length < 40) into.push(pointOf(text).slice(0, 500))
}
