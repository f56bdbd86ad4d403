// One file of the project, with the files it needs.

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refOfAddress } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import { fileProblem, type ProjectFile, readKnown, readNamed } from '../../answer/project-files.js'
import { symbolsOf } from '../../answer/project-texts.js'
import { type Reader, type Reading, recordShown } from '../../answer/shown-to-client.js'
import { noSymbol, symbolsNamed } from '../../answer/symbol-addresses.js'
import type { StoredDocument } from '../../model/document.js'
import type { Dependency } from '../../model/imports.js'
import { Problem } from '../../model/problem.js'
import { decode } from '../../parse/decode.js'
import { formatOf, languageOfScript } from '../../parse/formats.js'
import { neverRead } from '../../sources/path-rules.js'
import { hashOf } from '../../text/hash.js'
import { lineCount, lineStarts } from '../../text/lines.js'
import { maskPrivateKeys } from '../../text/mask-private-keys.js'
import { moduleOf } from '../../text/module.js'
import { normalForms } from '../../text/normal-forms.js'
import { noteAccess } from './accesses.js'
import { type Role, roleOf } from './role.js'
import { type Sitting, touch } from './sessions.js'

export interface ReadRequest {
  path: string
  /** Whether dependencies come with their content. */
  includeDeps: boolean
  /** 0: no dependencies at all. */
  maxDepth: number
  startLine?: number | undefined
  endLine?: number | undefined
  /** Only the lines of this function, class or heading. */
  symbol?: string | undefined
  lineNumbers?: boolean | undefined
  /** Whose reading is counted. */
  sitting?: Sitting | undefined
}

export interface ReadFile {
  file: {
    path: string
    content: string
    size: number
    lines: number
    language: string
    /** Of a part. */
    startLine?: number
    endLine?: number
  }
  dependencies: ReadDependency[]
  metadata: { module: string; role: Role; lastModified: string }
  dependencyError?: string
  notes: string[]
}

export interface ReadDependency extends Dependency {
  level: number
  content?: string
}

export async function readFile(library: Library, request: ReadRequest, reader?: Reader): Promise<ReadFile> {
  touch(library, request.sitting)
  const ref = await refOfAddress(library, request.path)
  const named = ref ? `${ref.source}:${ref.path}` : request.path
  const stored = await storedElsewhere(library, named)
  if (stored) return showStored(stored.address, stored.document, request)
  const file = await readNamed(library, named)
  const { text, notes } = textOf(file)
  // Counted by the path below the project's root. Files elsewhere are not the project's context.
  if (file.address === file.path) noteAccess(library, file.path, request.sitting)
  const { dependencies, error, left } = await dependenciesOf(library, file, text, request)
  const located = await withSymbol(library, file, text, request)
  const part = shown(file.address, text, file.bytes.length, located)
  recordShown(library, reader, {
    file: join(file.root, file.path),
    hash: hashOf(file.bytes),
    whole: part.content.length === text.length,
    shown: stretchOf(text, part),
  })
  return {
    file: request.lineNumbers ? numberedPart(part) : part,
    dependencies,
    metadata: about(file.path, file.stamp.mtimeMs),
    ...(error !== undefined && { dependencyError: `Failed to parse imports: ${error}` }),
    notes: [...notes, ...left],
  }
}

/** The lines of the requested symbol. */
async function withSymbol(
  library: Library,
  file: ProjectFile,
  text: string,
  request: ReadRequest,
): Promise<ReadRequest> {
  if (!request.symbol) return request
  const symbols = await symbolsOf(library, { path: file.address, text, stamp: file.stamp })
  const [found] = symbolsNamed(symbols, request.symbol)
  if (!found) throw noSymbol(file.address, request.symbol, { ...symbols, text })
  return { ...request, startLine: found.line, endLine: found.endLine }
}

function numberedPart(part: ReadFile['file']): ReadFile['file'] {
  const first = part.startLine ?? 1
  const ends = part.content.endsWith('\n')
  const lines = (ends ? part.content.slice(0, -1) : part.content).split('\n')
  return { ...part, content: lines.map((line, i) => `${first + i} ${line}`).join('\n') + (ends ? '\n' : '') }
}

