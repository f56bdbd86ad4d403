// Computes a note's new text when its title, tags or content change. Pure; every byte that need not change stays.

import { bodyStart, lineEnding, setField } from '../../graph/frontmatter.js'
import { fileNameFor, lastSegment, noteEnding, withoutEnding } from '../../graph/names.js'
import type { NoteFacts } from '../../graph/resolve.js'
import { Problem } from '../../model/problem.js'
import { isMdx } from '../../parse/formats.js'
import { declaredTags, readFrontmatter } from '../../parse/frontmatter.js'
import { parseMarkdown } from '../../parse/markdown.js'
import { sameName } from '../../text/normal-forms.js'
import { longestTitle, oneLine } from '../../text/one-line.js'
import { titleFromPath } from '../../text/title.js'
import { invalid, requirePlainPath } from './files.js'

export interface Changes {
  title?: string
  content?: string
  tags?: readonly string[]
}

/** The facts that the indexer will read from a text at a path. */
export function factsOf(path: string, text: string): NoteFacts {
  const { title, aliases, tags, links } = parseMarkdown(text, isMdx(path) ? 'mdx' : 'markdown')
  return { path, title: title ?? titleFromPath(path), aliases, tags, links }
}

/** The text of a note that is new. */
export function newText(path: string, { title, content, tags }: Required<Changes>): string {
  const tagged =
    tags.length > 0 ? withTags(content, [...new Set([...tagsDeclaredIn(content), ...tags])]) : content
  return withTitle(path, tagged, title)
}

/**
 * The text of a note after changes. `keepHeading`: other notes link to the heading that is its title, so that stays and
 * the title goes into the frontmatter.
 */
export function changedText(
  path: { old: string; now: string },
  text: string,
  changes: Changes,
  keepHeading: boolean,
): string {
  const replaced = changes.content === undefined ? text : withContent(text, changes.content)
  const tagged = changes.tags === undefined ? replaced : withTags(replaced, changes.tags)
  if (changes.title === undefined) return tagged
  const heading =
    changes.content === undefined && !keepHeading ? withHeading(path, tagged, changes.title) : null
  return heading ?? withTitle(path.now, tagged, changes.title)
}

/** New content keeps the frontmatter, unless it brings its own; line endings are the file's. */
function withContent(text: string, content: string): string {
  const given = content.startsWith('\ufeff') ? content.slice(1) : content
  const fitted = text === '' ? given : given.replace(/\r\n?|\n/g, lineEnding(text))
  if (bringsFrontmatter(text, given)) return fitted
  const frontmatter = text.slice(0, bodyStart(text))
  return (
    (fitted === '' || /^$|[\r\n]$/.test(frontmatter) ? frontmatter : frontmatter + lineEnding(text)) + fitted
  )
}

/**
 * Whether content has frontmatter of its own. A body, too, may begin with a block between rules that reads like frontmatter.
 * Content with such a block is then the old body, unless it repeats a field of the frontmatter or has two such blocks.
 */
function bringsFrontmatter(text: string, given: string): boolean {
  const [brought, old] = [readFrontmatter(given), readFrontmatter(text)]
  if (!brought || !old) return brought !== null
  const body = text.slice(bodyStart(text))
  const block = readFrontmatter(body)
  if (!block) return true
  if (sameLines(given.slice(0, brought.end), body.slice(0, block.end))) return false
  const names = Object.keys(old.fields)
  return (
    names.some((name) => Object.hasOwn(brought.fields, name)) ||
    readFrontmatter(given.slice(bodyStart(given))) !== null
  )
}

function sameLines(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n').trimEnd()
  return plain(one) === plain(other)
}

function withTags(text: string, tags: readonly string[]): string {
  const declared = tagsDeclaredIn(text)
  const same = declared.length === tags.length && tags.every((tag, i) => declared[i] === tag)
  if (same) return text
  return setField(text, ['tags', 'tag'], tags) ?? cannot('tags')
}

function tagsDeclaredIn(text: string): string[] {
  const front = readFrontmatter(text)
  return front ? declaredTags(front.fields) : []
}

/** The title in the frontmatter, if the text does not say it already. */
function withTitle(path: string, text: string, title: string): string {
  if (factsOf(path, text).title === title) return text
  return setField(text, ['title'], title) ?? cannot('title')
}

/** The heading that says the title reworded, and the title in the frontmatter with it; null when no heading says it. */
function withHeading(path: { old: string; now: string }, text: string, title: string): string | null {
  const { sections } = parseMarkdown(text)
  const heading = sections.find(({ level, text: words }) => level === 1 && words !== '')
  if (!heading || heading.text !== factsOf(path.old, text).title) return null
  const line = /^[^\r\n]*/.exec(text.slice(heading.start))![0]
  const words = line.lastIndexOf(heading.text)
  if (words < 0) return null
  const at = heading.start + words
  const changed = text.slice(0, at) + title + text.slice(at + heading.text.length)
  // Where the frontmatter has the title, too, both are changed, so that they go on saying the same.
  const both = hasTitle(changed) ? withTitle(path.now, changed, title) : changed
  return factsOf(path.now, both).title === title ? both : null
}

function hasTitle(text: string): boolean {
  return Object.hasOwn(readFrontmatter(text)?.fields ?? {}, 'title')
}

function cannot(field: string): never {
  throw new Problem(
    'provider_error',
    `The frontmatter is written in a way that its ${field} cannot be changed without touching the rest: with an anchor, a comment inside the value, a key in braces or twice, or quotes left open.`,
    `Change its ${field} by hand, or write it plainly first. Nothing was changed.`,
  )
}

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
