import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readerKind } from '../ingest/reader-version.js'
import { Problem, reasonOf } from '../model/problem.js'
import type { Check } from '../model/reports.js'
import type { Settings } from '../model/settings.js'
import { folderId, sharedFolderId } from '../sources/folder.js'
import { isBareFolder } from '../sources/require-folder.js'
import { ripgrep } from '../sources/ripgrep.js'
import { hindranceHint, journalHindrance, journalName } from '../store/sqlite/journal.js'
import { rebuildIndex } from '../store/sqlite/repair.js'
import {
  auditJournal,
  invalidRecords,
  recordIdsIn,
  recordsOf,
  repairJournal,
} from '../store/sqlite/repair-journal.js'
import { promptsFolder, readPrompts } from '../toolsets/architecture/prompts/prompt-files.js'
import { waitingRenames } from '../toolsets/graph/journal-pages.js'
import { type BytesState, stateOfBytes } from '../toolsets/knowledge/blob-store.js'
import { type DocumentRecord, documentKind } from '../toolsets/knowledge/document-records.js'
import { auditInProcess } from './audit.js'
import { isValid, isWhole } from './record-schemas.js'

export interface DoctorOptions {
  repair?: boolean
  /** How long looking the index over may take; without it, by the size of the index. */
  auditMs?: number
}

/** Checks everything that Carrel needs. With `repair`, mends what it can, and always keeps the old file. */
export async function doctor(settings: Settings, options: DoctorOptions): Promise<Check[]> {
  return [
    {
      name: 'node',
      state: 'ok',
      message: `Node ${process.versions.node} on ${process.platform}-${process.arch}.`,
    },
    await checkRipgrep(),
    ...checkSources(settings),
    checkData(settings.data),
    checkSpace(settings.data),
    await checkIndex(settings.data, options),
    ...(settings.shared
      ? [{ ...(await checkIndex(settings.shared.folder, options)), name: 'shared index' }]
      : []),
    ...(await checkJournal(settings.data, options.repair === true)),
    ...checkRecords(settings.data),
    ...(await checkUploads(settings)),
    ...(await checkRenames(settings.data)),
    ...(await checkPrompts(settings.root)),
  ]
}

async function checkRipgrep(): Promise<Check> {
  try {
    await ripgrep()
    return { name: 'ripgrep', state: 'ok', message: 'ripgrep is there.' }
  } catch (error) {
    return { name: 'ripgrep', state: 'failed', message: reasonOf(error) }
  }
}

function checkSources({ sources, data, shared }: Settings): Check[] {
  const read = recordIdsIn(data, readerKind, isWhole)
  const idOf = (path: string) => (shared ? sharedFolderId(path, shared) : folderId(path))
  return sources.map((source) => checkSource(source, (path) => read === null || read.includes(idOf(path))))
}

function checkSource(
  { name, path }: Settings['sources'][number],
  isIndexed: (path: string) => boolean,
): Check {
  const label = `source ${name}`
  try {
    accessSync(path, constants.R_OK)
    if (isIndexed(path) || isBareFolder(path))
      return { name: label, state: 'ok', message: `${path} can be read.` }
    return {
      name: label,
      state: 'warning',
      message: `${path} was never indexed to its end, so answers lack what is in it.`,
      hint: 'Run "carrel index", or wait if it is being indexed now.',
    }
  } catch {
    return {
      name: label,
      state: 'failed',
      message: `${path} cannot be read.`,
      hint: 'Check the path in carrel.json or --root.',
    }
  }
}

// By making a folder there, since permissions are not the only possible obstacle.
function checkData(folder: string): Check {
  const name = 'data folder'
  const there = nearestThere(folder)
  try {
    rmdirSync(mkdtempSync(join(there, '.carrel-check-')))
    const message =
      there === folder ? `${folder} can be written.` : `${folder} will be made by the first run.`
    return { name, state: 'ok', message }
  } catch (error) {
    const what = there === folder ? 'written' : `made in ${there}`
    const { code } = error as NodeJS.ErrnoException
    return {
      name,
      state: 'failed',
      message: `${folder} cannot be ${what} (${code === 'ENOTDIR' ? 'a file stands there' : code}).`,
      hint: 'Choose another one with --data DIR.',
    }
  }
}

/** The folder, or the nearest one above it that is there. */
function nearestThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder))
}

const littleSpace = 200_000_000

function checkSpace(folder: string): Check {
  const name = 'disk space'
  try {
    const { bavail, bsize } = statfsSync(nearestThere(folder))
    const free = bavail * bsize
    const message = `${free > 10e9 ? `${Math.round(free / 1e9)} GB` : `${Math.round(free / 1e6)} MB`} free.`
    if (free > littleSpace) return { name, state: 'ok', message }
    return {
      name,
      state: 'warning',
      message,
      hint: 'Free some space, or choose another disk with --data DIR.',
    }
  } catch (error) {
    return { name, state: 'warning', message: `It could not be found out: ${reasonOf(error)}` }
  }
}

/** One line a rename that waits; nothing when none does. */
async function checkRenames(folder: string): Promise<Check[]> {
  return (await waitingRenames(folder)).map((message) => ({
    name: 'rename',
    state: 'warning',
    message,
    hint: 'A running server goes on with it at the next change of a note, others when they start. Make files that are read-only writable, or change the links in them by hand.',
  }))
}

