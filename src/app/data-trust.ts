// Decides whether a data folder is this user's own. A repository or an archive can contain a `.carrel` with records, jobs
// and links that someone else has chosen. So each data folder gets a random id when it is made, and the user's state
// folder, outside the project, remembers the id and the place. A folder that is not remembered, or in which git tracks
// files, is never used or changed: the data is then kept in the state folder.
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { Note } from '../model/problem.js'
import type { DataTrust } from '../model/settings.js'
import { trackedFiles } from '../sources/tracked-files.js'
import { dataFolderId, ensureDataFolderId, makeFolder } from '../store/sqlite/database-file.js'
import { isWithin } from './config/place.js'

/** The folder in which this user's programs remember things between runs. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const own = env.CARREL_STATE
  if (own && isAbsolute(own)) return own
  const shared = env.XDG_STATE_HOME
  return join(shared && isAbsolute(shared) ? shared : join(home, '.local', 'state'), 'carrel')
}

export interface Place {
  root: string
  state: string
  /** Whether the user named the folder, as with --data. */
  named: boolean
}

/** The data folder to use: the one at `path` if it is this user's own or not there yet, else one in the state folder. */
export async function chooseDataFolder(
  path: string,
  place: Place,
): Promise<{ data: string; trust: DataTrust; notes: Note[] }> {
  const { state } = place
  const distrust = await reasonForDistrust(path, place)
  if (distrust === null) return { data: path, trust: { state, untrusted: null }, notes: [] }
  const data = folderElsewhere(path, state)
  const message = `${distrust.sentence} Nothing in it is used; the data is kept in ${data}. ${distrust.hint}`
  return { data, trust: { state, untrusted: path }, notes: [{ code: 'data_folder_untrusted', message }] }
}

interface Distrust {
  sentence: string
  hint: string
}

async function reasonForDistrust(path: string, { root, state, named }: Place): Promise<Distrust | null> {
  if (await isTracked(path))
    return {
      sentence: `Git tracks files in the data folder ${path}, so others may have written what is in it.`,
      hint: `Take it out of the repository with "git rm -r --cached ${basename(path)}".`,
    }
  if (named && isWithin(root, path) && realPlace(path) !== path)
    return {
      sentence: `On the way to the data folder ${path} is a link that the project may have brought.`,
      hint: `Name the folder itself: --data ${realPlace(path)}.`,
    }
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || isNew(path, found) || recognizeDataFolder(path, state)) return null
  const mine = isMine(found)
  // A folder outside the project did not come with it, and the user named it.
  if (named && !isWithin(root, realPlace(path))) return null
  return {
    sentence: mine
      ? `The data folder ${path} is not known to be yours: it came with the project, was copied here, or was made by an earlier version.`
      : `The data folder ${path} belongs to another user.`,
    hint: 'If you trust what is in it, "carrel doctor --trust" takes it over with all its records.',
  }
}

export async function isTracked(path: string): Promise<boolean> {
  return (await trackedFiles(realPlace(path))).length > 0
}

/** Empty, or with nothing but the id that another process gave it just now. */
function isNew(path: string, found: Stats): boolean {
  return found.isDirectory() && orElse(() => readdirSync(path), ['?']).every((name) => name === 'id')
}

function isMine({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === process.geteuid()
}

/** Where a path leads, whether its last steps exist or not. */
function realPlace(path: string): string {
  const above = dirname(path)
  return orElse(
    () => realpathSync.native(path),
    () => (above === path ? path : join(realPlace(above), basename(path))),
  )
}

function folderElsewhere(path: string, state: string): string {
  const real = realPlace(path)
  const name = basename(dirname(real))
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 40)
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16)
  return join(writableState(state) ?? state, 'data', `${name}-${hash}`)
}

/** Makes the data folder if there is none, and remembers it as this user's. The id is the first file in it. */
export function rememberDataFolder(path: string, { state }: DataTrust): Note[] {
  const data = realPlace(path)
  if (statesFor(state).some((one) => isWithin(realPlace(one), data)) || recognizeDataFolder(data, state))
    return []
  // A folder that cannot be made or written gets no id. Opening the index in it then fails with the reason, or only reads.
  const id = orElse(() => {
    makeFolder(data, 0o700)
    return ensureDataFolderId(data)
  }, null)
  return id === null ? [] : remember(data, id, state)
}

// --- The state folder has a file for each data folder, named after its id.

interface Remembered {
  path: string
  dev: number
  ino: number
}

/** Whether the data folder is a remembered one. Updates the entry of one that was moved. */
function recognizeDataFolder(path: string, state: string): boolean {
  const id = orElse(() => dataFolderId(path), null)
  const entry = id === null ? null : recall(id, state)
  const found = orElse(() => statSync(path), null)
  if (id === null || entry === null || found === null) return false
  if (entry.path === realPlace(path)) return true
  // A folder that was moved is the same one still; a copy is not.
  if (entry.dev !== found.dev || entry.ino !== found.ino || existsSync(entry.path)) return false
  remember(path, id, state, found)
  return true
}

function recall(id: string, state: string): Remembered | null {
  for (const one of statesFor(state)) {
    const entry = orElse(() => JSON.parse(readFileSync(entryOf(one, id), 'utf8')) as Remembered, null)
    if (entry && typeof entry.path === 'string') return entry
  }
  return null
}

function remember(data: string, id: string, state: string, found = statSync(data)): Note[] {
  const entry: Remembered = { path: realPlace(data), dev: found.dev, ino: found.ino }
  const place = writableState(state)
  if (place !== null) writeFileSync(entryOf(place, id), `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  if (place === state) return []
  const until = place === null ? 'the next run will not know it' : `it is remembered in ${place} meanwhile`
  const message = `The state folder ${state} cannot be written, so the data folder ${data} is not remembered there as yours: ${until}. CARREL_STATE names another state folder.`
  return [{ code: 'state_folder', message }]
}

function entryOf(state: string, id: string): string {
  return join(state, 'data-folders', `${id}.json`)
}

/** The state folder, and a temporary folder that replaces it in a container with a read-only home. */
function statesFor(state: string): string[] {
  const temporary = join(tmpdir(), `carrel-state-${process.geteuid?.() ?? 'user'}`)
  const found = lstatSync(temporary, { throwIfNoEntry: false })
  // Everybody may make a folder there.
  const safe = !found || (found.isDirectory() && isMine(found) && (found.mode & 0o077) === 0)
  return safe && process.platform !== 'win32' ? [state, temporary] : [state]
}

function writableState(state: string): string | null {
  return statesFor(state).find(isWritable) ?? null
}

function isWritable(state: string): boolean {
  const probe = join(state, 'data-folders', `.probe-${randomBytes(6).toString('hex')}`)
  return orElse(() => {
    mkdirSync(dirname(probe), { recursive: true, mode: 0o700 })
    writeFileSync(probe, '')
    rmSync(probe)
    return true
  }, false)
}

function orElse<T>(work: () => T, instead: T | (() => T)): T {
  try {
    return work()
  } catch {
    return instead instanceof Function ? instead() : instead
  }
}

/** Remembers a folder under a new id, so that jobs that were begun under another are not resumed. */
export function rememberAnew(data: string, state: string): Note[] {
  return remember(data, ensureDataFolderId(data, { renew: true }), state)
}
