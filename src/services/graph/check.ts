// What is doubtful about a vault as a whole: for people, who mend it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyStart } from '../../graph/frontmatter.js'
import { doubtsOf, type Graph } from '../../graph/graph.js'
import { lastSegment, sameName, withoutEnding } from '../../graph/names.js'
import { shown } from '../../graph/written.js'
import type { Library } from '../library.js'
import { textAt } from './nodes.js'
import { openVaults, type Vault } from './vaults.js'

export interface GraphCheck {
  notes: number
  links: number
  broken: { id: string; line: number; link: string }[]
  ambiguous: { id: string; line: number; link: string; candidates: string[] }[]
  /** Notes that no link leads to and that lead nowhere. */
  orphans: string[]
  /** Titles that stand in the text of another note without being a link. */
  mentions: { id: string; line: number; title: string; target: string }[]
}

export async function checkGraph(
  library: Library,
  options: { signal?: AbortSignal } = {},
): Promise<GraphCheck> {
  const report: GraphCheck = { notes: 0, links: 0, broken: [], ambiguous: [], orphans: [], mentions: [] }
  for (const vault of await openVaults(library)) {
    checkLinks(vault, report)
    report.mentions.push(...(await mentions(library, vault, options.signal)))
  }
  return report
}

function checkLinks({ graph, prefix }: Vault, report: GraphCheck) {
  for (const path of graph.paths()) {
    const note = graph.notes.get(path)!
    const id = prefix + path
    report.notes++
    report.links += note.facts.links.length
    const { broken, ambiguous } = doubtsOf(note)
    for (const link of broken) report.broken.push({ id, line: link.line, link: shown(link) })
    for (const { link, paths } of ambiguous)
      report.ambiguous.push({
        id,
        line: link.line,
        link: shown(link),
        candidates: paths.map((one) => prefix + one),
      })
    if (note.out.length === 0 && graph.incoming(path).size === 0) report.orphans.push(id)
  }
}

const fewestLetters = 4

/** The first mention of each title in each note that does not link to it. Short and common names say too little. */
async function mentions(
  library: Library,
  vault: Vault,
  signal?: AbortSignal,
): Promise<GraphCheck['mentions']> {
  const names = namesIn(vault.graph)
  const found: GraphCheck['mentions'] = []
  for (const [i, path] of vault.graph.paths().entries()) {
    const text = await textAt(library, { vault, path })
    if (text) found.push(...mentionsIn(vault, path, text, names))
    if (i % 20 === 19) await nextTurn(undefined, { signal })
  }
  return found
}

interface Named {
  path: string
  title: string
  words: string[]
}

/** Titles and file names of notes, by their first word; those that mean several notes left out. */
function namesIn(graph: Graph): Map<string, Named[]> {
  const owners = new Map<string, Set<string>>()
  for (const path of graph.paths())
    for (const name of [graph.notes.get(path)!.facts.title, lastSegment(withoutEnding(path))]) {
      const key = wordsOf(name).join(' ')
      owners.set(key, (owners.get(key) ?? new Set()).add(path))
    }
  const byFirst = new Map<string, Named[]>()
  for (const [key, paths] of owners) {
    const [path] = paths
    const words = key.split(' ')
    if (paths.size !== 1 || key.length < fewestLetters || /^[\d ]*$/.test(key)) continue
    const named = { path: path!, title: graph.notes.get(path!)!.facts.title, words }
    byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), named])
  }
  return byFirst
}

function mentionsIn(
  vault: Vault,
  path: string,
  text: string,
  names: Map<string, Named[]>,
): GraphCheck['mentions'] {
  const { facts, out } = vault.graph.notes.get(path)!
  const linked = new Set([...out, path])
  const found: GraphCheck['mentions'] = []
  const covered = facts.links.map(({ start, end }) => [start, end] as const)
  const body = bodyStart(text)
  let [line, fenced, offset] = [0, false, 0]
  for (const row of text.split('\n')) {
    line++
    const start = offset
    offset += row.length + 1
    if (/^\s*(?:```|~~~)/.test(row)) fenced = !fenced
    if (fenced || offset <= body || /^#{1,6}\s/.test(row)) continue
    const bare = blankLinks(row, start, covered).replace(/`[^`]*`/g, ' ')
    for (const { path: target, title } of namedIn(bare, names)) {
      if (linked.has(target)) continue
      linked.add(target)
      found.push({ id: vault.prefix + path, line, title, target: vault.prefix + target })
    }
  }
  return found
}

function blankLinks(row: string, start: number, links: readonly (readonly [number, number])[]): string {
  let bare = row
  for (const [from, to] of links)
    if (from >= start && to <= start + row.length)
      bare = bare.slice(0, from - start) + ' '.repeat(to - from) + bare.slice(to - start)
  return bare
}

function namedIn(row: string, names: Map<string, Named[]>): Named[] {
  const words = wordsOf(row)
  return words.flatMap((word, at) =>
    (names.get(word) ?? []).filter((named) => named.words.every((one, i) => words[at + i] === one)),
  )
}

function wordsOf(text: string): string[] {
  return sameName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
