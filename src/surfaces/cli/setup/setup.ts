// `carrel setup`: adds the server to a client's configuration, or removes it.
import { isUtf8 } from 'node:buffer'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { Problem } from '../../../model/problem.js'
import { replaceFile } from '../../../sources/whole-file.js'
import { didYouMean } from '../../../text/nearest.js'
import {
  type ClientDefinition,
  type ClientName,
  clientNames,
  clients,
  ownKeys,
  type Place,
  type Reach,
} from './clients.js'
import { type Entry, isOurName, nameToRemove, nameToWrite, sharedName } from './entry-name.js'
import { getIn, removeIn, setIn } from './jsonc-edit.js'
import { hasTable, removeTable, setTable, type TomlValue, tablesBelow } from './toml-edit.js'

export interface SetupOptions {
  client: string
  dryRun?: boolean
  remove?: boolean
  home: string
  cwd: string
  /** The command that starts the program, for example `['carrel']` or `['npx', '-y', 'carrel']`. */
  command: readonly string[]
  /** The same command without paths of this machine, for a file that other people of the project read. */
  portableCommand?: readonly string[] | undefined
  /** Options for the program: those that name a path, as given, and the others. */
  paths?: Readonly<Record<string, string | undefined>>
  words?: readonly string[]
  /** The options that choose tools. They apply to every project. */
  tools?: readonly string[]
  /** The project is inside another one, which the program would choose without an explicit root. */
  inAnother?: boolean
  /** Reach a running server at this address instead of starting one. */
  url?: string
  /** The server at that address asks for a token, to be read from CARREL_TOKEN. */
  token?: boolean
  scope?: 'project' | 'user'
  /** The name of the entry. */
  name?: string
  platform?: NodeJS.Platform
  env?: Record<string, string | undefined>
}

export interface SetupResult {
  client: ClientName
  file: string
  action: 'created' | 'changed' | 'unchanged' | 'removed' | 'absent'
  before: string | null
  after: string | null
  notes: string[]
}

export function setupClient(options: SetupOptions): SetupResult {
  const client = clientName(options.client)
  if (options.url !== undefined) checkAddress(options.url)
  const definition = clients[client]
  const { remove = false } = options
  const { file, scope } = fileOf(definition, options)
  if (scope === 'project') refuseLinkOut(file, options.cwd)
  const before = inFile(file, () => (existsSync(file) ? readText(file) : null))
  const target = inFile(file, () => targetOf(definition, options, { file, scope, before }))
  const after = inFile(file, () => (remove ? without(target, before) : withEntry(target, before)))
  const action = actionOf(before, after, remove)
  const notes = action === 'absent' ? notesForAbsent(target, options) : notesFor(definition, target, options)
  if (!options.dryRun && after !== before) inFile(file, () => write(target, before, after, options))
  return { client, file, before, after, notes, action }
}

/** The changed lines as `diff` shows them. Of a single long line, only the changed part: the rest may be private. */
export function changedLines({ before, after }: Pick<SetupResult, 'before' | 'after'>): string {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end))
    end++
  const gone = old.slice(start, old.length - end)
  const come = fresh.slice(start, fresh.length - end)
  const [cutGone, cutCome] =
    gone.length === 1 && come.length === 1 ? withoutSame(gone[0]!, come[0]!) : [gone, come]
  return [...cutGone.map((line) => `- ${line}\n`), ...cutCome.map((line) => `+ ${line}\n`)].join('')
}

const longLine = 200

function withoutSame(gone: string, come: string): [string[], string[]] {
  if (gone.length <= longLine && come.length <= longLine) return [[gone], [come]]
  const most = Math.min(gone.length, come.length)
  let start = 0
  while (start < most && gone[start] === come[start]) start++
  let end = 0
  while (end < most - start && gone.at(-1 - end) === come.at(-1 - end)) end++
  const cut = (line: string) =>
    line.length > start + end ? [`… ${line.slice(start, line.length - end)} …`] : []
  return [cut(gone), cut(come)]
}

interface Target {
  file: string
  scope: Scope
  format: 'json' | 'toml'
  /** The path of the servers within the file. */
  container: string[]
  /** The path of the entry within the file; null if there is none to remove. */
  path: string[] | null
  /** The entry is for every project: it names no folder. */
  shared: boolean
  entry: Record<string, unknown>
  /** Our entries that are in the file now. */
  entries: Entry[]
}

