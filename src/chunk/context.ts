import { truncate } from '../text/truncate.js'

const longestPart = 120

/** Title and headings on one line. The title is not said twice when the first heading repeats it. */
export function contextLine(title: string, headings: readonly string[]): string {
  const [first, ...rest] = headings
  const below = first !== undefined && first.toLowerCase() === title.toLowerCase() ? rest : headings
  return [title, ...below]
    .filter((part) => part !== '')
    .map((part) => truncate(part, longestPart, '…'))
    .join(' › ')
}
