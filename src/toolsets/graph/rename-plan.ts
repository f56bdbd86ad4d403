// Plans which links a rename has to rewrite, and how. The resolver resolves the links of the vault as if the note had its
// new name; every link that would then lead elsewhere is rewritten.

import type { Library } from '../../answer/library.js'
import { onlyWordsChange, withEdits } from '../../graph/frontmatter.js'
import type { Graph, Resolver } from '../../graph/graph.js'
import { type NoteFacts, namesOf, onceEach, type Resolution, readingOf } from '../../graph/resolve.js'
import { type Place, type Retargeting, retarget, shown } from '../../graph/written.js'
import { prepareFiles } from '../../ingest/ingest-files.js'
import { unpack } from '../../ingest/task.js'
import type { Link } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import { createYielder, type YieldIfDue } from '../../runtime/yield.js'
import { factsOf } from './compose.js'
import { filesRun, readAgain } from './current.js'
import { encodeNote, type NoteFile, openNote } from './files.js'
import { inLinkedHeading } from './heading-links.js'
import { requireIndexable } from './indexable.js'
import { refreshVaults, type Vault } from './vaults.js'

export interface LinkChange {
  line: number
  before: string
  after: string
}

export interface FilePlan {
  path: string
  swaps: Map<string, string>
  changes: LinkChange[]
  /** The file as it is. */
  note: NoteFile
  /** Its new text. */
  text: string
}

export interface RenamePlan {
  /** The note's text under its new name, its links to itself rewritten. */
  text: string
  files: FilePlan[]
}

const tries = 10