function clientName(name: string): ClientName {
  const known = clientNames.find((one) => one === name)
  if (known) return known
  const hint = didYouMean(name, clientNames) ?? `The clients are ${clientNames.join(', ')}.`
  throw new Problem('usage', `There is no client "${name.slice(0, 40)}".`, hint)
}

function checkAddress(url: string) {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw new Problem(
    'usage',
    `"${url.slice(0, 80)}" is no web address.`,
    'Give the one that "carrel serve" prints, as in --url http://127.0.0.1:7373/mcp.',
  )
}

type Scope = 'project' | 'user'

/** Refuses a link out of the project: a hostile project could make us change the user's files. */
function refuseLinkOut(file: string, root: string) {
  let at = file
  // By lstat: a dangling link would be followed on write, too.
  while (!lstatSync(at, { throwIfNoEntry: false }) && at !== dirname(at)) at = dirname(at)
  const steps = existsSync(at) ? relative(realpathSync.native(root), realpathSync.native(at)) : '..'
  if (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)) return
  throw new Problem(
    'closed_file',
    `${file} leads out of the project by a link.`,
    'Remove the link, or set up your own file with --scope user.',
  )
}

function fileOf(definition: ClientDefinition, options: SetupOptions): { file: string; scope: Scope } {
  if (options.url && definition.noAddress)
    throw new Problem(
      'no_address',
      `${definition.title} cannot be given an address this way.`,
      definition.noAddress,
    )
  const scope = options.scope ?? definition.usual
  if (scope === 'project' && !definition.project)
    throw new Problem(
      'no_project_file',
      `${definition.title} has no file for a single project.`,
      'Use --scope user.',
    )
  const { home, cwd, platform = process.platform, env = process.env } = options
  const place: Place = { home, cwd, platform, env }
  return { file: scope === 'project' ? definition.project!(place) : definition.user(place), scope }
}

function targetOf(
  definition: ClientDefinition,
  options: SetupOptions,
  { file, scope, before }: { file: string; scope: Scope; before: string | null },
): Target {
  const { cwd: root, url, platform = process.platform } = options
  const container = containerIn(definition, before ?? '')
  const entries = entriesIn(definition.format, container, before ?? '')
  const wantsShared = scope === 'user' && isForEveryProject(definition, options)
  const name = options.name ?? entryName()
  if (name !== null && !/^[\w-]{1,40}$/.test(name))
    throw new Problem(
      'bad_name',
      `"${name}" cannot be the name of a server.`,
      'Use letters, digits and dashes.',
    )
  // A project that has its own entry keeps it when it asks for the shared one without options.
  const shared = wantsShared && name === sharedName
  return {
    file,
    scope,
    format: definition.format,
    container,
    path: name === null ? null : [...container, name],
    shared,
    entry: definition.entry(reachOf(definition, options, { scope, shared, platform })),
    entries,
  }

  function entryName(): string | null {
    if (scope === 'project') return sharedName
    if (options.remove) return nameToRemove(entries, { root, url })
    return nameToWrite(entries, { root, url, shared: wantsShared })
  }
}

/** Whether the entry serves every project, so it names no folder. An entry with options belongs to one project. */
function isForEveryProject({ startsInProject }: ClientDefinition, options: SetupOptions): boolean {
  const { url, inAnother = false, paths = {}, words = [] } = options
  const plain = words.length === 0 && Object.values(paths).every((path) => path === undefined)
  return startsInProject === true && url === undefined && !inAnother && plain
}

function entriesIn(format: 'json' | 'toml', container: readonly string[], text: string): Entry[] {
  if (format === 'toml')
    return [...tablesBelow(text, container, ['command', 'args', 'url'])]
      .filter(([name]) => isOurName(name))
      .map(([name, strings]) => ({ name, root: rootIn(strings), url: addressIn(strings) }))
  const there = getIn(text, container)
  if (there === null || typeof there !== 'object') return []
  return Object.entries(there as Record<string, unknown>)
    .filter(([name]) => isOurName(name))
    .map(([name, entry]) => {
      const { args, command, url, httpUrl, serverUrl } = (entry ?? {}) as Record<string, unknown>
      return { name, root: rootIn([command, args].flat()), url: addressIn([url, httpUrl, serverUrl]) }
    })
}

