// The names a file declares, each with its lines, and which stretches of it are comments or imports. Lookups by name use it:
// a syntax tree where there is a grammar, sections in documents, keys in settings, and the look of the lines elsewhere.
import type { Declaration, Section } from '../model/document.js'
import { lineAt, lineStarts } from '../text/lines.js'
import type { SyntaxTree } from './code/grammars.js'
import { formatOf, languageOfScript } from './formats.js'

export interface FileSymbol {
  /** function, class, constant, heading, key … */
  kind: string
  name: string
  /** With the names around it: `Class.method`. */
  qualified: string
  /** The first line, with the comment above it. */
  line: number
  /** The line that has the name. */
  nameLine: number
  endLine: number
  /** From 1. */
  level: number
  /** The head of the declaration on one line; for a heading its text. */
  signature: string
}

export interface Stretch {
  start: number
  end: number
}

export interface FileSymbols {
  /** In source order: an outer declaration comes before the ones inside it. */
  symbols: FileSymbol[]
  starts: Uint32Array
  /** In order. Empty where no grammar knows the language. */
  comments: Stretch[]
  imports: Stretch[]
  /** Whether a syntax tree was read. */
  hasTree: boolean
}

export async function fileSymbols(path: string, text: string): Promise<FileSymbols> {
  const starts = lineStarts(text)
  const none = { starts, comments: [], imports: [], hasTree: false }
  const kind = formatOf(path)
  const language = kind?.language ?? (kind?.format === 'text' ? languageOfScript(text) : null)
  if (kind?.format === 'code' || (kind?.format === 'text' && language)) {
    const tree = await treeSymbols(path, text, language!, starts)
    if (tree && (tree.symbols.length > 0 || tree.hasTree)) return tree
    return { ...none, symbols: symbolsByLook(text, starts) }
  }
  if (kind?.format === 'data')
    return {
      ...none,
      symbols: merged(keysByIndent(text, starts, language), templates(text, starts)),
      comments: templateComments(text),
    }
  const named = kind?.format === 'text' ? templates(text, starts) : []
  if (named.length > 0) return { ...none, symbols: named, comments: templateComments(text) }
  const { parse } = await import('./parse.js')
  const parsed = kind ? await parse({ path, bytes: Buffer.from(text) }).catch(() => null) : null
  // A page that was converted has other lines than its file.
  if (!parsed || parsed.text.length !== text.length) return { ...none, symbols: [] }
  return { ...none, symbols: headings(parsed.sections) }
}

async function treeSymbols(
  path: string,
  text: string,
  language: string,
  starts: Uint32Array,
): Promise<FileSymbols | null> {
  const [
    { withTree },
    { languageFor },
    { isRubble, readDeclarations },
    { memberQueries, commentTypes, importTypes },
  ] = await Promise.all([
    import('./code/grammars.js'),
    import('./code/languages.js'),
    import('./code/declarations.js'),
    import('./code/members.js'),
  ])
  const known = languageFor(language, path)
  if (!known) return null
  const members = memberQueries[known.grammar] ?? ''
  const withMembers = { ...known, query: `${known.query}\n${members}` }
  const readTree = (tree: SyntaxTree): Omit<FileSymbols, 'starts' | 'hasTree'> | null => {
    if (isRubble(tree)) return null
    const { declarations } = readDeclarations(tree, withMembers, text, starts)
    const stretches = (types: readonly string[]): Stretch[] =>
      tree.root
        .descendantsOfType([...types])
        .flatMap((node) => (node ? [{ start: node.startIndex, end: node.endIndex }] : []))
        .sort((a, b) => a.start - b.start)
    const docs = known.grammar === 'python' ? docstrings(tree.matches(docstringQuery)) : []
    const reexports = isScript.has(known.grammar) ? ranges(tree.matches(reexportQuery)) : []
    return {
      symbols: declarations.map((one) => symbolOf(one, text, starts)),
      comments: [...stretches(commentTypes), ...docs].sort((a, b) => a.start - b.start),
      imports: [...stretches(importTypes), ...reexports].sort((a, b) => a.start - b.start),
    }
  }
  const { value } = await withTree(known.grammar, known.mask?.(text) ?? text, readTree, promptly)
  return value && { ...value, starts, hasTree: true }
}

