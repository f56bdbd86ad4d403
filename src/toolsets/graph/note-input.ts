// What a writing tool is given, made fit for a file: titles, tags, names and texts.
import { fileNameFor } from '../../graph/file-name.js'
import { lastSegment, noteEnding, withoutEnding } from '../../graph/names.js'
import { longestTitle, oneLine } from '../../text/one-line.js'
import { sameName } from '../../text/same-name.js'
import { invalid, requirePlainPath } from './files.js'

export function pathFor(path: string, title: string): string {
  const name = fileName(title)
  const old = lastSegment(withoutEnding(path))
  // The same but for case, spaces and signs: the file is named after this title already.
  if (fileNameFor(old) === name) return path
  return requirePlainPath(
    path.slice(0, path.length - lastSegment(path).length) + name + (noteEnding(path) || '.md'),
  )
}

export function fileName(title: string): string {
  const name = fileNameFor(title)
  if (name === null)
    throw invalid('The title has no sign that a file name can have.', 'Use letters or digits.')
  return name
}

export function requireTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(plain)) throw invalid('The title has control characters.', 'Leave them out.')
  if (plain.length > longestTitle)
    throw invalid(`The title has ${plain.length} characters.`, `Use at most ${longestTitle}.`)
  const shown = oneLine(plain, longestTitle)
  if (shown === '') throw invalid('The title is empty.', 'Give the note a title.')
  return shown
}

export function cleanTags(given: readonly string[]): { tags: string[]; warnings: string[] } {
  const tags = new Map<string, string>()
  const warnings: string[] = []
  for (const written of given) {
    const tag = written.trim().replace(/^#+/, '')
    if (/[\p{Cc},]/u.test(tag) || tag.length > 200)
      throw invalid(
        `${JSON.stringify(tag.slice(0, 40))} is no tag.`,
        'Tags are single words, `a/b` for nested ones.',
      )
    if (tags.has(sameName(tag))) warnings.push(`Duplicate tag ignored: ${tag}`)
    else if (tag !== '') tags.set(sameName(tag), tag)
  }
  return { tags: [...tags.values()], warnings }
}

export function tagsInText(all: readonly string[], declared: readonly string[]): string[] {
  const known = new Set(declared.map(sameName))
  return all
    .filter((tag) => !known.has(sameName(tag)))
    .map((tag) => `The tag #${tag} stands in the text and stays.`)
}

export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
