// Creates, changes and deletes notes. One writer at a time; a change is in the index before the tool answers.
import { dirname, join } from 'node:path'
import { isUri, withoutUri } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import type { Reader } from '../../answer/shown-to-client.js'
import type { NoteFacts } from '../../graph/resolve.js'
import { shown } from '../../graph/written.js'
import { ingestFolder } from '../../ingest/ingest.js'
import { ingestFiles } from '../../ingest/ingest-files.js'
import { Problem } from '../../model/problem.js'
import { indexingLease, underLease } from '../../runtime/lease.js'
import { createYielder } from '../../runtime/yield.js'
import { hashOf } from '../../text/hash.js'
import { linesOf } from '../../text/lines.js'
import { hasMaskedKey } from '../../text/mask-private-keys.js'
import {
  type Changes,
  changedText,
  cleanTags,
  factsOf,
  fileName,
  newText,
  pathFor,
  requireTitle,
  tagsInText,
  withoutMark,
} from './compose.js'
import { filesRun, readAgain } from './current.js'
import { asOnDisk, encodeNote, invalid, type NoteFile, openNote, present, requirePlainPath } from './files.js'
import { requireUnguarded } from './guarded-places.js'
import { isHeadingLinked } from './heading-links.js'
import { indexableNow, isIndexableNow, requireIndexable } from './indexable.js'
import { carryOut, recoverAsWriter, type WriteOptions, withWriting } from './journal.js'
import { restAt } from './journal-pages.js'
import { beforeOf, readTwins, takeInAll, twinsOf, widest } from './nested-vaults.js'
import { singleNode, type Versioned } from './nodes.js'
import {
  aboutOther,
  changedMeanwhile,
  exists,
  follow,
  notFound,
  refuseUri,
  requireAlias,
  requireSeen,
  requireVersion,
} from './refused.js'
import { type FilePlan, type LinkChange, planRename } from './rename-plan.js'
import { isAll, knowsAll, requireWhole, shortenedWarning, shownTo } from './require-whole.js'
import {
  idOf,
  refreshVaults,
  type Spot,
  spotNamed,
  spotToChange,
  spotToFill,
  spotToLose,
  type Vault,
} from './vaults.js'
import { createNote, newMark, removeFile, replaceFile, settleFolder, sweep } from './write-files.js'

export interface Creation {
  title: string
  content: string
  tags: readonly string[]
  directory?: string
  ifVersion?: string
}

export function createNode(
  library: Library,
  request: Creation,
  options: WriteOptions = {},
): Promise<Versioned> {
  return writing(library, options, async (vaults) => {
    const title = requireTitle(request.title)
    const { tags, warnings } = cleanTags(request.tags)
    const spot = spotToFill(vaults, request.directory ?? '')
    if (!spot)
      throw new Problem('provider_error', 'There is no folder to write to.', 'Add a source to carrel.json.')
    const { vault } = spot
    if (spot.path === request.directory) await requireAlias(vaults, spot)
    const folder = spot.path === '' ? '' : `${spot.path}/`
    const path = await asOnDisk(vault.folder.path, requirePlainPath(`${folder}${fileName(title)}.md`))
    requireUnguarded(library, { vault, path })
    const existing = vault.graph.find(path)?.facts.path
    if (existing === undefined) await isIndexableNow(library, { vault, path })
    if (existing !== undefined || (await present(join(vault.folder.path, path))))
      throw exists({ vault, path: existing ?? path })
    if (request.ifVersion !== undefined)
      throw new Problem(
        'conflict',
        `There is no note at ${idOf({ vault, path })} yet, so it has no version.`,
        'Leave if_version out.',
      )
    const text = newText(path, { title, content: withoutMark(request.content), tags })
    const bytes = encodeNote(text, false)
    requireIndexable(library, bytes)
    options.commit?.()
    if (!(await createNote(vault.folder, path, bytes))) throw exists({ vault, path })
    await sweep(vault.folder.path, dirname(path))
    const node = await indexDocument(library, { vault, path }, options)
    await follow(`${node.id} was written`, () => takeInAll(library, vaults, { vault, path }))
    if (node.version === hashOf(bytes)) knowsAll(library, options, { vault, path }, node.version)
    return { ...node, warnings: [...warnings, ...shortenedWarning(request.content), ...node.warnings] }
  })
}