/** One check for each faulty prompt file; none for a project without prompts of its own. */
async function checkPrompts(root: string): Promise<Check[]> {
  const { prompts, problems } = await readPrompts(root)
  if (prompts.length + problems.length === 0) return []
  if (problems.length === 0) {
    const message = `${prompts.length} of the project in ${promptsFolder}.`
    return [{ name: 'prompts', state: 'ok', message }]
  }
  return problems.map(({ file, message, state }) => ({
    name: `prompt ${file}`,
    state: 'warning',
    message: state === 'warning' ? message : `It is not used: ${message}`,
    hint: `Mend ${promptsFolder}/${file}; a running server reads it again by itself.`,
  }))
}

async function checkIndex(folder: string, options: DoctorOptions): Promise<Check> {
  try {
    return await indexState(folder, options)
  } catch (error) {
    // The index is unreachable, not damaged, so a new one would not help.
    return failedIndex(error)
  }
}

function failedIndex(error: unknown, damage: readonly string[] = []): Check {
  if (!(error instanceof Problem)) throw error
  const { message, hint } = error
  return {
    name: 'index',
    state: 'failed',
    message: [...damage, message].join(' '),
    ...(hint ? { hint } : {}),
  }
}

async function indexState(folder: string, { repair, auditMs }: DoctorOptions): Promise<Check> {
  const name = 'index'
  const problems = await auditInProcess(folder, auditMs)
  if (problems.length === 0) return { name, state: 'ok', message: 'The index is sound.' }
  if (!repair) {
    const hint =
      '"carrel doctor --repair" saves your own records and starts the index anew; "carrel index" fills it.'
    return { name, state: 'failed', message: problems.join(' '), hint }
  }
  try {
    const { oldFile, records } = await rebuildIndex(folder, isWhole)
    return {
      name,
      state: 'repaired',
      message: `${problems.join(' ')} A new index was started with ${records} records of yours; the old file is ${oldFile}.`,
      hint: 'Run "carrel index" to fill it from the sources.',
    }
  } catch (error) {
    return failedIndex(error, problems)
  }
}

/** After the index, from which it is mended. Nothing when it is sound. */
async function checkJournal(folder: string, repair: boolean): Promise<Check[]> {
  const name = 'records'
  const hindrance = journalHindrance(folder)
  if (hindrance !== null) return [{ name, state: 'failed', message: hindrance, hint: hindranceHint }]
  const problem = auditJournal(folder, isWhole)
  if (problem === null) return []
  if (!repair) {
    const hint =
      '"carrel doctor --repair" brings back to the index what it lacks, writes records.jsonl anew with all its records, and keeps the old file under another name. Delete a file that was put aside if you want nothing of it.'
    return [{ name, state: 'warning', message: problem, hint }]
  }
  try {
    return [{ name, state: 'repaired', message: `${problem} ${await mendJournal(folder)}` }]
  } catch (error) {
    return [{ name, state: 'failed', message: `${problem} ${reasonOf(error)}` }]
  }
}

/** Nothing when every record is of its form. */
function checkRecords(folder: string): Check[] {
  const invalid = invalidRecords(folder, isValid)
  if (invalid.length === 0) return []
  const named = invalid.slice(0, mostNamed).join(', ') + (invalid.length > mostNamed ? ', …' : '')
  return [
    {
      name: 'records',
      state: 'warning',
      message: `${invalid.length} records of the index are not of their form and are left out: ${named}.`,
      hint: 'They are ignored. Write them again if you miss something.',
    },
  ]
}

async function mendJournal(folder: string): Promise<string> {
  const { oldFile, records } = await repairJournal(folder, isWhole)
  const back = records > 0 ? `${records} came back to the index, and ` : ''
  return `${back}${journalName} was written anew${oldFile ? `; the old file is ${oldFile}` : ''}.`
}

/** Checks the bytes of uploads, which exist nowhere else. No check if there are no uploads. */
async function checkUploads(settings: Settings): Promise<Check[]> {
  const name = 'uploads'
  const records = documentsIn(settings.data)
  const wrong: { record: DocumentRecord; state: BytesState }[] = []
  for (const record of records) {
    const state = await stateOfBytes({ settings }, record)
    if (state !== 'whole') wrong.push({ record, state })
  }
  if (records.length === 0) return []
  // A document may be changed or deleted while we look, and its bytes with it.
  const now = new Set(wrong.length > 0 ? documentsIn(settings.data).map(versionOf) : [])
  const lost = wrong.filter(({ record }) => now.has(versionOf(record)))
  if (lost.length === 0)
    return [{ name, state: 'ok', message: `The bytes of all ${records.length} are intact.` }]
  const named = lost.slice(0, mostNamed).map(({ record, state }) => `"${record.path}" (${state})`)
  const more = lost.length > mostNamed ? ', …' : ''
  return [
    {
      name,
      state: 'failed',
      message: `The bytes of ${lost.length} of ${records.length} are lost, damaged or unreadable: ${named.join(', ')}${more}.`,
      hint: 'Their indexed text is still found. Put the files back from a backup, upload the documents again, or delete them.',
    },
  ]
}

const mostNamed = 5

function documentsIn(folder: string): DocumentRecord[] {
  return recordsOf<DocumentRecord>(folder, documentKind, isWhole)
}

function versionOf({ id, hash }: DocumentRecord): string {
  return `${id} ${hash}`
}
