// What is doubtful about a vault as a whole: for people, who mend it.
import { bodyStart } from '../../graph/frontmatter.js'
import { doubtsOf, type Graph } from '../../graph/graph.js'
import { lastSegment, sameName, withoutEnding } from '../../graph/names.js'
import { shown } from '../../graph/written.js'
import { breather } from '../../model/breather.js'
import type { Library } from '../library.js'
import { textAt } from './nodes.js'
import { idOf, openVaults, type Vault } from './vaults.js'

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

function checkLinks(vault: Vault, report: GraphCheck) {
  const { graph } = vault
  for (const path of graph.paths()) {
    const note = graph.notes.get(path)!
    const id = idOf({ vault, path })
    report.notes++
    report.links += note.facts.links.length
    const { broken, ambiguous } = doubtsOf(note)
    for (const link of broken) report.broken.push({ id, line: link.line, link: shown(link) })
    for (const { link, paths } of ambiguous)
      report.ambiguous.push({
        id,
        line: link.line,
        link: shown(link),
        candidates: paths.map((one) => idOf({ vault, path: one })),
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
  const breathe = breather(signal)
  for (const path of vault.graph.paths()) {
    const text = await textAt(library, { vault, path })
    if (text) found.push(...mentionsIn(vault, path, text, names))
    await breathe()
  }
  return found
}

interface Named {
  path: string
  title: string
}

/** Titles and file names of notes by their words, and how many words follow each first one. */
interface NamesInText {
  named: Map<string, Named>
  lengths: Map<string, Set<number>>
}

/** Names that mean several notes are left out. */
function namesIn(graph: Graph): NamesInText {
  const owners = new Map<string, Set<string>>()
  for (const path of graph.paths())
    for (const name of [graph.notes.get(path)!.facts.title, lastSegment(withoutEnding(path))]) {
      const key = wordsOf(name).join(' ')
      owners.set(key, (owners.get(key) ?? new Set()).add(path))
    }
  const names: NamesInText = { named: new Map(), lengths: new Map() }
  for (const [key, paths] of owners) {
    const [path] = paths
    if (paths.size !== 1 || key.length < fewestLetters || /^[\d ]*$/.test(key)) continue
    const words = key.split(' ')
    names.named.set(key, { path: path!, title: graph.notes.get(path!)!.facts.title })
    names.lengths.set(words[0]!, (names.lengths.get(words[0]!) ?? new Set()).add(words.length))
  }
  return names
}

function mentionsIn(vault: Vault, path: string, text: string, names: NamesInText): GraphCheck['mentions'] {
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
      found.push({ id: idOf({ vault, path }), line, title, target: idOf({ vault, path: target }) })
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

function namedIn(row: string, { named, lengths }: NamesInText): Named[] {
  const words = wordsOf(row)
  return words.flatMap((word, at) =>
    [...(lengths.get(word) ?? [])].flatMap(
      (length) => named.get(words.slice(at, at + length).join(' ')) ?? [],
    ),
  )
}

function wordsOf(text: string): string[] {
  return sameName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