export interface Update extends Changes {
  id: string
  ifVersion?: string
  dryRun?: boolean
}

/** The changes that a call would make (a dry run). */
export interface Plan {
  rename: { from: string; to: string } | null
  files: { id: string; changes: LinkChange[] }[]
}

export function updateNode(
  library: Library,
  request: Update,
  options: WriteOptions = {},
): Promise<{ node: Versioned; rewritten: string[] } | { plan: Plan }> {
  return writing(library, options, async (vaults) => {
    const { title, content, tags } = request
    if (title === undefined && content === undefined && tags === undefined)
      throw invalid('Nothing is to be changed.', 'Give at least one of title, content and tags.')
    const spotOf = content === undefined ? spotToChange : spotToLose
    const named = spotOf(vaults, await withoutUri(library, request.id))
    // A title may go to another note: it is good enough for tags and a rename, not for replacing a text.
    const requested =
      named ??
      (await unreadNote(library, vaults, request)) ??
      (content === undefined ? spotNamed(vaults, request.id) : null)
    if (!requested) return notFound(library, vaults, request.id)
    const spot = title === undefined ? requested : await widest(library, vaults, requested)
    requireUnguarded(library, spot)
    const note = await readForChange(library, spot, request, options)
    const shown = shownTo(library, options, spot, note.hash)
    if (content !== undefined) requireNoMask(content)
    if (content !== undefined) requireWhole(spot, { text: note.text, shown }, content)
    const wanted = title === undefined ? undefined : requireTitle(title)
    const cleaned = tags && cleanTags(tags)
    const changes: Changes = {
      ...(content !== undefined && { content }),
      ...(wanted !== undefined && { title: wanted }),
      ...(cleaned && { tags: cleaned.tags }),
    }
    const to = wanted === undefined ? spot.path : pathFor(spot.path, wanted)
    requireUnguarded(library, { vault: spot.vault, path: to })
    const change = await prepare(library, { spot, to, note, changes }, options.signal)
    if (request.dryRun) return { plan: planOf(change) }
    const lost = wanted === undefined ? await danglingAfter(spot, factsOf(spot.path, change.text)) : []
    options.commit?.()
    const { node, warnings: apart } = await carryEverywhere(library, vaults, { change, requested }, options)
    if ((content !== undefined || isAll(note.text, shown)) && node.version === hashOf(bytesOf(change)))
      knowsAll(library, options, { vault: spot.vault, path: to }, node.version)
    const inText = cleaned ? tagsInText(node.tags, cleaned.tags) : []
    const warnings = [
      ...(cleaned?.warnings ?? []),
      ...inText,
      ...lostWarning(lost),
      ...apart,
      ...node.warnings,
    ]
    const rewritten = change.files.map(({ path }) => idOf({ vault: spot.vault, path })).sort()
    return { node: { ...node, warnings }, rewritten }
  })
}

/** A note that holds a private key is shown with the key masked. Written back like that, the key would be lost. */
function requireNoMask(content: string) {
  if (hasMaskedKey(content))
    throw invalid(
      'The content holds a private key that was masked when the note was shown.',
      'Change the note in an editor, or leave content out. Nothing was changed.',
    )
}

/** Everything about a change that is ready to be carried out. */
interface Change {
  spot: Spot
  to: string
  note: NoteFile
  text: string
  files: FilePlan[]
}

async function prepare(
  library: Library,
  { spot, to, note, changes }: { spot: Spot; to: string; note: NoteFile; changes: Changes },
  signal: AbortSignal | undefined,
): Promise<Change> {
  const { vault, path } = spot
  if (changes.title !== undefined) {
    await requireDone(library, spot)
    await catchUp(library, vault, signal)
  }
  if (!vault.graph.notes.has(path)) throw changedMeanwhile(spot)
  const existing = to === path ? undefined : vault.graph.find(to)?.facts.path
  if (existing !== undefined || (to !== path && (await present(join(vault.folder.path, to)))))
    throw exists({ vault, path: existing ?? to })
  const keepHeading = changes.title !== undefined && isHeadingLinked(spot, note.text)
  const text = changedText({ old: path, now: to }, note.text, changes, keepHeading)
  requireIndexable(library, encodeNote(text, note.mark))
  if (changes.title === undefined) return { spot, to, note, text, files: [] }
  const plan = await planRename(library, vault, { from: path, to, text }, signal)
  requireIndexable(library, encodeNote(plan.text, note.mark))
  return { spot, to, note, text: plan.text, files: plan.files }
}