/** A look-up waits for the tree: what takes longer is read by its lines. */
const promptly = { chars: 1_000_000, ms: 500 }

const isScript = new Set(['typescript', 'tsx', 'javascript'])
const docstringQuery = '(expression_statement . (string) @doc .)'
const reexportQuery = `
(export_statement source: (_)) @import
((variable_declarator value: (call_expression function: (identifier) @_called)) @import (#eq? @_called "require"))
`

type Matches = readonly {
  captures: readonly { name: string; node: { startIndex: number; endIndex: number } }[]
}[]

function docstrings(matches: Matches): Stretch[] {
  return ranges(matches)
}

function ranges(matches: Matches): Stretch[] {
  return matches.flatMap(({ captures }) =>
    captures
      .filter(({ name }) => !name.startsWith('_'))
      .map(({ node }) => ({ start: node.startIndex, end: node.endIndex })),
  )
}

function symbolOf(declared: Declaration, text: string, starts: Uint32Array): FileSymbol {
  const { kind, scope, signature, line, endLine } = declared
  // A symbol of Ruby, as in `attr_accessor :name`.
  const name = kind === 'attribute' ? declared.name.replace(/^:/, '') : declared.name
  return {
    kind,
    name,
    qualified: [...scope, name].join('.'),
    line,
    nameLine: lineAt(starts, declared.nameStart ?? declared.start),
    endLine: Math.min(endLine, lineAt(starts, text.length)),
    level: scope.length + 1,
    signature,
  }
}

function headings(sections: readonly Section[]): FileSymbol[] {
  const path: Section[] = []
  return sections.map((section) => {
    while (path.length > 0 && path.at(-1)!.level >= section.level) path.pop()
    path.push(section)
    const { text: name, line, endLine, level } = section
    const qualified = path.map(({ text }) => text).join(' / ')
    return { kind: 'heading', name, qualified, line, nameLine: line, endLine, level, signature: name }
  })
}

const modifiers =
  '(?:(?:export|pub(?:\\([^)]*\\))?|public|private|protected|internal|static|final|abstract|async|default|open|override|inline|local|data|sealed|suspend|(?:enum|case|annotation|companion)(?= (?:class|object)))\\s+)*'