export async function planRename(
  library: Library,
  vault: Vault,
  renaming: Renaming,
  signal?: AbortSignal,
): Promise<RenamePlan> {
  for (let left = tries; left > 0; left--) {
    await refreshVaults(library)
    const { version } = vault.graph
    const [tried] = await Promise.allSettled([tryToPlan(library, vault, renaming, signal)])
    // Planning takes several steps. Its result, or its error, holds only if the graph did not change between them.
    await refreshVaults(library)
    if (vault.graph.version !== version) continue
    if (tried.status === 'rejected') throw tried.reason
    if (tried.value) return tried.value
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
  /** The note's new text. */
  text: string
}

/** Null when files turned out to be newer than the graph. */
async function tryToPlan(
  library: Library,
  vault: Vault,
  renaming: Renaming,
  signal: AbortSignal | undefined,
): Promise<RenamePlan | null> {
  const yieldIfDue = createYielder(signal)
  const { graph } = vault
  if (!graph.notes.has(renaming.from)) return null
  const facts = factsOf(renaming.to, renaming.text)
  const after = graph.supposing([
    [renaming.from, null],
    [facts.path, facts],
  ])
  const found = await notesThatStray(graph, after, { from: renaming.from, facts }, yieldIfDue)
  const others = [...found.keys()].filter((path) => path !== renaming.from)
  const files = await filesAsIndexed(library, vault, others, yieldIfDue)
  const inHeading: Means['inHeading'] = (path, text, links) => inLinkedHeading({ vault, path }, text, links)
  const means = { yieldIfDue, linksOf: linkReader(library, vault), inHeading }
  return files && rewrite(after, renaming, { found, files }, means)
}

/** A link, and whether it has to be rewritten; if so, its present meaning and the one it shall have. */
interface Lead {
  link: Link
  strays: Pick<Retargeting, 'signs' | 'old' | 'to'> | null
}

/** The notes with links to be rewritten: all their links, in order. */
async function notesThatStray(
  graph: Graph,
  after: Resolver,
  { from, facts }: { from: string; facts: NoteFacts },
  yieldIfDue: YieldIfDue,
): Promise<Map<string, Lead[]>> {
  const place = (path: string): Place => ({ path, title: graph.notes.get(path)?.facts.title ?? path })
  const now = (path: string): Place =>
    path === from ? { path: facts.path, title: facts.title } : place(path)
  const leadsOf = async (
    at: { old: string; now: string },
    links: readonly Link[],
    meaning: (link: Link, index: number) => Resolution,
  ) => {
    const strays = onceEach(links, (link, i) => {
      const was = meaning(link, i)?.path
      if (was === undefined || after.resolve(at.now, link)?.path === now(was).path) return null
      const { signs } = readingOf(graph.candidates, at.old, link)
      return { signs, old: place(was), to: now(was) }
    })
    const leads: Lead[] = []
    for (const [i, link] of links.entries()) {
      leads.push({ link, strays: strays(link, i) })
      if (i % stepLinks === stepLinks - 1) await yieldIfDue()
    }
    return leads
  }
  const own = (link: Link) => graph.resolve(from, link)
  const linking = graph.linking([...graph.notes.get(from)!.names.words, ...namesOf(facts).words])
  const found = new Map([[from, await leadsOf({ old: from, now: facts.path }, facts.links, own)]])
  for (const path of linking) {
    const note = path === from ? undefined : graph.notes.get(path)
    if (!note) continue
    const meaning = (_: Link, i: number) => note.resolved[i]!
    found.set(path, await leadsOf({ old: path, now: path }, note.facts.links, meaning))
    await yieldIfDue()
  }
  return new Map([...found].filter(([, leads]) => leads.some(({ strays }) => strays)))
}

// So few that a step stays short, and so many that looking at the clock costs nothing.
const stepLinks = 100

/** How long work gives way, and how a text that is not written yet will be read. */
interface Means {
  yieldIfDue: YieldIfDue
  /** How many there were tells how long it takes. Throws when it would not be indexed. */
  linksOf(file: { path: string; text: string; mark: boolean }, many: number): Promise<readonly Link[]>
  /** Those in a heading that others know by its words. */
  inHeading(path: string, text: string, links: readonly Link[]): ReadonlySet<Link>
}

// A text of a megabyte may take a second, so that long ones are read in a thread. Others are read sooner than sent.
const longText = 100_000
const longList = 3_000

function linkReader(library: Library, vault: Vault): Means['linksOf'] {
  return async ({ path, text, mark }, many) => {
    const bytes = encodeNote(text, mark)
    requireIndexable(library, bytes, `${path}, its links rewritten,`)
    if (text.length < longText && many < longList) return factsOf(path, text).links
    const documents = await prepareFiles(library, filesRun(library, vault), [{ path, bytes }])
    const document = documents.get(path)
    return document ? unpack(document).links : []
  }
}

async function rewrite(
  after: Resolver,
  { from, to, text: ownText }: Renaming,
  { found, files }: { found: Map<string, Lead[]>; files: ReadonlyMap<string, NoteFile> },
  means: Means,
): Promise<RenamePlan> {
  const plan: RenamePlan = { text: ownText, files: [] }
  for (const [path, leads] of found) {
    const [own, note] = [path === from, files.get(path)]
    const file = { path: own ? to : path, text: own ? ownText : note!.text, mark: note?.mark ?? false }
    const { text, changes } = await rewriteOne(after, { ...file, old: path }, leads, means)
    if (own) plan.text = text
    else plan.files.push({ path, changes, swaps: swapsOf(changes), note: note!, text })
    await means.yieldIfDue()
  }
  return plan
}

async function rewriteOne(
  after: Resolver,
  file: { path: string; old: string; text: string; mark: boolean },
  leads: readonly Lead[],
  { yieldIfDue, linksOf, inHeading }: Means,
) {
  const { path, old, text } = file
  const plain = await respell(after, file, leads, yieldIfDue)
  const heads = inHeading(
    old,
    text,
    plain.map(({ link }) => link),
  )
  const found = plain.map((one) => (heads.has(one.link) ? showingTheSame(one) : one))
  const changes = soundChanges(text, found) ?? cannot(path, inFrontmatter(found)[0]?.link ?? found[0]!.link)
  await yieldIfDue()
  const rewritten = withEdits(text, changes)
  const links = await linksOf({ ...file, text: rewritten }, leads.length)
  if (!isSound(rewritten, links, leads, changes)) cannot(path, found[0]!.link)
  return { text: rewritten, changes: changes.map(({ line, before, after }) => ({ line, before, after })) }
}

interface Spelled {
  link: Link
  before: string
  /** Possible new spellings, the best first. */
  spellings: string[]
}

/** The possible new spellings of each straying link. Links with the same text and meaning are worked out once. */
async function respell(
  after: Resolver,
  { path, text }: { path: string; text: string },
  leads: readonly Lead[],
  yieldIfDue: YieldIfDue,
): Promise<Spelled[]> {
  const found: Spelled[] = []
  const known = new Map<Lead['strays'], Map<string, string[]>>()
  for (const [i, { link, strays }] of leads.entries()) {
    if (i % stepLinks === stepLinks - 1) await yieldIfDue()
    if (!strays) continue
    const before = text.slice(link.start, link.end)
    const alike = known.get(strays) ?? new Map<string, string[]>()
    const spellings = alike.get(before) ?? retarget(after, { from: path, link, written: before, ...strays })
    if (spellings.length === 0) cannot(path, link)
    known.set(strays, alike.set(before, spellings))
    found.push({ link, before, spellings })
  }
  return found
}

function showingTheSame({ link, before, spellings }: Spelled): Spelled {
  if (link.kind !== 'wiki' || before.includes('|')) return { link, before, spellings }
  const label = before.slice(2, -2).trim()
  return { link, before, spellings: spellings.map((one) => `${one.slice(0, -2)}|${label}]]`) }
}

/**
 * The best spellings with which the frontmatter keeps its meaning; null if there are none. Links with the same text are
 * rewritten alike, except for headings: a rename that is finished later finds them by their text.
 */
function soundChanges(text: string, found: readonly Spelled[]) {
  const choosy = new Set(inFrontmatter(found).map(({ before }) => before))
  const most = inFrontmatter(found).reduce((so, { spellings }) => Math.max(so, spellings.length), 1)
  for (let choice = 0; choice < most; choice++) {
    const changes = found.map(({ link: { start, end, line }, before, spellings }) => {
      const becomes = spellings[choosy.has(before) ? Math.min(choice, spellings.length - 1) : 0]!
      return { start, end, becomes, line, before, after: becomes }
    })
    if (onlyWordsChange(text, changes)) return changes
  }
  return null
}

function inFrontmatter(found: readonly Spelled[]): Spelled[] {
  return found.filter(({ link }) => link.kind === 'frontmatter')
}

/** The new text must be read as the same links, those apart that were rewritten, and those as they were written. */
function isSound(
  text: string,
  links: readonly Link[],
  leads: readonly Lead[],
  changes: readonly LinkChange[],
): boolean {
  let next = 0
  return (
    links.length === leads.length &&
    leads.every(({ link, strays }, i) => {
      const now = links[i]!
      if (strays) return text.slice(now.start, now.end) === changes[next++]!.after
      return now.target === link.target && now.heading === link.heading && now.block === link.block
    })
  )
}

// Where a heading has the link with a label, and the text has it without, the one without is for both.
function swapsOf(changes: readonly LinkChange[]): Map<string, string> {
  const longestFirst = [...changes].sort((a, b) => b.after.length - a.after.length)
  return new Map(longestFirst.map(({ before, after }) => [before, after]))
}

// The files as the graph knows them; null when some had to be read again first.
async function filesAsIndexed(
  library: Library,
  vault: Vault,
  paths: readonly string[],
  yieldIfDue: YieldIfDue,
) {
  const files = new Map<string, NoteFile>()
  const stale: string[] = []
  for (const path of paths) {
    const note = openNote(vault.folder.path, path)
    if (!note || note.hash !== vault.known.get(path)?.hash) stale.push(path)
    else files.set(path, note)
    await yieldIfDue()
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