/** Carries out the change, and updates the other vaults that hold the same files: one vault may lie inside another. */
async function carryEverywhere(
  library: Library,
  vaults: readonly Vault[],
  { change, requested }: { change: Change; requested: Spot },
  reader: Reader,
): Promise<{ node: Versioned; warnings: string[] }> {
  const { spot, to, files } = change
  const before = beforeOf(twinsOf(vaults, spot))
  const node = await carry(library, change, reader)
  const changed = [spot.path, ...files.map(({ path }) => path)]
  const { spots, warnings } = await readTwins(library, before, { vault: spot.vault, to, changed })
  const own = spots.find(({ vault }) => vault === requested.vault)
  return { node: own ? await written(library, own, reader) : node, warnings }
}

async function carry(
  library: Library,
  { spot, to, note, text, files }: Change,
  reader: Reader,
): Promise<Versioned> {
  const { vault, path } = spot
  const bytes = bytesOf({ note, text })
  if (to !== path || files.length > 0) {
    const page = {
      source: vault.source.id,
      from: path,
      to,
      title: factsOf(to, text).title,
      before: note.hash,
      after: hashOf(bytes),
      mark: newMark(),
      files: files.map((file) => ({ path: file.path, swaps: [...file.swaps] })),
    }
    const others = files.map(({ path: other, note: held, text: becomes }) => ({
      path: other,
      before: held.hash,
      bytes: encodeNote(becomes, held.mark),
      rights: held.rights,
    }))
    await carryOut(library, vault, page, { bytes, rights: note.rights }, others)
  } else if (text !== note.text) {
    if (!(await replaceFile(vault.folder.path, { path, before: note.hash, bytes, rights: note.rights })))
      throw changedMeanwhile(spot)
    await settleFolder(dirname(join(vault.folder.path, path)))
    return indexDocument(library, spot, reader)
  }
  return written(library, { vault, path: to }, reader)
}

function bytesOf({ note, text }: Pick<Change, 'note' | 'text'>): Uint8Array {
  return encodeNote(text, note.mark)
}

function planOf({ spot, to, note, text, files }: Change): Plan {
  const { vault, path } = spot
  const others = files.map((file) => ({ id: idOf({ vault, path: file.path }), changes: file.changes }))
  const own = { id: idOf(spot), changes: lineChanges(note.text, text) }
  return {
    rename: to === path ? null : { from: idOf(spot), to: idOf({ vault, path: to }) },
    files: [own, ...others].filter(({ changes }) => changes.length > 0),
  }
}

export interface Deletion {
  deleted: boolean
  /** Links that lead nowhere afterwards. */
  dangling: Dangling[]
  /** Said where another note has almost that id. */
  note?: string | null
}

export function deleteNode(
  library: Library,
  request: { id: string; ifVersion?: string; dryRun?: boolean },
  options: WriteOptions = {},
): Promise<Deletion> {
  return writing(library, options, async (vaults) => {
    if (isUri(request.id)) await refuseUri(library, vaults, request.id)
    const requested = spotToLose(vaults, request.id)
    const spot = requested && (await widest(library, vaults, requested))
    const note = spot && openNote(spot.vault.folder.path, spot.path)
    if (!spot || !note) {
      const unread = spot ? null : await indexableNow(library, vaults, request.id)
      if (unread) throw changedMeanwhile(unread)
      if (spot) await readAgain(library, [spot])
      return { deleted: false, dangling: [], note: spot ? null : aboutOther(vaults, request.id) }
    }
    // No client can have read the file's present text through Carrel, so none may delete it.
    if (note.hash !== spot.vault.known.get(spot.path)?.hash && request.ifVersion !== note.hash) {
      await readAgain(library, [spot])
      throw changedMeanwhile(spot)
    }
    requireVersion(spot, note, request.ifVersion)
    requireUnguarded(library, spot)
    if (request.ifVersion === undefined) requireSeen(library, spot, note, options)
    const dangling = await danglingAfter(spot, null)
    if (request.dryRun) return { deleted: false, dangling }
    options.commit?.()
    if (!(await removeFile(spot.vault.folder.path, spot.path, note.hash))) throw changedMeanwhile(spot)
    for (const { vault, path } of [spot, ...twinsOf(vaults, spot)])
      await follow(`${idOf(spot)} was deleted`, () => ingestFiles(library, filesRun(library, vault), [path]))
    return { deleted: true, dangling }
  })
}