/** What declares a name in languages without a grammar, by its look: indentation, kind and name. The first that fits counts. */
const declaredByLook: { look: RegExp; kind?: string }[] = [
  // resource "aws_bucket" "logs", variable "region"
  { look: /^()(resource|data|variable|output|module|provider)\s+"([^"]+)"(?:\s+"([^"]+)")?\s*\{/ },
  {
    look: /^([ \t]*)create\s+(?:or\s+replace\s+)?(?:temporary\s+|unique\s+)?(table|view|materialized view|function|procedure|index|type|trigger|schema)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/i,
  },
  {
    look: new RegExp(
      `^([ \\t]*)${modifiers}(func(?:tion)?|fn|def|defp|defmodule|defmacro|fun|sub|proc|procedure|class|interface|trait|struct|enum|module|object|protocol|extension|type|input|union|scalar|impl|record|message|service|rpc|const|let|val|var)\\s+(?:\\([^)]*\\)\\s*)?["']?([A-Za-z_$][\\w$.:]*)`,
    ),
  },
  // A method without a key word: void send(Letter letter) {
  {
    look: /^([ \t]*)(?!(?:else|return|new|if|for|while|switch|catch|throw|await|do)\b)(?:[\w<>[\],?*&]+\s+)+()([A-Za-z_$][\w$]*)\s*\([^;]*\)[^;=]*\{\s*$/,
    kind: 'function',
  },
  { look: /^()(ENV|ARG)\s+([A-Za-z_]\w*)/, kind: 'variable' },
  { look: /^()(?:local\s+|export\s+)?()([A-Za-z_][\w.]*)\s*[:?+]?=(?!=)/, kind: 'variable' },
  // A rule of a makefile.
  { look: /^()()([A-Za-z_][\w./-]*)\s*:(?![:=])(?!.*[;{]\s*$)/, kind: 'rule' },
]

function lookOf(line: string): { indent: number; kind: string; names: string[] } | null {
  for (const { look, kind } of declaredByLook) {
    const match = look.exec(line)
    if (!match) continue
    const names = match
      .slice(3)
      .flatMap((name) => (name ? name.replace(/^[.:]+|[.:]+$/g, '').split(/[.:]+/) : []))
    return { indent: match[1]!.length, kind: kind ?? match[2]!.toLowerCase(), names }
  }
  return null
}

/** Declarations of a language without a grammar: a key word and a name, up to the next line that is indented as little. */
function symbolsByLook(text: string, starts: Uint32Array): FileSymbol[] {
  const found: (FileSymbol & { indent: number })[] = []
  const open: (FileSymbol & { indent: number })[] = []
  eachLine(text, starts, (line, number) => {
    const declared = lookOf(line)
    if (!declared) return
    const { indent, kind, names } = declared
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop()
    // A variable inside of a function is local.
    if (isVariable.has(kind) && indent > 0 && !open.every((one) => holdsNames.has(one.kind))) return
    const name = names.at(-1)!
    const around = open.at(-1)?.qualified
    const qualified = [...(around ? [around] : []), ...names].join('.')
    const signature = line.trim().slice(0, 300)
    const symbol = {
      kind,
      name,
      qualified,
      line: number,
      nameLine: number,
      endLine: number,
      signature,
    }
    const whole = { ...symbol, level: open.length + 1, indent }
    open.push(whole)
    found.push(whole)
  })
  closeByIndent(text, starts, found)
  return found.map(({ indent: _, ...symbol }) => symbol)
}

const isVariable = new Set(['const', 'let', 'val', 'var', 'type'])
const holdsNames = new Set([
  'class',
  'object',
  'struct',
  'enum',
  'interface',
  'module',
  'protocol',
  'extension',
])

/**
 * Named templates of Go and Helm, `{{ define "chart.labels" }} … {{ end }}`, each with the comment above it. Their names are
 * used whole: `include "chart.labels"`.
 */
function templates(text: string, starts: Uint32Array): FileSymbol[] {
  if (!text.includes('{{')) return []
  const found: FileSymbol[] = []
  const open: (FileSymbol | null)[] = []
  for (const { index, 0: whole, 1: word, 2: name } of text.matchAll(templateAction)) {
    const line = lineAt(starts, index)
    if (word === 'end') {
      const ended = open.pop()
      if (ended) ended.endLine = line
    } else if (name === undefined) open.push(null)
    else {
      const above = text.slice(Math.max(0, index - longestAbove), index)
      const comment = /\{\{-?\s*\/\*(?:(?!\*\/)[\s\S])*\*\/\s*-?\}\}\n?$/.exec(above)
      const symbol = {
        ...{ kind: 'template', name, qualified: name, level: 1, signature: whole.trim() },
        ...{
          line: comment ? lineAt(starts, index - comment[0].length) : line,
          nameLine: line,
          endLine: line,
        },
      }
      found.push(symbol)
      open.push(symbol)
    }
  }
  return found
}

const templateAction =
  /\{\{-?\s*(?:(end|if|range|with)\b|(?:define|block)\s+["`]([^"`\n]{1,200})["`])[^}\n]{0,300}\}\}/g
const longestAbove = 3_000

function templateComments(text: string): Stretch[] {
  return [...text.matchAll(/\{\{-?\s*\/\*[\s\S]*?\*\//g)].map(({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
  }))
}

function merged(keys: readonly FileSymbol[], named: readonly FileSymbol[]): FileSymbol[] {
  return named.length === 0 ? [...keys] : [...keys, ...named].sort((a, b) => a.line - b.line)
}

/** Settings and data: every key, nested by its indentation, or below its table. */
function keysByIndent(text: string, starts: Uint32Array, language: string | null): FileSymbol[] {
  const found: (FileSymbol & { indent: number })[] = []
  const open: (FileSymbol & { indent: number })[] = []
  let table: string | null = null
  eachLine(text, starts, (line, number) => {
    if (found.length >= mostKeys) return
    const header: string | undefined = /^\s*\[{1,2}([^\]]{1,200})\]/.exec(line)?.[1]
    const isTable = header !== undefined && language !== 'yaml' && language !== 'json'
    const match = isTable ? null : keyLine.exec(line)
    if (!isTable && !match) return
    const indent = isTable ? -1 : match![1]!.length
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop()
    if (isTable) table = header
    const name: string = isTable ? header : (match![2] ?? match![3] ?? match![4]!)
    const around = [
      ...(table !== null && !isTable ? [table] : []),
      ...open.filter((one) => one.indent >= 0).map((one) => one.name),
    ]
    const symbol = {
      ...{ kind: isTable ? 'table' : 'key', name, qualified: [...around, name].join('.') },
      ...{ line: number, nameLine: number, endLine: number, level: around.length + 1, indent },
      signature: line.trim().slice(0, 300),
    }
    open.push(symbol)
    found.push(symbol)
  })
  closeByIndent(text, starts, found)
  return found.map(({ indent: _, ...symbol }) => symbol)
}

const mostKeys = 5_000
const keyLine =
  /^(\s*(?:-\s+)?)(?:export\s+)?(?:(?:"([^"]{1,120})"|'([^']{1,120})')\s*[:=]|([\p{L}_$][\p{L}\p{N}_$./-]{0,120})\s*[:=](?!=))/u

/** Ends each symbol before the next line that is indented no more than it, and takes in the comment lines above it. */
function closeByIndent(text: string, starts: Uint32Array, found: (FileSymbol & { indent: number })[]): void {
  const open: (FileSymbol & { indent: number })[] = []
  let [next, last] = [0, 0]
  let comment: number | null = null
  eachLine(text, starts, (line, number) => {
    if (line.trim() === '') {
      comment = null
      return
    }
    const indent = line.length - line.trimStart().length
    const closes = /^\s*[}\])]|^\s*end\b/.test(line)
    while (open.length > 0 && (closes ? open.at(-1)!.indent > indent : open.at(-1)!.indent >= indent))
      open.pop()!.endLine = Math.max(last, 1)
    if (closes && open.length > 0 && open.at(-1)!.indent === indent) open.pop()!.endLine = number
    if (found[next]?.nameLine === number) {
      while (open.length > 0 && open.at(-1)!.indent >= found[next]!.indent)
        open.pop()!.endLine = Math.max(last, 1)
      if (comment !== null) found[next]!.line = comment
      open.push(found[next++]!)
    }
    comment = /^\s*(?:#|\/\/|\/\*|\*|--|;)/.test(line) ? (comment ?? number) : null
    last = number
  })
  for (const one of open) one.endLine = Math.max(last, one.nameLine)
  for (const one of found) one.endLine = Math.max(one.endLine, one.nameLine)
}

