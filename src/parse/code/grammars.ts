import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type * as TreeSitter from 'web-tree-sitter'
import { type Note, Problem } from '../../model/problem.js'
import { separateCallSignatures } from './grammar-gaps.js'

export const grammars = [
  'bash',
  'c-sharp',
  'cpp',
  'css',
  'go',
  'java',
  'javascript',
  'php',
  'python',
  'ruby',
  'rust',
  'tsx',
  'typescript',
] as const
export type Grammar = (typeof grammars)[number]

export interface Limits {
  /** UTF-16 units. */
  chars: number
  ms: number
  /** Memory that the parser may use for one text, in MiB. */
  megabytes: number
}

// Source files of 6 MB took 0.9 s and 174 MB; tables that large are data, and 2 million characters leave room enough.
const ordinary: Limits = { chars: 2_000_000, ms: 3_000, megabytes: 256 }

/** A syntax tree for as long as `withTree` lends it. Offsets of its nodes are UTF-16 units. */
export interface SyntaxTree {
  root: TreeSitter.Node
  /** Patterns that start at most so deep below the root. A query is compiled once for each grammar and thread. */
  matches(query: string, depth?: number): TreeSitter.QueryMatch[]
}

/**
 * Says when the time is up, by the clock and by the processor time of this process: on a busy machine a text must give the
 * same result as on an idle one.
 */
function stopwatch(ms: number): () => boolean {
  const [start, worked] = [performance.now(), process.cpuUsage()]
  return () => {
    if (performance.now() - start <= ms) return false
    const { user, system } = process.cpuUsage(worked)
    return (user + system) / 1000 > ms
  }
}

/** The value read from the tree, or why there is no tree. */
export type Reading<T> = { value: T; note: null } | { value: null; note: Note }

/**
 * Parses a text and lends its tree to `use`, which must be done with it when it returns. Trees are freed here, and a
 * parser that crashed or grew is replaced, so that no text can harm the next one.
 */
export async function withTree<T>(
  grammar: Grammar,
  text: string,
  use: (tree: SyntaxTree) => T,
  limits: Partial<Limits> = {},
): Promise<Reading<T>> {
  const within = { ...ordinary, ...limits }
  if (text.length > within.chars) return unread('parse_too_large', `more than ${within.chars} characters`)
  const module = await compiledGrammar(grammar)
  let runtime = await runtimeOf(within.megabytes)
  // Another text may have broken it while this one waited.
  while (runtime.retired) runtime = await runtimeOf(within.megabytes)
  try {
    if (!runtime.parsers.has(grammar)) runtime.parsers.set(grammar, startParser(runtime, module))
    return { value: read(runtime, { grammar, text, late: stopwatch(within.ms) }, use), note: null }
  } catch (error) {
    if (error instanceof TooSlow) return unread('parse_timeout', `not done after ${within.ms} ms`)
    if (!isCrash(error)) throw error
    retire(runtime)
    return unread('parse_failed', 'the parser ran out of memory or failed')
  } finally {
    if (runtime.memory.buffer.byteLength > keepable) retire(runtime)
  }
}

interface Runtime {
  library: typeof TreeSitter
  memory: Memory
  megabytes: number
  parsers: Map<Grammar, TreeSitter.Parser>
  queries: Map<string, TreeSitter.Query>
  retired: boolean
}

interface Task {
  grammar: Grammar
  text: string
  late: () => boolean
}

class TooSlow extends Error {}

// The part of the runtime's WebAssembly we use; Node's own types leave it to the browser's.
interface Memory {
  readonly buffer: ArrayBuffer
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (pages: { initial: number; maximum: number }) => Memory
  RuntimeError: new (message?: string) => Error
}

const require = createRequire(import.meta.url)
const mebibyte = 1024 * 1024

// WebAssembly memory never shrinks: a runtime that grew for a large text is dropped, one of ordinary size is kept.
const keepable = 128 * mebibyte

const compiled = new Map<Grammar, Promise<object>>()
const runtimes = new Map<number, Promise<Runtime>>()

// Compiled here and not by the library: its asynchronous way queues behind the optimising of earlier grammars, which
// was measured to hold a grammar back for 10 s. Compiling is lazy and takes 2 to 15 ms.
function compiledGrammar(grammar: Grammar): Promise<object> {
  return memoized(compiled, grammar, async () => {
    const file = require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)
    return new WebAssembly.Module(await readFile(file))
  })
}

function runtimeOf(megabytes: number): Promise<Runtime> {
  return memoized(runtimes, megabytes, () => startRuntime(megabytes))
}