function textOf(file: ProjectFile): { text: string; notes: string[] } {
  try {
    const { text, notes } = decode(file.bytes)
    return { text: maskPrivateKeys(text), notes: notes.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const hint = 'documents_get_document has the text of PDF, Office and EPUB files.'
    throw fileProblem('binary', 'This is a binary file, not text', file.address, hint)
  }
}

function shown(path: string, text: string, size: number, request: ReadRequest): ReadFile['file'] {
  const lines = lineCount(text)
  const format = formatOf(path)
  const named = format?.language ?? (path.includes('.') ? null : languageOfScript(text))
  const { content, ...range } = partOf(path, text, lines, request)
  return { path, content, size, lines, language: named ?? format?.format ?? 'text', ...range }
}

function about(path: string, modifiedMs: number): ReadFile['metadata'] {
  return {
    module: moduleOf(path) ?? 'root',
    role: roleOf(path),
    lastModified: new Date(modifiedMs).toISOString(),
  }
}

/** The requested lines, complete, with their line ends. */
function partOf(
  path: string,
  text: string,
  lines: number,
  { startLine, endLine }: ReadRequest,
): Pick<ReadFile['file'], 'content' | 'startLine' | 'endLine'> {
  if (startLine === undefined && endLine === undefined) return { content: text }
  const [first, last] = [startLine ?? 1, Math.min(endLine ?? lines, lines)]
  if (first > Math.max(last, 1))
    throw fileProblem(
      'invalid_range',
      'No such lines',
      path,
      `It has ${lines} lines; start_line must not be after end_line.`,
    )
  const starts = lineStarts(text)
  return {
    content: text.slice(starts[first - 1], starts[last] ?? text.length),
    startLine: first,
    endLine: last,
  }
}

function stretchOf(text: string, { startLine = 1, content }: ReadFile['file']): Reading['shown'] {
  const start = startLine === 1 ? 0 : (lineStarts(text)[startLine - 1] ?? text.length)
  return { start, end: start + content.length }
}

const mostDependencies = 300
const mostContent = 200_000

async function dependenciesOf(
  library: Library,
  { root, path, address }: ProjectFile,
  text: string,
  { maxDepth, includeDeps }: ReadRequest,
): Promise<{ dependencies: ReadDependency[]; error?: string | undefined; left: string[] }> {
  if (maxDepth === 0) return { dependencies: [], left: [] }
  const { dependencies: found, error } = await library.readers.imports({ root, path, text })
  const shown = found.slice(0, mostDependencies)
  const { contents, without } = includeDeps ? await contentsOf(root, shown) : { contents: [], without: 0 }
  // A path outside the project's root gets the alias, as the file itself does.
  const prefix = address.slice(0, address.length - path.length)
  return {
    dependencies: shown.map((one, i) => ({
      path: prefix + one.path,
      type: one.type,
      level: 1,
      ...(contents[i] !== undefined && contents[i] !== null && { content: contents[i] }),
    })),
    error,
    left: [...cutNote(found.length - shown.length), ...contentNote(without)],
  }
}

async function contentsOf(root: string, dependencies: readonly Dependency[]) {
  const contents: (string | null)[] = []
  let room = mostContent
  for (const [i, { path }] of dependencies.entries()) {
    if (i % 10 === 9) await nextTurn()
    const text = room > 0 ? contentOf(root, path) : null
    contents.push(text !== null && text.length <= room ? text : null)
    room -= contents[i]?.length ?? 0
  }
  return { contents, without: contents.filter((one) => one === null).length }
}

function contentOf(root: string, path: string): string | null {
  const read = readKnown(root, path)
  if (!read) return null
  try {
    return maskPrivateKeys(decode(read.bytes).text)
  } catch {
    return null
  }
}

function cutNote(count: number): string[] {
  return count > 0 ? [`${count} more dependencies are not listed.`] : []
}

function contentNote(count: number): string[] {
  if (count === 0) return []
  const what = count === 1 ? 'One dependency comes' : `${count} dependencies come`
  return [`${what} without content (${mostContent} characters in all, text only): read them by their path.`]
}

/** A document of a collection that is no folder on this machine: its text comes from the index. */
async function storedElsewhere({ sources, store }: Library, written: string) {
  const colon = written.indexOf(':')
  if (
    colon <= 0 ||
    sources.some(({ name, id }) => written.startsWith(`${name}:`) || written.startsWith(`${id}:`))
  )
    return null
  const source = (await store.sources()).find(({ name, id }) =>
    [name, id].some((alias) => written.startsWith(`${alias}:`)),
  )
  if (!source) return null
  const alias = written.startsWith(`${source.name}:`) ? source.name : source.id
  const path = written.slice(alias.length + 1)
  const document = neverRead(path) === null ? await storedAt(store, source.id, path) : null
  return document && { address: `${source.name}:${document.ref.path}`, document }
}

async function storedAt(store: Library['store'], source: string, written: string) {
  for (const path of normalForms(written)) {
    const document = await store.document({ source, path })
    if (document) return document
  }
  return null
}

function showStored(address: string, document: StoredDocument, request: ReadRequest): ReadFile {
  const { text, stamp, readAt, ref } = document
  const language = document.language ?? document.format
  return {
    file: { ...shown(address, text, Buffer.byteLength(text), request), language },
    dependencies: [],
    metadata: about(ref.path, stamp?.mtimeMs ?? readAt),
    notes: [],
  }
}
