// Titles that stand in the text of other notes without being links.

import type { Library } from '../../answer/library.js'
import { bodyStart } from '../../graph/frontmatter.js'
import type { Graph } from '../../graph/graph.js'
import { lastSegment, withoutEnding } from '../../graph/names.js'
import { createYielder } from '../../runtime/yield.js'
import { sameName } from '../../text/normal-forms.js'
import { unspaced } from '../../text/scripts.js'
import { wordSegments } from '../../text/segments.js'
import { textAt } from './nodes.js'
import { idOf, type Vault } from './vaults.js'

export interface Mention {
  id: string
  line: number
  title: string
  target: string
}

/** The first mention of each title in each note that does not link to it. Short and common names say too little. */
export async function mentions(
  library: Library,
  vaults: readonly Vault[],
  { signal, onProgress }: { signal?: AbortSignal; onProgress?(done: number, total: number): void } = {},
): Promise<Mention[]> {
  const total = vaults.reduce((sum, { graph }) => sum + graph.notes.size, 0)
  const found: Mention[] = []
  const yieldIfDue = createYielder(signal)
  let done = 0
  for (const vault of vaults) {
    const names = namesIn(vault.graph)
    for (const path of vault.graph.paths()) {
      const text = await textAt(library, { vault, path })
      if (text) found.push(...mentionsIn(vault, path, text, names))
      onProgress?.(++done, total)
      await yieldIfDue()
    }
  }
  return found
}

interface Named {
  path: string
  title: string
}

/** Titles and file names of notes by their words. */
interface NamesInText {
  named: Map<string, Named>
  /** How many words follow each first one. */
  lengths: Map<string, Set<number>>
  /** Those in scripts without spaces, by their first two characters. */
  unspaced: Map<string, string[]>
}

const fewestLetters = 4
// A character of these says as much as several letters.
const fewestUnspaced = 2
const isUnspaced = new RegExp(`[${unspaced}]`, 'u')

/** Names that mean several notes are left out. */
function namesIn(graph: Graph): NamesInText {
  const owners = new Map<string, Set<string>>()
  for (const path of graph.paths())
    for (const name of [graph.notes.get(path)!.facts.title, lastSegment(withoutEnding(path))]) {
      const key = wordsOf(name).join(' ')
      owners.set(key, (owners.get(key) ?? new Set()).add(path))
    }
  const names: NamesInText = { named: new Map(), lengths: new Map(), unspaced: new Map() }
  for (const [key, paths] of owners) {
    const [path] = paths
    const fewest = isUnspaced.test(key) ? fewestUnspaced : fewestLetters
    if (paths.size !== 1 || key.length < fewest || /^[\d ]*$/.test(key)) continue
    names.named.set(key, { path: path!, title: graph.notes.get(path!)!.facts.title })
    if (isUnspaced.test(key)) listed(names.unspaced, key.slice(0, 2)).push(key)
    const words = key.split(' ')
    names.lengths.set(words[0]!, (names.lengths.get(words[0]!) ?? new Set()).add(words.length))
  }
  return names
}

function listed(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function mentionsIn(vault: Vault, path: string, text: string, names: NamesInText): Mention[] {
  const { facts, out } = vault.graph.notes.get(path)!
  const linked = new Set([...out, path])
  const found: Mention[] = []
  for (const { line, row } of proseRows(text, facts.links))
    for (const { path: target, title } of [...namedIn(row, names), ...namedWithin(row, names)]) {
      if (linked.has(target)) continue
      linked.add(target)
      found.push({ id: idOf({ vault, path }), line, title, target: idOf({ vault, path: target }) })
    }
  return found
}

/** The lines that say something: without frontmatter, headings, code, comments and links. */
function* proseRows(text: string, links: readonly { start: number; end: number }[]) {
  const body = bodyStart(text)
  const bare = withoutLinks(text, links)
  const lastClose = text.lastIndexOf('-->')
  let [line, offset, comment] = [0, 0, false]
  let fence: Fence | null = null
  for (const row of text.split('\n')) {
    line++
    const start = offset
    offset += row.length + 1
    if (offset <= body) continue
    if (!comment) fence = fenceAfter(fence, row)
    if (fence || (!comment && /^#{1,6}\s/.test(row))) continue
    const unlinked = bare.slice(start, start + row.length).replace(/`[^`]*`/g, ' ')
    const visible = withoutComments(unlinked, { wasOpen: comment, mayStayOpen: offset <= lastClose })
    comment = visible.open
    yield { line, row: visible.text }
  }
}

interface Fence {
  sign: string
  isQuoted: boolean
}

/** The fence that code stands in behind a line. It ends with as many signs as it began with, or where its quote does. */
function fenceAfter(fence: Fence | null, row: string): Fence | null {
  const isQuoted = /^\s*>/.test(row)
  const open = fence?.isQuoted && !isQuoted ? null : fence
  const [, sign, rest] = /^[\s>]*(`{3,}|~{3,})(.*)/.exec(row) ?? []
  if (sign === undefined) return open
  if (open) return rest!.trim() === '' && sign.startsWith(open.sign) ? null : open
  return sign.startsWith('`') && rest!.includes('`') ? null : { sign, isQuoted }
}

/** A line without HTML comments, and whether a comment is open at its end. A `<!--` that is never closed is text. */
function withoutComments(row: string, { wasOpen, mayStayOpen }: { wasOpen: boolean; mayStayOpen: boolean }) {
  let [text, at, open] = ['', 0, wasOpen]
  for (;;) {
    const next = row.indexOf(open ? '-->' : '<!--', at)
    if (!open) text += `${row.slice(at, next < 0 ? undefined : next)} `
    if (next < 0) return open && !mayStayOpen ? { text: text + row.slice(at), open: false } : { text, open }
    at = next + (open ? 3 : 4)
    open = !open
  }
}

/** The text with blanks in place of its links, so that every place stays where it is. */
function withoutLinks(text: string, links: readonly { start: number; end: number }[]): string {
  let [bare, at] = ['', 0]
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    if (start < at) continue
    bare += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return bare + text.slice(at)
}

function namedIn(row: string, { named, lengths }: NamesInText): Named[] {
  const words = wordsOf(row)
  const found: Named[] = []
  for (const [at, word] of words.entries())
    for (const length of lengths.get(word) ?? []) {
      const name = named.get(words.slice(at, at + length).join(' '))
      if (name) found.push(name)
    }
  return found
}

/** Names between other words without a space, where a dictionary of the script has words begin and end there. */
function namedWithin(row: string, { named, unspaced: starts }: NamesInText): Named[] {
  if (starts.size === 0 || !isUnspaced.test(row)) return []
  const text = wordsOf(row).join(' ')
  let ends: Set<number> | null = null
  const found: Named[] = []
  for (let at = 0; at < text.length - 1; at++)
    for (const name of starts.get(text.slice(at, at + 2)) ?? []) {
      if (!text.startsWith(name, at)) continue
      ends ??= wordEnds(text)
      if (ends.has(at) && ends.has(at + name.length)) found.push(named.get(name)!)
    }
  return found
}

/** Where words begin or end. */
function wordEnds(text: string): Set<number> {
  return new Set([text.length, ...Array.from(wordSegments(text), ({ index }) => index)])
}

function wordsOf(text: string): string[] {
  return sameName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
