// Checks a whole vault for doubtful notes and links, for people to mend.

import type { Library } from '../../answer/library.js'
import { linkWarnings } from '../../graph/graph.js'
import { shown } from '../../graph/written.js'
import { type Mention, mentions } from './mentions.js'
import { idOf, refreshVaults, type Vault } from './vaults.js'

export interface GraphCheck {
  notes: number
  links: number
  broken: { id: string; line: number; link: string }[]
  ambiguous: { id: string; line: number; link: string; candidates: string[] }[]
  /** Notes that no link leads to and that lead nowhere. */
  orphans: string[]
  /** Titles that another note's text mentions without a link; only if the caller wants them. */
  mentions?: Mention[]
}

export interface CheckOptions {
  /** Looks for mentions, too. That reads every note, and a title of a common word is found in most. */
  mentions?: boolean
  signal?: AbortSignal
  /** Hears how many of all notes have been looked through for mentions. */
  onProgress?(done: number, total: number): void
}

export async function checkGraph(library: Library, options: CheckOptions = {}): Promise<GraphCheck> {
  const report: GraphCheck = { notes: 0, links: 0, broken: [], ambiguous: [], orphans: [] }
  const vaults = await refreshVaults(library)
  for (const vault of vaults) checkLinks(vault, report)
  if (options.mentions) report.mentions = await mentions(library, vaults, options)
  return report
}

function checkLinks(vault: Vault, report: GraphCheck) {
  const { graph } = vault
  for (const path of graph.paths()) {
    const note = graph.notes.get(path)!
    const id = idOf({ vault, path })
    report.notes++
    report.links += note.facts.links.length
    const { broken, ambiguous } = linkWarnings(note)
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
