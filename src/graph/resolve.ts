// Resolves links to notes. The rules in order: the exact path; title and file name, then aliases; the same with spaces
// and dashes treated as equal; the end of a path. Case never matters. A file name that only one note has beats titles.
import type { Link } from '../model/document.js'
import { sameName } from '../text/normal-forms.js'
import {
  folderOf,
  lastSegment,
  lookupWord,
  looseName,
  noteEnding,
  plainPath,
  readableTarget,
  withoutEnding,
} from './names.js'

/** The facts of a note that names come from. */
export interface NoteFacts {
  path: string
  title: string
  aliases: readonly string[]
  tags: readonly string[]
  links: readonly Link[]
}

/** All names of a note, computed once. */
export interface Names {
  path: string
  /** Case-folded paths, with and without the extension. */
  exact: readonly string[]
  loose: readonly string[]
  /** Title and file name (with and without extension), case-folded; then the same in loose form. */
  titles: readonly string[]
  looseTitles: readonly string[]
  aliases: readonly string[]
  looseAliases: readonly string[]
  /** The lookup words of this note. */
  words: readonly string[]
}

/** `others` are the notes that the same rule also matches. */
export type Resolution = { path: string; others: readonly string[] } | null

/** The notes with one lookup word. */
export type Candidates = (word: string) => NoteCandidates

export interface NoteCandidates {
  has(path: string): boolean
  /**
   * The notes that have `name` by one kind of match. `name` is case-folded, or in loose form, as that kind needs it.
   */
  find(way: MatchKind, name: string): Resolution
}

/** A `file` is a path with its extension, or the end of one. */
export type MatchKind =
  | 'path'
  | 'loose path'
  | 'title'
  | 'file name'
  | 'alias'
  | 'loose name'
  | 'loose file name'
  | 'loose alias'
  | 'end'
  | 'loose end'
  | 'file'

export function namesOf(note: Pick<NoteFacts, 'path' | 'title' | 'aliases'>): Names {
  const bare = withoutEnding(note.path)
  const paths = withTight([note.path, bare])
  const titles = withTight([note.title, lastSegment(note.path), lastSegment(bare)])
  const aliases = withTight([...note.aliases])
  const all = [...titles, ...aliases]
  return {
    path: note.path,
    exact: paths.map(sameName),
    loose: paths.map(looseName),
    titles: titles.map(sameName),
    looseTitles: titles.map(looseName),
    aliases: aliases.map(sameName),
    looseAliases: aliases.map(looseName),
    words: [...new Set(all.map(lookupWord))],
  }
}

/** The lookup words that a link could be resolved by. */
export function lookupWordsOf(link: Link): string[] {
  const written = spellings(link).map(({ target }) => lookupWord(target))
  return [...new Set(written)]
}

export function resolve(candidates: Candidates, from: string, link: Link): Resolution {
  return read(candidates, from, link)?.found ?? null
}

/**
 * Runs work on the links of one note once for equal links: a long list may link to a note thousands of times. A short
 * list is not deduped, because that would cost more than it saves.
 */
export function onceEach<T>(
  links: readonly Link[],
  work: (link: Link, index: number) => T,
): (link: Link, index: number) => T {
  if (links.length < longList) return work
  const known = new Map<string, T>()
  return (link, index) => {
    const { kind, target, heading, block } = link
    const key = `${kind} ${formOf(link)} ${target.length} ${heading?.length} ${block?.length} ${target}${heading}${block}`
    const before = known.get(key)
    if (before !== undefined || known.has(key)) return before as T
    const found = work(link, index)
    known.set(key, found)
    return found
  }
}

const longList = 100

/** How a link is split: how many characters are the name, and which heading or block the rest names. */
export function readingOf(candidates: Candidates, from: string, link: Link): Spelling {
  return read(candidates, from, link)?.spelling ?? spellings(link).at(-1)!
}

// A name may contain the characters that separate it from a heading or block: `C#`, `C# notes`. If a note has that
// name, the link means it. Otherwise the name ends at the first separator, and only if that finds nothing may a longer
// name be the end of a path.
function read(
  candidates: Candidates,
  from: string,
  link: Link,
): { found: Resolution; spelling: Spelling } | null {
  const all = spellings(link)
  const [plain, longer] = [all.at(-1)!, all.slice(0, -1)]
  const [by, byWhole] =
    formOf(link) === 'markdown' ? [resolveDestination, resolveDestination] : [resolveName, resolveCalled]
  for (const spelling of longer) {
    const found = byWhole(candidates, from, spelling.target)
    if (found) return { found, spelling }
  }
  for (const spelling of [plain, ...longer]) {
    const found = by(candidates, from, spelling.target)
    if (found) return { found, spelling }
  }
  return null
}

/** Whether an unresolved link deserves a warning: it names a note, not a picture, a program or a folder. */
export function namesNote(link: Link): boolean {
  const target = readableTarget(link)
  if (formOf(link) === 'markdown') return noteEnding(target) !== ''
  return noteEnding(target) !== '' || !attachment.test(target)
}

