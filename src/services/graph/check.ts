// What is doubtful about a vault as a whole: for people, who mend it.
import { doubtsOf } from '../../graph/graph.js'
import { shown } from '../../graph/written.js'
import type { Library } from '../library.js'
import { type Mention, mentions } from './mentions.js'
import { idOf, openVaults, type Vault } from './vaults.js'

export interface GraphCheck {
  notes: number
  links: number
  broken: { id: string; line: number; link: string }[]
  ambiguous: { id: string; line: number; link: string; candidates: string[] }[]
  /** Notes that no link leads to and that lead nowhere. */
  orphans: string[]
  /** Titles that stand in the text of another note without being a link. */
  mentions: Mention[]
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