function eachLine(text: string, starts: Uint32Array, use: (line: string, number: number) => void): void {
  for (let i = 0; i < starts.length; i++) {
    const end = Math.min(starts[i + 1] ?? text.length, starts[i]! + 1_000)
    use(text.slice(starts[i], end).replace(/[\r\n]+$/, ''), i + 1)
  }
}

/** The innermost symbol whose lines have this line. */
export function enclosing(symbols: readonly FileSymbol[], line: number): FileSymbol | null {
  let best: FileSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.line > line) break
    if (symbol.endLine >= line) best = symbol
  }
  return best
}

/** In a module of tests that stands beside the code, as Rust has them (`mod tests`). */
export function isInTestModule(symbols: readonly FileSymbol[], line: number): boolean {
  return testModules(symbols).some((one) => one.line <= line && one.endLine >= line)
}

/** Every line of a file asks. */
function testModules(symbols: readonly FileSymbol[]): readonly FileSymbol[] {
  let found = testModulesOf.get(symbols)
  if (!found) {
    found = symbols.filter(({ kind, name }) => kind === 'module' && /(?:^|_)tests?$/.test(name))
    testModulesOf.set(symbols, found)
  }
  return found
}

const testModulesOf = new WeakMap<readonly FileSymbol[], readonly FileSymbol[]>()

/** Whether an offset is in one of these sorted ranges. */
export function isWithin(stretches: readonly Stretch[], offset: number): boolean {
  let low = 0
  let high = stretches.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const { start, end } = stretches[middle]!
    if (offset < start) high = middle - 1
    else if (offset >= end) low = middle + 1
    else return true
  }
  return false
}
