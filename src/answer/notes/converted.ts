// The text of a page, a notebook or a table was made from its file: lines of the one are not lines of the other.
import type { Note } from '../../model/problem.js'
import type { Format, Ref, Source } from '../../model/source.js'
import { hasConvertedLines, isTextFile } from '../../parse/formats.js'

/** Whether lines of such a document's text are others than those of its file. */
export const isConverted = hasConvertedLines

/** For an answer with lines of a document that could be taken for those of a file at hand. */
export function aboutLines({ ref, format, source }: { ref: Ref; format: Format; source: Source }): Note[] {
  if (!hasConvertedLines(format) || !isTextFile(format) || source.kind !== 'folder') return []
  return [{ code: 'lines_of_text', message: `Lines of ${ref.path} are of its text, not of the file.` }]
}

/** For an answer that gives no lines of such files. */
export function convertedNotes(files: readonly string[]): Note[] {
  const paths = [...new Set(files)]
  if (paths.length === 0) return []
  const why =
    paths.length === 1 ? 'its text is not that of the file' : 'their texts are not those of the files'
  const message = `No lines are given of ${listed(paths)}: ${why}. grep_codebase finds them.`
  return [{ code: 'lines_of_text', message }]
}

const mostNamed = 3

function listed(paths: readonly string[]): string {
  return `${paths.slice(0, mostNamed).join(', ')}${paths.length > mostNamed ? ', …' : ''}`
}