// --- Shared by the three.

function writing<T>(
  library: Library,
  options: WriteOptions,
  work: (vaults: readonly Vault[]) => Promise<T>,
): Promise<T> {
  return withWriting(
    library,
    async () => {
      await recoverAsWriter(library)
      return work(await refreshVaults(library))
    },
    options,
  )
}

// Links that still have the name before this one would not be found, and led nowhere for good.
async function requireDone({ settings }: Library, { vault, path }: Spot) {
  const [rest] = await restAt(settings.data, { source: vault.source.id, path })
  if (rest === undefined) return
  const hint =
    'Make such files writable, or change the links in them by hand, and repeat. Nothing was changed.'
  throw new Problem('provider_error', rest, hint)
}

/** Brings the index up to date with the vault, so that no link is missed that was written a moment ago. */
async function catchUp(library: Library, vault: Vault, stop: AbortSignal | undefined) {
  await underLease(library.store.leases, indexingLease, { signal: stop }, async (signal) => {
    for await (const _ of ingestFolder(library, { ...filesRun(library, vault), signal }));
  })
  await refreshVaults(library)
}

/** A note that was not indexed until now. No client can have read it through Carrel, so none may replace its text. */
async function unreadNote(library: Library, vaults: readonly Vault[], { id, content }: Update) {
  const spot = await indexableNow(library, vaults, id)
  if (spot && content !== undefined) throw changedMeanwhile(spot)
  if (spot) await refreshVaults(library)
  return spot
}

async function readForChange(
  library: Library,
  spot: Spot,
  { content, ifVersion }: Update,
  reader: Reader,
): Promise<NoteFile> {
  const note = openNote(spot.vault.folder.path, spot.path)
  const known = spot.vault.known.get(spot.path)?.hash
  if (note?.hash !== known) {
    await readAgain(library, [spot])
    const vaults = await refreshVaults(library)
    if (!note) return notFound(library, vaults, idOf(spot))
    // To replace a text a client must have read it, and none can have read this version through Carrel.
    if (content !== undefined && ifVersion !== note.hash) throw changedMeanwhile(spot)
  }
  requireVersion(spot, note!, ifVersion)
  if (content !== undefined && ifVersion === undefined) requireSeen(library, spot, note!, reader)
  return note!
}

/** A file that was written just now, as the index has it then. */
async function indexDocument(library: Library, spot: Spot, reader: Reader): Promise<Versioned> {
  const run = filesRun(library, spot.vault)
  await follow(`${idOf(spot)} was written`, () => ingestFiles(library, run, [spot.path]))
  return written(library, spot, reader)
}

async function written(library: Library, spot: Spot, reader: Reader): Promise<Versioned> {
  await refreshVaults(library)
  const node = await singleNode(library, spot, { reader })
  if (node) return node
  throw new Problem(
    'provider_error',
    `${idOf(spot)} was written, but the index does not take it.`,
    'Check the exclude globs in carrel.json, and "carrel doctor".',
  )
}

/** A link that leads nowhere once a note was changed or deleted. */
export interface Dangling {
  id: string
  line: number
  link: string
}

const stepLinks = 100

/** The links that lead to a note and would lead nowhere with other facts of it, or without it. */
async function danglingAfter({ vault, path }: Spot, facts: NoteFacts | null): Promise<Dangling[]> {
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
function lostWarning(lost: Dangling[]): string[] {
  const [first] = lost
  if (!first) return []
  const many = lost.length === 1 ? 'A link leads' : `${lost.length} links lead`
  return [
    `${many} nowhere now: ${first.link} in ${first.id}, line ${first.line}${lost.length > 1 ? ', and others' : ''}. To change a title with its links, give title.`,
  ]
}

const mostLines = 100

/** Lines that differ, paired after the common start and end are set aside. */
function lineChanges(before: string, after: string): LinkChange[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const count = Math.max(old.length, now.length) - start - end
  return Array.from({ length: Math.min(count, mostLines) }, (_, i) => ({
    line: start + i + 1,
    before: start + i < old.length - end ? old[start + i]! : '',
    after: start + i < now.length - end ? now[start + i]! : '',
  })).filter((change) => change.before !== change.after)
}