function rootIn(words: readonly unknown[]): string | null {
  const at = words.indexOf('--root')
  return at === -1 ? null : String(words[at + 1])
}

function addressIn(words: readonly unknown[]): string | null {
  return words.find((word): word is string => typeof word === 'string' && /^https?:/i.test(word)) ?? null
}

// opencode's second version moved servers one level down; a file that has them there keeps them there.
function containerIn({ container }: ClientDefinition, text: string): string[] {
  if (container[0] !== 'mcp') return container
  const deeper = [...container, 'servers']
  const there = getIn(text, deeper)
  return there && typeof there === 'object' && !('type' in there) ? deeper : container
}

function reachOf(
  { folder, startsInProject }: ClientDefinition,
  {
    url,
    token = false,
    cwd,
    inAnother = false,
    paths = {},
    words = [],
    tools = [],
    ...options
  }: SetupOptions,
  { scope, shared, platform }: { scope: Scope; shared: boolean; platform: NodeJS.Platform },
): Reach {
  if (url !== undefined) return { url, token }
  const own = folder ?? (inAnother ? '.' : undefined)
  const named = scope === 'user' ? (shared ? undefined : cwd) : own
  const root = named === undefined ? [] : ['--root', named]
  // If the client has a variable for the project's folder, or starts in it, paths need not name a place on this machine.
  const from = scope === 'user' ? undefined : (folder ?? (startsInProject ? '' : undefined))
  const seen = (path: string) => asSeen(path, { cwd, from })
  const given = Object.entries(paths).flatMap(([option, path]) =>
    path === undefined ? [] : [option, seen(resolve(path))],
  )
  const command = scope === 'project' ? (options.portableCommand ?? options.command) : options.command
  const program = command.map((word) => (isAbsolute(word) ? seen(word) : word))
  const [first = 'carrel', ...rest] = [...program, 'mcp', ...root, ...tools, ...given, ...words]
  // Windows starts no script without its shell.
  if (platform === 'win32' && !/\.exe$/i.test(first)) return { command: 'cmd', args: ['/c', first, ...rest] }
  return { command: first, args: rest }
}

/** A path in the project as the client can find it from the project's folder; any other path stays absolute. */
function asSeen(path: string, { cwd, from }: { cwd: string; from: string | undefined }): string {
  const steps = relative(cwd, path).split(sep)
  const within = steps[0] !== '..' && !isAbsolute(relative(cwd, path))
  if (from === undefined || !within) return path
  return from === '' ? steps.join('/') || '.' : [from, ...steps].join('/')
}

function withEntry({ format, path, entry }: Target, before: string | null): string {
  const text = before ?? ''
  if (path === null) return text
  if (format === 'toml') return setTable(text, path, entry as Record<string, TomlValue>, ownKeys)
  const there = getIn(text, path)
  if (there === null || typeof there !== 'object') return setIn(text, path, entry)
  const stale = Object.keys(there).filter((key) => ownKeys.includes(key) && !(key in entry))
  const current = stale.reduce((left, key) => removeIn(left, [...path, key]), text)
  return Object.entries(entry).reduce((left, [key, value]) => setIn(left, [...path, key], value), current)
}

/** Removes the entry. If nothing else changed since it was added, the file gets its original bytes back. */
function without(target: Target, before: string | null): string | null {
  const { path } = target
  if (before === null || path === null || !isThere(target, before)) return before
  const backup = backupOf(target.file)
  const original = existsSync(backup) ? readText(backup) : null
  if (original !== null && withEntry(target, original) === before) return original
  const cut = target.format === 'toml' ? removeTable(before, path) : cutJson(path, before, original)
  return original === null && isEmpty(cut) ? null : cut
}

function cutJson(path: string[], before: string, original: string | null): string {
  let text = removeIn(before, path)
  for (let depth = path.length - 1; depth > 0; depth--) {
    const container = path.slice(0, depth)
    const left = getIn(text, container)
    const ours = original === null || getIn(original, container) === undefined
    if (!ours || !left || typeof left !== 'object' || Object.keys(left).length > 0) break
    text = removeIn(text, container)
  }
  return text
}

function isThere({ format, path }: Target, text: string): boolean {
  if (path === null) return false
  return format === 'toml' ? hasTable(text, path) : getIn(text, path) !== undefined
}