const attachment =
  /\.(?:pdf|canvas|base|excalidraw|csv|tsv|docx?|xlsx?|pptx?|epub|zip|json|ya?ml|txt|html?|css|js|ts|py|sh|ics|bib)$/i

/** A link in the frontmatter can have either form. `[[a|b]]` is one character longer than `[b](a)`. */
export function formOf(link: Link): 'wiki' | 'markdown' {
  if (link.kind !== 'frontmatter') return link.kind === 'markdown' ? 'markdown' : 'wiki'
  if (link.label === null) return 'wiki'
  const place = link.heading !== null ? link.heading.length + 1 : 0
  return link.end - link.start === link.target.length + place + link.label.length + 4 ? 'markdown' : 'wiki'
}

export interface Spelling {
  target: string
  /** How many of the separators `#` and `^` belong to the name. */
  signs: number
  heading: string | null
}

/** The ways to split a link into name and heading or block, the longest name first. */
function spellings(link: Link): Spelling[] {
  const target = readableTarget(link)
  const rest = link.heading !== null ? `#${link.heading}` : link.block !== null ? `^${link.block}` : ''
  const plain = { target, signs: 0, heading: link.heading }
  if (rest === '') return [plain]
  if (formOf(link) === 'markdown') {
    // The separator should have been encoded: `[x](C#.md)`.
    const whole = readableTarget({ ...link, target: link.target + rest })
    return noteEnding(rest) === '' ? [plain] : [{ target: whole, signs: 1, heading: null }, plain]
  }
  const cuts = [...rest.matchAll(sign)].map(({ index }) => index).slice(1, mostSigns)
  const longer = [...cuts, rest.length].map((cut, i) => ({
    target: tight(target + rest.slice(0, cut)),
    signs: i + 1,
    heading: rest[cut] === '#' ? rest.slice(cut + 1).trim() : null,
  }))
  return [...longer.reverse(), plain]
}

const sign = /#\^|[#^]/g
const mostSigns = 8

// The parser trims spaces around the separator and reads `#^` as `^`, so names are compared in that form.
function tight(name: string): string {
  return name.replace(/(?:(?<!\s)\s+)?(?:#?(\^)|(#))\s*/g, '$1$2')
}

function withTight(names: string[]): string[] {
  const tightened = names.map(tight)
  return tightened.every((name, i) => name === names[i]) ? names : [...names, ...tightened]
}

function resolveName(candidates: Candidates, from: string, written: string): Resolution {
  const target = fromRoot(from, written)
  if (target === null || target === '') return null
  const near = candidates(lookupWord(target))
  return (
    called(near, target) ?? near.find('end', sameName(target)) ?? near.find('loose end', looseName(target))
  )
}

function resolveCalled(candidates: Candidates, from: string, written: string): Resolution {
  const target = fromRoot(from, written)
  return target ? called(candidates(lookupWord(target)), target) : null
}

/** The notes that a bare name could mean: by path, title, file name or alias, then in loose form. */
export function notesCalled(candidates: Candidates, name: string): Resolution {
  return called(candidates(lookupWord(name)), name)
}

/** Matches the whole path, title, file name or alias. */
function called(near: NoteCandidates, target: string): Resolution {
  const exact = [target, `${target}.md`].find((path) => near.has(path))
  if (exact !== undefined) return { path: exact, others: [] }
  const [same, loose] = [sameName(target), looseName(target)]
  return (
    near.find('path', same) ??
    onlyFile(near, near.find('title', same), target) ??
    near.find('alias', same) ??
    onlyFile(near, near.find('loose name', loose), target) ??
    near.find('loose alias', loose)
  )
}

/** If several notes have the name as their title and exactly one has it as its file name, the link means that one. */
function onlyFile(near: NoteCandidates, found: Resolution, target: string): Resolution {
  if (!found || found.others.length === 0) return found
  const file = near.find('file name', sameName(target)) ?? near.find('loose file name', looseName(target))
  return file?.others.length === 0 ? file : found
}

// Relative to the note first, as in every Markdown reader. Then as Obsidian writes links: from the vault's root, or by
// file name alone. The latter needs a file extension, because `[log in](login)` is a route of some site.
function resolveDestination(candidates: Candidates, from: string, written: string): Resolution {
  const rooted = written.startsWith('/')
  const target = plainPath(rooted ? written : `${folderOf(from)}/${written}`)
  if (target !== null && target !== '') {
    const near = candidates(lookupWord(target))
    if (near.has(target)) return { path: target, others: [] }
    const found = near.find('path', sameName(target)) ?? near.find('loose path', looseName(target))
    if (found) return found
  }
  if (noteEnding(written) === '' || /^\.{1,2}\//.test(written)) return null
  const plain = plainPath(written)
  return plain ? candidates(lookupWord(plain)).find('file', sameName(plain)) : null
}

function fromRoot(from: string, target: string): string | null {
  if (/^\.{1,2}\//.test(target)) return plainPath(`${folderOf(from)}/${target}`)
  return target.replace(/^\/+/, '').trim()
}
