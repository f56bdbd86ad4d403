// A file's imports, read from the syntax tree: a name in a comment or a string is not an import.

import type { Node } from 'web-tree-sitter'
import type { Import, ImportLanguage, Imports } from '../../model/imports.js'
import { lineAt, lineStarts } from '../../text/lines.js'
import { isRubble } from '../code/declarations.js'
import { type Grammar, type SyntaxTree, withTree } from '../code/grammars.js'
import { formatOf, languageOfScript, mayBeScript } from '../formats.js'
import { literal } from './literal.js'
import { readPythonImports } from './python.js'
import { readRustImports } from './rust.js'
import { readScriptImports } from './script.js'

type Reader = (
  tree: SyntaxTree,
  text: string,
  grammar: Grammar,
) => Pick<Imports, 'imports' | 'package' | 'computed'>

interface Kind {
  language: ImportLanguage
  grammar: Grammar
  read: Reader
  /** The code in the text, every part at its offset. */
  code?: (text: string) => string
}

/** Whether we can read the imports of this language. */
export function importsAreRead(path: string, text: string): boolean {
  return kindOf(path, text) !== null
}

/** The imports of a file, in order, or null for a language whose imports are not read. */
export async function readImports(path: string, text: string): Promise<Imports | null> {
  const kind = kindOf(path, text)
  if (!kind) return null
  const { language, grammar, read, code = (all) => all } = kind
  const source = code(text)
  const { value, note } = await withTree(grammar, source, (tree) => ({
    ...(isRubble(tree) ? { imports: [] } : read(tree, source, grammar)),
    ...(language === 'c' ? {} : damageOf(tree, source)),
  }))
  return value ? { language, ...value } : { language, imports: [], error: reasons[note.code] ?? note.message }
}

const reasons: Record<string, string> = {
  parse_too_large: 'The file is too large to be parsed.',
  parse_timeout: 'Parsing took too long.',
  parse_failed: 'The parser ran out of memory or failed.',
}

function kindOf(path: string, text: string): Kind | null {
  const isScript = mayBeScript(path)
  switch (isScript ? languageOfScript(text) : formatOf(path)?.language) {
    case 'typescript':
      return {
        language: 'script',
        grammar: /\.tsx$/i.test(path) ? 'tsx' : 'typescript',
        read: readScriptImports,
      }
    case 'javascript':
      return { language: 'script', grammar: 'javascript', read: readScriptImports }
    case 'vue':
    case 'svelte':
    case 'astro':
      return {
        language: 'script',
        grammar: hasElements(text) ? 'tsx' : 'typescript',
        read: readScriptImports,
        code: scriptsOf,
      }
    case 'python':
      return isScript || /\.pyi?w?$/i.test(path)
        ? { language: 'python', grammar: 'python', read: listed(readPythonImports) }
        : null
    case 'go':
      return { language: 'go', grammar: 'go', read: listed(readGoImports) }
    case 'rust':
      return { language: 'rust', grammar: 'rust', read: listed(readRustImports) }
    case 'java':
      return { language: 'java', grammar: 'java', read: readJavaImports }
    case 'c':
    case 'cpp':
      return { language: 'c', grammar: 'cpp', read: listed(readIncludes) }
    default:
      return null
  }
}

function listed(read: (tree: SyntaxTree, text: string, grammar: Grammar) => Import[]): Reader {
  return (tree, text, grammar) => ({ imports: read(tree, text, grammar) })
}

// Grammars lag behind their languages, and one sign they do not know does no harm inside a statement. Where a whole
// stretch at the top level is not understood, imports may be lost with it.
function damageOf({ root }: SyntaxTree, text: string): { error?: string } {
  if (!root.hasError) return {}
  const broken = root.isError ? root : root.children.find((child) => child.isError)
  if (!broken) return {}
  return { error: `Syntax error at line ${lineAt(lineStarts(text), broken.startIndex)}.` }
}

