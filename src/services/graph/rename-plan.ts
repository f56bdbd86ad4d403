// Which links have to be rewritten when a note changes its name, and into what. Found through the resolver: the links of
// the vault are worked out with the note under its new name, and whatever would lead elsewhere than before is rewritten.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Graph } from '../../graph/graph.js'
import { type NoteFacts, namesOf } from '../../graph/resolve.js'
import { type Place, retarget, shown } from '../../graph/written.js'
import type { Link } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { Library } from '../library.js'
import { factsOf } from './compose.js'
import { type NoteFile, openNote } from './files.js'
import { readAgain } from './reading.js'
import { openVaults, type Vault } from './vaults.js'

export interface LinkChange {
  line: number
  before: string
  after: string
}

export interface FilePlan {
  path: string
  swaps: Map<string, string>
  changes: LinkChange[]
  /** The file as it is, and the text it gets. */
  note: NoteFile
  text: string
}

export interface RenamePlan {
  /** The note's text under its new name, its links to itself rewritten. */
  text: string
  files: FilePlan[]
  own: LinkChange[]
}

const tries = 5

export async function planRename(
  library: Library,
  vault: Vault,
  from: string,
  to: string,
  text: string,
): Promise<RenamePlan> {
  for (let left = tries; left > 0; left--) {
    await openVaults(library)
    const paths = [...strays(vault.graph, from, factsOf(to, text)).keys()].filter((path) => path !== from)
    const files = await filesAsIndexed(library, vault, paths)
    if (!files) continue
    const plan = withinChange(vault.graph, from, factsOf(to, text), (strayLinks) =>
      rewrite(vault.graph, { from, to, text }, strayLinks, files),
    )
    if (plan && (await isSound(vault.graph, plan))) return plan
  }
  throw new Problem(
    'conflict',
    'The vault is being changed all the time.',
    'Try again in a moment. Nothing was changed.',
  )
}

/** A link that would lead elsewhere, and the note it has to lead to. */
interface Stray {
  link: Link
  old: Place
  to: Place
}

function strays(graph: Graph, from: string, facts: NoteFacts): Map<string, Stray[]> {
  return withinChange(graph, from, facts, (found) => found)
}

/** Calls back while the graph is as it will be. Nothing else runs meanwhile. */
function withinChange<T>(
  graph: Graph,
  from: string,
  facts: NoteFacts,
  then: (strays: Map<string, Stray[]>) => T,
): T {
  const old = graph.notes.get(from)!
  const asking = graph.asking(new Set([...old.names.words, ...namesOf(facts).words]))
  asking.delete(from)
  const before = [...asking].map((path) => [path, graph.notes.get(path)!] as const)
  const own = facts.links.map((link) => graph.resolve(from, link))
  const place = (path: string): Place => ({ path, title: graph.notes.get(path)!.facts.title })
  const places = new Map(
    [...before.flatMap(([, note]) => note.resolved), ...own].flatMap((one) =>
      one ? [[one.path, place(one.path)]] : [],
    ),
  )
  graph.change([
    [from, null],
    [facts.path, facts],
  ])
  try {
    const now = (path: string) => (path === from ? facts.path : path)
    const strayOf = (link: Link, was: string | undefined, is: string | undefined): Stray[] =>
      was === undefined || is === now(was) ? [] : [{ link, old: places.get(was)!, to: place(now(was)) }]
    const found = new Map<string, Stray[]>()
    for (const [path, { facts: held, resolved }] of before) {
      const after = graph.notes.get(path)!.resolved
      const stray = held.links.flatMap((link, i) => strayOf(link, resolved[i]?.path, after[i]?.path))
      if (stray.length > 0) found.set(path, stray)
    }
    const after = graph.notes.get(facts.path)!.resolved
    const mine = facts.links.flatMap((link, i) => strayOf(link, own[i]?.path, after[i]?.path))
    if (mine.length > 0) found.set(from, mine)
    return then(found)
  } finally {
    graph.change([
      [facts.path, null],
      [from, old.facts],
    ])
  }
}

function rewrite(
  graph: Graph,
  note: { from: string; to: string; text: string },
  strayLinks: Map<string, Stray[]>,
  files: ReadonlyMap<string, NoteFile>,
): RenamePlan | null {
  const plan: RenamePlan = { text: note.text, files: [], own: [] }
  for (const [path, list] of strayLinks) {
    const own = path === note.from
    const text = own ? note.text : files.get(path)?.text
    if (text === undefined) return null
    const changes = list.map(({ link, old, to }) => {
      const before = text.slice(link.start, link.end)
      const after = retarget(graph, { from: own ? note.to : path, link, written: before, old, to })
      return after === null ? cannot(path, link) : { line: link.line, before, after }
    })
    const swaps = new Map(changes.map(({ before, after }) => [before, after]))
    const rewritten = spliced(
      text,
      list.map(({ link }, i) => ({ ...link, becomes: changes[i]!.after })),
    )
    if (own) Object.assign(plan, { own: changes, text: rewritten })
    else plan.files.push({ path, swaps, changes, note: files.get(path)!, text: rewritten })
  }
  return plan
}

function spliced(text: string, changes: { start: number; end: number; becomes: string }[]): string {
  let [changed, from] = ['', 0]
  for (const { start, end, becomes } of changes.sort((a, b) => a.start - b.start)) {
    changed += text.slice(from, start) + becomes
    from = end
  }
  return changed + text.slice(from)
}

// The files as the graph knows them; null when some had to be read again first.
async function filesAsIndexed(library: Library, vault: Vault, paths: readonly string[]) {
  const files = new Map<string, NoteFile>()
  const stale: string[] = []
  for (const [i, path] of paths.entries()) {
    const note = openNote(vault.folder.path, path)
    if (!note || note.hash !== vault.known.get(path)?.hash) stale.push(path)
    else files.set(path, note)
    if (i % 50 === 49) await nextTurn()
  }
  if (stale.length === 0) return files
  await readAgain(
    library,
    stale.map((path) => ({ vault, path })),
  )
  return null
}

/** The rewritten text must still hold the same number of links. */
async function isSound(graph: Graph, { files }: RenamePlan): Promise<boolean> {
  for (const [i, { path, text }] of files.entries()) {
    const before = graph.notes.get(path)?.facts.links
    if (!before) return false
    if (factsOf(path, text).links.length !== before.length) cannot(path, before[0]!)
    if (i % 20 === 19) await nextTurn()
  }
  return true
}

function cannot(path: string, link: Link): never {
  throw new Problem(
    'provider_error',
    `The link ${shown(link)} in ${path} (line ${link.line}) cannot be rewritten safely.`,
    'Change it by hand first, or choose another title. Nothing was changed.',
  )
}
