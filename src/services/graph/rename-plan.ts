// Which links have to be rewritten when a note changes its name, and into what. Found through the resolver: the links of
// the vault are worked out as if the note had its new name, and whatever would lead elsewhere than before is rewritten.
import { keepsSaying, withEdits } from '../../graph/frontmatter.js'
import type { Graph, Resolver } from '../../graph/graph.js'
import { type NoteFacts, namesOf, type Resolution, readingOf } from '../../graph/resolve.js'
import { type Place, type Retargeting, retarget, shown } from '../../graph/written.js'
import { breather } from '../../model/breather.js'
import type { Link } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { Library } from '../library.js'
import { factsOf } from './compose.js'
import { readAgain } from './current.js'
import { encodeNote, type NoteFile, openNote } from './files.js'
import { requireTaken } from './taken.js'
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
}

const tries = 10

export async function planRename(library: Library, vault: Vault, renaming: Renaming): Promise<RenamePlan> {
  for (let left = tries; left > 0; left--) {
    await openVaults(library)
    const { version } = vault.graph
    const plan = await tryToPlan(library, vault, renaming)
    // What was worked out in steps holds only if nobody changed the graph between them.
    await openVaults(library)
    if (plan && vault.graph.version === version) return plan
  }
  throw new Problem(
    'conflict',
    'The vault is being changed all the time.',
    'Try again in a moment. Nothing was changed.',
  )
}

export interface Renaming {
  from: string
  to: string
  /** What the note will say. */
  text: string
}

/** Null when files turned out to be newer than the graph. */
async function tryToPlan(library: Library, vault: Vault, renaming: Renaming): Promise<RenamePlan | null> {
  const { graph } = vault
  if (!graph.notes.has(renaming.from)) return null
  const facts = factsOf(renaming.to, renaming.text)
  const after = graph.supposing([
    [renaming.from, null],
    [facts.path, facts],
  ])
  const found = await notesThatStray(graph, after, renaming.from, facts)
  const others = [...found.keys()].filter((path) => path !== renaming.from)
  const files = await filesAsIndexed(library, vault, others)
  const plan = files && (await rewrite(after, renaming, found, files))
  if (plan) await requireAllTaken(library, plan.files)
  return plan
}

/** A link, and whether it has to be rewritten; then also how it is understood now, and what it shall mean. */
interface Lead {
  link: Link
  strays: Pick<Retargeting, 'signs' | 'old' | 'to'> | null
}

/** The notes with links to be rewritten: all their links, in order. */
async function notesThatStray(
  graph: Graph,
  after: Resolver,
  from: string,
  facts: NoteFacts,
): Promise<Map<string, Lead[]>> {
  const place = (path: string): Place => ({ path, title: graph.notes.get(path)?.facts.title ?? path })
  const now = (path: string): Place =>
    path === from ? { path: facts.path, title: facts.title } : place(path)
  const leadsOf = (
    at: { old: string; now: string },
    links: readonly Link[],
    resolved: readonly Resolution[],
  ) =>
    links.map((link, i): Lead => {
      const was = resolved[i]?.path
      if (was === undefined || after.resolve(at.now, link)?.path === now(was).path)
        return { link, strays: null }
      const { signs } = readingOf(graph.candidates, at.old, link)
      return { link, strays: { signs, old: place(was), to: now(was) } }
    })
  const own = facts.links.map((link) => graph.resolve(from, link))
  const asking = graph.asking([...graph.notes.get(from)!.names.words, ...namesOf(facts).words])
  const found = new Map([[from, leadsOf({ old: from, now: facts.path }, facts.links, own)]])
  const breathe = breather()
  for (const path of asking) {
    const note = path === from ? undefined : graph.notes.get(path)
    if (note) found.set(path, leadsOf({ old: path, now: path }, note.facts.links, note.resolved))
    await breathe()
  }
  return new Map([...found].filter(([, leads]) => leads.some(({ strays }) => strays)))
}