/** Imports of Go: paths of packages. `C` is no package but the way to C code. */
function readGoImports(tree: SyntaxTree, text: string): Import[] {
  return tree.matches('(import_spec path: (_) @source)').flatMap(({ captures }) => {
    const { node } = captures[0]!
    const specifier = literal(node, text)
    return specifier && specifier !== 'C' ? [{ kind: 'import' as const, specifier, at: node.startIndex }] : []
  })
}

/** Includes of C and C++, in every branch of the preprocessor's conditions. One made by a macro has no name yet. */
function readIncludes(tree: SyntaxTree, text: string): Import[] {
  return tree
    .matches('(preproc_include path: [(string_literal) (system_lib_string)] @path)')
    .flatMap(({ captures }) => {
      const { node } = captures[0]!
      const specifier = text.slice(node.startIndex + 1, node.endIndex - 1).trim()
      if (!specifier) return []
      return [
        {
          kind: 'include',
          specifier,
          at: node.startIndex,
          ...(node.type === 'system_lib_string' && { form: 'system' }),
        },
      ] as Import[]
    })
}

/** Imports of Java, and the package the file is in: together they say where its source folder begins. */
function readJavaImports(tree: SyntaxTree, text: string): Pick<Imports, 'imports' | 'package'> {
  const matches = tree.matches('(import_declaration) @import (package_declaration) @package', 1)
  const nodes = matches.map(({ captures }) => captures[0]!)
  const declared = nodes.find(({ name }) => name === 'package')
  const imports = nodes.filter(({ name }) => name === 'import').map(({ node }) => importOf(node, text))
  return { imports, ...(declared && { package: nameIn(declared.node, text) }) }
}

function importOf(node: Node, text: string): Import {
  const all = node.children.some((child) => child?.type === 'asterisk')
  const isStatic = node.children.some((child) => child?.type === 'static')
  const specifier = nameIn(node, text) + (all ? '.*' : '')
  const at = (nameNode(node) ?? node).startIndex
  return { kind: 'import', specifier, at, ...(isStatic && { form: 'static' as const }) }
}

function nameIn(node: Node, text: string): string {
  const name = nameNode(node)
  return name ? text.slice(name.startIndex, name.endIndex).replace(/\s+/g, '') : ''
}

function nameNode(node: Node): Node | null | undefined {
  return node.namedChildren.find((child) => child && /^(?:scoped_)?identifier$/.test(child.type))
}

// Scripts inside of pages of components: Vue, Svelte and Astro.

/** The text with everything but its scripts blanked, so that offsets stay. */
function scriptsOf(text: string): string {
  let shown = ''
  for (const [from, to] of spansOf(text))
    shown += blank(text.slice(shown.length, from)) + text.slice(from, to)
  return shown + blank(text.slice(shown.length))
}

/** Whether a script says that it is JSX. */
function hasElements(text: string): boolean {
  return /<script\s[^>]{0,500}\blang=["']?[jt]sx\b/i.test(text)
}

function* spansOf(text: string): Generator<[from: number, to: number]> {
  let at = 0
  const [fence] = /^\s*---[ \t]*\r?\n/.exec(text) ?? []
  if (fence !== undefined) {
    const end = text.indexOf('\n---', fence.length - 1)
    at = end < 0 ? text.length : end + 1
    yield [fence.length, at]
  }
  for (;;) {
    mark.lastIndex = at
    const found = mark.exec(text)
    if (!found) return
    if (found[0] === '<!--') {
      at = after(text, '-->', found.index)
      continue
    }
    const from = tagEnd(text, found.index)
    endMark.lastIndex = from
    at = endMark.exec(text)?.index ?? text.length
    yield [from, at]
  }
}

const mark = /<!--|<script(?=[\s>])/gi
const endMark = /<\/script\b/gi

function after(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : at + sign.length
}

/** The offset after the tag that begins there. A `>` between quotes does not end it. */
function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return text.length
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}
