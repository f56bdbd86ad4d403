// Two slips of the layout pass at the edges of tables, where it takes aligned words for columns.

/** Gives a paragraph back its last line, and a table its last row. */
export function mended(markdown: string): string {
  if (!/^\|/m.test(markdown)) return markdown
  const blocks = markdown.split(/\n{2,}/)
  for (let i = 0; i < blocks.length; i++) {
    if (!blocks[i]!.startsWith('|')) continue
    giveBackLine(blocks, i)
    takeRow(blocks, i)
  }
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** The first "row" goes on with the sentence above it. */
function giveBackLine(blocks: string[], i: number) {
  const above = blocks[i - 1] ?? ''
  const [first, , second, ...rest] = blocks[i]!.split('\n')
  if (!/[\p{L}\p{N},-]$/u.test(above) || /^(?:[#|>]|[-*+] |```)/.test(above) || rest.length === 0) return
  const words = cellsOf(first!).join(' ').trim()
  if (!/^\p{Ll}/u.test(words)) return
  blocks[i - 1] = `${above} ${words}`
  blocks[i] = [second, `|${'---|'.repeat(cellsOf(second!).length)}`, ...rest].join('\n')
}

/** A block of one line right below, with just as many words as the table has columns. */
function takeRow(blocks: string[], i: number) {
  const line = /^```\w*\n([^\n]+)\n```$/.exec(blocks[i + 1] ?? '')?.[1]
  const words = line?.trim().split(/\s+/) ?? []
  const width = cellsOf(blocks[i]!.split('\n')[0]!).length
  if (words.length !== width || width < 2) return
  blocks[i] += `\n| ${words.join(' | ')} |`
  blocks.splice(i + 1, 1)
}

export function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