async function rewrite(
  after: Resolver,
  { from, to, text: ownText }: Renaming,
  found: Map<string, Lead[]>,
  files: ReadonlyMap<string, NoteFile>,
): Promise<RenamePlan> {
  const plan: RenamePlan = { text: ownText, files: [] }
  const breathe = breather()
  for (const [path, leads] of found) {
    const [own, note] = [path === from, files.get(path)]
    const file = { path: own ? to : path, text: own ? ownText : note!.text }
    const { text, changes } = rewriteOne(after, file, leads)
    if (own) plan.text = text
    else plan.files.push({ path, changes, swaps: swapsOf(changes), note: note!, text })
    await breathe()
  }
  return plan
}

/** A longer name in many links may make a file larger than the index takes. */
async function requireAllTaken(library: Library, files: readonly FilePlan[]) {
  const breathe = breather()
  for (const { path, note, text } of files) {
    requireTaken(library, encodeNote(text, note.mark), `${path}, its links rewritten,`)
    await breathe()
  }
}

function rewriteOne(after: Resolver, { path, text }: { path: string; text: string }, leads: readonly Lead[]) {
  const found = leads.flatMap(({ link, strays }) => {
    if (!strays) return []
    const before = text.slice(link.start, link.end)
    const spellings = retarget(after, { from: path, link, written: before, ...strays })
    return spellings.length === 0 ? cannot(path, link) : [{ link, before, spellings }]
  })
  const changes = soundChanges(text, found) ?? cannot(path, inFrontmatter(found)[0]?.link ?? found[0]!.link)
  const rewritten = withEdits(text, changes)
  if (!isSound(path, rewritten, leads, changes)) cannot(path, found[0]!.link)
  return { text: rewritten, changes: changes.map(({ line, before, after }) => ({ line, before, after })) }
}

interface Spelled {
  link: Link
  before: string
  /** What it may become, the best first. */
  spellings: string[]
}

/**
 * The best spellings with which the frontmatter keeps its sense; null when there are none. Links that are written alike
 * are rewritten alike: that is how they are found again when a rename has to be finished later.
 */
function soundChanges(text: string, found: readonly Spelled[]) {
  const choosy = new Set(inFrontmatter(found).map(({ before }) => before))
  const most = Math.max(1, ...inFrontmatter(found).map(({ spellings }) => spellings.length))
  for (let choice = 0; choice < most; choice++) {
    const changes = found.map(({ link: { start, end, line }, before, spellings }) => {
      const becomes = spellings[choosy.has(before) ? Math.min(choice, spellings.length - 1) : 0]!
      return { start, end, becomes, line, before, after: becomes }
    })
    if (keepsSaying(text, changes)) return changes
  }
  return null
}

function inFrontmatter(found: readonly Spelled[]): Spelled[] {
  return found.filter(({ link }) => link.kind === 'frontmatter')
}

/** The new text must be read as the same links, those apart that were rewritten, and those as they were written. */
function isSound(
  path: string,
  text: string,
  leads: readonly Lead[],
  changes: readonly LinkChange[],
): boolean {
  const { links } = factsOf(path, text)
  const rewritten = [...changes]
  return (
    links.length === leads.length &&
    leads.every(({ link, strays }, i) => {
      const now = links[i]!
      if (strays) return text.slice(now.start, now.end) === rewritten.shift()!.after
      return now.target === link.target && now.heading === link.heading && now.block === link.block
    })
  )
}

function swapsOf(changes: readonly LinkChange[]): Map<string, string> {
  return new Map(changes.map(({ before, after }) => [before, after]))
}

// The files as the graph knows them; null when some had to be read again first.
async function filesAsIndexed(library: Library, vault: Vault, paths: readonly string[]) {
  const files = new Map<string, NoteFile>()
  const stale: string[] = []
  const breathe = breather()
  for (const path of paths) {
    const note = openNote(vault.folder.path, path)
    if (!note || note.hash !== vault.known.get(path)?.hash) stale.push(path)
    else files.set(path, note)
    await breathe()
  }
  if (stale.length === 0) return files
  await readAgain(
    library,
    stale.map((path) => ({ vault, path })),
  )
  return null
}

function cannot(path: string, link: Link): never {
  throw new Problem(
    'provider_error',
    `The link ${shown(link)} in ${path} (line ${link.line}) cannot be rewritten safely.`,
    link.kind === 'frontmatter'
      ? 'Put the link in double quotes (up: "[[Note]]"), or choose another title. Nothing was changed.'
      : 'Change it by hand first, or choose another title. Nothing was changed.',
  )
}
