// `carrel setup`: writes the server into a client's own configuration, and takes it out again.
import { isUtf8 } from 'node:buffer'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { Problem } from '../../../model/problem.js'
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
import { requireInsideProject } from './inside-project.js'
import { getIn, removeIn, setIn } from './jsonc-edit.js'
import { replaceFile } from './replace-file.js'
import { hasTable, removeTable, setTable, type TomlValue } from './toml-edit.js'

export interface SetupOptions {
  client: string
  dryRun?: boolean
  remove?: boolean
  home: string
  cwd: string
  /** What starts the program, for example `['carrel']` or `['npx', '-y', 'carrel']`. */
  command: readonly string[]
  /** Options that name a path, as they were given, and those that do not: the program is started with them. */
  paths?: Readonly<Record<string, string | undefined>>
  words?: readonly string[]
  /** The project lies in another: who stands in it and is told nothing takes that one. */
  inAnother?: boolean
  /** Reach a running server at this address instead of starting one. */
  url?: string
  /** The server at that address asks for a token, to be read from CARREL_TOKEN. */
  token?: boolean
  scope?: 'project' | 'user'
  /** What the server is called there. */
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
  const target = targetOf(definition, options)
  const before = inFile(target.file, () => (existsSync(target.file) ? readText(target.file) : null))
  const after = inFile(target.file, () =>
    options.remove ? without(target, before) : withEntry(target, before),
  )
  const action = actionOf(before, after, options.remove ?? false)
  const notes = action === 'absent' ? [] : notesFor(definition, options)
  if (!options.dryRun && after !== before)
    inFile(target.file, () => write(target, before, after, options.remove ?? false))
  return { client, file: target.file, before, after, notes, action }
}

/** The lines that change, the way `diff` shows them. Of a single long line only what changes in it: the rest is not ours to show. */
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
  format: 'json' | 'toml'
  /** Where in the file the entry is. */
  path: string[]
  entry: Record<string, unknown>
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

function targetOf(definition: ClientDefinition, options: SetupOptions): Target {
  const { home, cwd, platform = process.platform, env = process.env, name = 'carrel' } = options
  if (!/^[\w-]{1,40}$/.test(name))
    throw new Problem(
      'bad_name',
      `"${name}" cannot be the name of a server.`,
      'Use letters, digits and dashes.',
    )
  if (options.url && definition.noAddress)
    throw new Problem(
      'no_address',
      `${definition.title} cannot be given an address this way.`,
      definition.noAddress,
    )
  const place: Place = { home, cwd, platform, env }
  const scope = options.scope ?? definition.usual
  if (scope === 'project' && !definition.project)
    throw new Problem(
      'no_project_file',
      `${definition.title} has no file for a single project.`,
      'Use --scope user.',
    )
  const file = scope === 'project' ? definition.project!(place) : definition.user(place)
  if (scope === 'project') requireInsideProject(file, cwd)
  return {
    file,
    format: definition.format,
    path: [...containerIn(definition, file), name],
    entry: definition.entry(reachOf(definition, options, scope, platform)),
  }
}

// opencode's second version moved servers one level down; a file that has them there keeps them there.
function containerIn({ container }: ClientDefinition, file: string): string[] {
  if (container[0] !== 'mcp' || !existsSync(file)) return container
  const deeper = [...container, 'servers']
  const there = inFile(file, () => getIn(readText(file), deeper))
  return there && typeof there === 'object' && !('type' in there) ? deeper : container
}

function reachOf(
  { folder }: ClientDefinition,
  { command, url, token = false, cwd, inAnother = false, paths = {}, words = [] }: SetupOptions,
  scope: 'project' | 'user',
  platform: NodeJS.Platform,
): Reach {
  if (url !== undefined) return { url, token }
  // A client that starts us from the user's own file does so in a folder of its choice: it must be told which is meant.
  const own = folder ?? (inAnother ? '.' : undefined)
  const root = scope === 'user' ? ['--root', cwd] : own ? ['--root', own] : []
  const inFolder = scope === 'project' ? folder : undefined
  const given = Object.entries(paths).flatMap(([option, path]) =>
    path === undefined ? [] : [option, asSeen(resolve(path), { cwd, inFolder })],
  )
  const [first = 'carrel', ...rest] = [...command, 'mcp', ...root, ...given, ...words]
  // Windows starts no script without its shell.
  if (platform === 'win32' && !/\.exe$/i.test(first)) return { command: 'cmd', args: ['/c', first, ...rest] }
  return { command: first, args: rest }
}

/** Absolute, because nobody knows where a client starts us; but a project that moves takes along what lies in it. */
function asSeen(path: string, { cwd, inFolder }: { cwd: string; inFolder: string | undefined }): string {
  const steps = relative(cwd, path).split(sep)
  const within = steps[0] !== '..' && !isAbsolute(relative(cwd, path))
  return inFolder !== undefined && within ? [inFolder, ...steps].join('/') : path
}

function withEntry({ format, path, entry }: Target, before: string | null): string {
  const text = before ?? ''
  if (format === 'toml') return setTable(text, path, entry as Record<string, TomlValue>, ownKeys)
  const there = getIn(text, path)
  if (there === null || typeof there !== 'object') return setIn(text, path, entry)
  const stale = Object.keys(there).filter((key) => ownKeys.includes(key) && !(key in entry))
  const kept = stale.reduce((left, key) => removeIn(left, [...path, key]), text)
  return Object.entries(entry).reduce((left, [key, value]) => setIn(left, [...path, key], value), kept)
}

/** Without the entry. When nothing else changed since it was put in, the file is again what it was, to the byte. */
function without(target: Target, before: string | null): string | null {
  if (before === null || !isThere(target, before)) return before
  const backup = backupOf(target.file)
  const original = existsSync(backup) ? readText(backup) : null
  if (original !== null && withEntry(target, original) === before) return original
  const cut = target.format === 'toml' ? removeTable(before, target.path) : cutJson(target, before, original)
  return original === null && isEmpty(cut) ? null : cut
}

function cutJson({ path }: Target, before: string, original: string | null): string {
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
  return format === 'toml' ? hasTable(text, path) : getIn(text, path) !== undefined
}

function isEmpty(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text)
}

function write(target: Target, before: string | null, after: string | null, remove: boolean) {
  const backup = backupOf(target.file)
  if (after === null) rmSync(target.file)
  else {
    mkdirSync(dirname(target.file), { recursive: true })
    // The backup is of the file without us; a second set-up must not overwrite it with one that has us in it.
    if (!remove && before !== null && !isThere(target, before)) replaceFile(backup, before, target.file)
    replaceFile(target.file, after)
  }
  if (remove) rmSync(backup, { force: true })
}

/** Bytes that are no text would not come out again as they went in. */
function readText(file: string): string {
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

function notesFor(definition: ClientDefinition, options: SetupOptions): string[] {
  const { url, token, remove, paths = {}, words = [] } = options
  if (remove) return [`Restart ${definition.title} to let go of the server.`]
  const notes = [`Restart ${definition.title}, or reload its servers, to see the tools.`]
  const given = [...Object.keys(paths).filter((option) => paths[option] !== undefined), ...words]
  if (url && given.length > 0)
    notes.push(`The server at ${url} has its own configuration; ${given[0]} is not written down.`)
  if (url && token && definition.title === 'Zed')
    notes.push('Zed reads no environment: put the token in place of TOKEN yourself.')
  else if (url && token)
    notes.push(`${definition.title} reads the token from the environment variable CARREL_TOKEN.`)
  return notes
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
