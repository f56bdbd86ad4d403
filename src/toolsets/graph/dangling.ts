// Links that lead nowhere once a note has changed or gone.
import type { NoteFacts } from '../../graph/resolve.js'
import { shown } from '../../graph/written.js'
import { createYielder } from '../../runtime/yield.js'
import { idOf, type Spot } from './vaults.js'

export interface Dangling {
  id: string
  line: number
  link: string
}

const stepLinks = 100

/** The links that lead to a note and would lead nowhere with other facts of it, or without it. */
export async function danglingAfter({ vault, path }: Spot, facts: NoteFacts | null): Promise<Dangling[]> {
  const { graph } = vault
  const after = graph.supposing([[path, facts]])
  const yieldIfDue = createYielder()
  const dangling: Dangling[] = []
  for (const from of [...graph.incoming(path)].sort()) {
    const { facts, resolved } = graph.notes.get(from) ?? { facts: { links: [] }, resolved: [] }
    for (const [i, link] of facts.links.entries()) {
      if (i % stepLinks === stepLinks - 1) await yieldIfDue()
      if (resolved[i]?.path !== path || after.resolve(from, link)) continue
      dangling.push({ id: idOf({ vault, path: from }), line: link.line, link: shown(link) })
    }
    await yieldIfDue()
  }
  return dangling
}

/** Content may bring another title, or drop an alias, that links go by. */
export function lostWarning(lost: Dangling[]): string[] {
  const [first] = lost
  if (!first) return []
  const many = lost.length === 1 ? 'A link leads' : `${lost.length} links lead`
  return [
    `${many} nowhere now: ${first.link} in ${first.id}, line ${first.line}${lost.length > 1 ? ', and others' : ''}. To change a title with its links, give title.`,
  ]
}