function isEmpty(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text)
}

function write(target: Target, before: string | null, after: string | null, options: SetupOptions) {
  const { file, entries } = target
  const backup = backupOf(file)
  const others = entries.filter(({ name }) => name !== target.path?.at(-1))
  if (after === null) {
    rmSync(file)
    removeEmptyFolders(dirname(file), options)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    // The backup is the file without our entry; a second setup must not overwrite it with one that has it.
    if (!options.remove && before !== null && entries.length === 0) writeWhole(backup, before, file)
    writeWhole(file, after)
  }
  if (options.remove && others.length === 0) rmSync(backup, { force: true })
}

/** Writes a file in one step, through a link to its target. It gets the permissions that `like` has. */
function writeWhole(path: string, text: string, like = path) {
  const target = existsSync(path) ? realpathSync.native(path) : path
  replaceFile(target, text, existsSync(like) ? { mode: statSync(like).mode & 0o777 } : {})
}

/** Folders that set-up made for its file: empty now, and below the project's or the user's folder. */
function removeEmptyFolders(folder: string, { home, cwd, env = process.env }: SetupOptions) {
  const permanent = [home, cwd, env.XDG_CONFIG_HOME, env.CODEX_HOME, env.APPDATA]
  for (let at = folder; !permanent.includes(at) && [home, cwd].some((top) => at.startsWith(top + sep)); ) {
    try {
      rmdirSync(at)
    } catch {
      return
    }
    at = dirname(at)
  }
}

/** Bytes that are no text would not come out again as they went in. */
function readText(file: string): string {
  const found = statSync(file)
  // Reading a pipe would wait for a writer, for ever.
  if (!found.isFile() && !found.isDirectory()) throw new Problem('broken_file', 'It is not a regular file.')
  const bytes = readFileSync(file)
  if (!isUtf8(bytes)) throw new Problem('broken_file', 'It is not UTF-8.')
  return bytes.toString()
}

function backupOf(file: string): string {
  return `${file}.carrel-backup`
}

function actionOf(before: string | null, after: string | null, remove: boolean): SetupResult['action'] {
  if (remove) return after === before ? 'absent' : 'removed'
  if (after === before) return 'unchanged'
  return before === null ? 'created' : 'changed'
}

function notesFor(definition: ClientDefinition, { scope, shared }: Target, options: SetupOptions): string[] {
  const { url, token, remove, paths = {}, words = [] } = options
  const { title } = definition
  if (remove) return [`Restart ${title} to stop the server.`]
  const notes = [`Restart ${title}, or reload its servers, to see the tools.`]
  if (shared)
    notes.push(`${title} starts the server in the folder you work in: the entry serves every project.`)
  const given = [...Object.keys(paths).filter((option) => paths[option] !== undefined), ...words]
  if (!url && scope === 'project' && isAbsolute(options.command[0] ?? '') && !options.portableCommand)
    notes.push(
      'The file names Carrel by its path on this machine. To share the file, install Carrel globally or in the project, and set up again.',
    )
  if (url && given.length > 0)
    notes.push(`The server at ${url} has its own configuration; ${given[0]} is not written down.`)
  if (url && token && title === 'Zed')
    notes.push('Zed reads no environment: put the token in place of TOKEN yourself.')
  else if (url && token) notes.push(`${title} reads the token from the environment variable CARREL_TOKEN.`)
  return notes
}

/** Nothing was removed, and the file has entries for other projects: which ones, and how to remove them. */
function notesForAbsent({ entries }: Target, { cwd }: SetupOptions): string[] {
  const others = entries.flatMap(({ root, url }) => (root ?? url) || [])
  if (others.length === 0) return []
  return [
    `No entry is for ${cwd}. Set up: ${others.join(', ')}. Name one with --root DIR, or with --url URL.`,
  ]
}

function inFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem && error.code === 'broken_file')
      throw new Problem(
        'broken_file',
        `${file} cannot be changed. ${error.message}`,
        'Mend the file first; nothing was written.',
      )
    const { code, path = file, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    const hint = 'See who may read and write there, and that the disk has space. The file is as it was.'
    throw new Problem('closed_file', `${file} cannot be changed: ${code} at ${path}.`, hint, { cause: error })
  }
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