/** Made once, unless making it failed: a package may be half installed at this moment. */
function memoized<K, V>(made: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = made.get(key)
  if (known) return known
  const fresh = make().catch((cause: unknown) => {
    made.delete(key)
    throw new Problem('parser_missing', 'The code parser could not be loaded.', 'Install Carrel again.', {
      cause,
    })
  })
  made.set(key, fresh)
  return fresh
}

// The library keeps its only instance in a module variable. A copy removed from the require cache can be dropped with
// all its memory; an imported module cannot. We limit the memory, because 40 KB of `A<B,` made the parser allocate
// 2 GB.
async function startRuntime(megabytes: number): Promise<Runtime> {
  const file = require.resolve('web-tree-sitter')
  delete require.cache[file]
  const library = require(file) as typeof TreeSitter
  forgetModule(file)
  const memory = new WebAssembly.Memory({ initial: 512, maximum: megabytes * 16 })
  const options = { wasmMemory: memory, print: ignore, printErr: ignore }
  await library.Parser.init(options)
  return { library, memory, megabytes, parsers: new Map(), queries: new Map(), retired: false }
}

function forgetModule(file: string): void {
  const siblings = require.cache[file]?.parent?.children
  const at = siblings?.findIndex((child) => child.filename === file) ?? -1
  if (at >= 0) siblings!.splice(at, 1)
  delete require.cache[file]
}

function ignore(): void {}

function startParser({ library }: Runtime, module: object): TreeSitter.Parser {
  return new library.Parser().setLanguage(library.Language.loadSync(module))
}

function retire(runtime: Runtime): void {
  if (!runtime.retired) runtimes.delete(runtime.megabytes)
  runtime.retired = true
}

function read<T>(runtime: Runtime, task: Task, use: (tree: SyntaxTree) => T): T {
  const tree = parse(runtime, task)
  try {
    const root = tree.rootNode
    const value = use({ root, matches: (query, depth) => matches(runtime, task, { root, query, depth }) })
    tree.delete()
    return value
  } catch (error) {
    // In a crashed runtime there is nothing left to free.
    if (!isCrash(error)) tree.delete()
    throw error
  }
}

/** Where the grammar rejects valid TypeScript, the text is parsed again with the gap bridged. The better tree is kept. */
function parse(runtime: Runtime, task: Task): TreeSitter.Tree {
  const tree = parseOnce(runtime, task)
  const isTyped = task.grammar === 'typescript' || task.grammar === 'tsx'
  const bridged = isTyped && tree.rootNode.hasError ? separateCallSignatures(task.text) : null
  if (bridged === null) return tree
  const second = parseOnce(runtime, { ...task, text: bridged })
  const isBetter = !second.rootNode.hasError || firstFault(second) > firstFault(tree)
  const [better, worse] = isBetter ? [second, tree] : [tree, second]
  worse.delete()
  return better
}

/** The offset of the first top-level stretch that could not be parsed. */
function firstFault({ rootNode }: TreeSitter.Tree): number {
  if (rootNode.isError) return rootNode.startIndex
  return rootNode.children.find((child) => child.isError)?.startIndex ?? Number.POSITIVE_INFINITY
}

function parseOnce(runtime: Runtime, { grammar, text, late }: Task): TreeSitter.Tree {
  const parser = runtime.parsers.get(grammar)!
  const progressCallback = late
  const tree = parser.parse(text, null, { progressCallback })
  if (tree) return tree
  parser.reset()
  throw new TooSlow()
}

function matches(
  runtime: Runtime,
  { grammar, late }: Task,
  { root, query, depth }: { root: TreeSitter.Node; query: string; depth: number | undefined },
): TreeSitter.QueryMatch[] {
  let slow = false
  const progressCallback = () => {
    slow ||= late()
    return slow
  }
  const options = { progressCallback, ...(depth === undefined ? {} : { maxStartDepth: depth }) }
  const found = compiledQuery(runtime, grammar, query).matches(root, options)
  if (slow) throw new TooSlow()
  return found
}

function compiledQuery(runtime: Runtime, grammar: Grammar, source: string): TreeSitter.Query {
  const key = `${grammar}\0${source}`
  let query = runtime.queries.get(key)
  if (!query) {
    query = new runtime.library.Query(runtime.parsers.get(grammar)!.language!, source)
    runtime.queries.set(key, query)
  }
  return query
}

function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError
}

function unread(code: string, reason: string): { value: null; note: Note } {
  return { value: null, note: { code, message: `Read by lines, not by its syntax: ${reason}.` } }
}
