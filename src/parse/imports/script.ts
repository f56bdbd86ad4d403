// Imports of TypeScript and JavaScript: static, re-exported, dynamic and required, types and triple-slash references.
import type { Node } from 'web-tree-sitter'
import type { Import, ImportKind, Imports } from '../../model/imports.js'
import type { Grammar, SyntaxTree } from '../code/grammars.js'
import { literal } from './literal.js'

export function readScriptImports(
  tree: SyntaxTree,
  text: string,
  grammar: Grammar,
): Pick<Imports, 'imports' | 'computed'> {
  const typed = grammar !== 'javascript'
  const found = [...references(text), ...statements(tree, text, typed)]
  // These patterns match anywhere in the tree, so they run only if the text contains their words.
  const called = callWords.test(text) ? calls(tree, text) : []
  const computed = called.flatMap((one) => (typeof one === 'number' ? [one] : []))
  found.push(...called.filter((one) => typeof one !== 'number'))
  return { imports: found.sort((a, b) => a.at - b.at), ...(computed.length > 0 && { computed }) }
}

const statementQuery = `
(import_statement source: (string) @source) @import
(export_statement source: (string) @source) @re-export
`

// Forms of TypeScript only. Its grammar reads `export import a = require("b")` as two statements.
const typedQuery = `
${statementQuery}
(import_statement (import_require_clause source: (string) @source)) @require
(ambient_declaration (module name: (string) @source)) @augment
((export_statement declaration: (import_alias (identifier) . (identifier) @_called))
  . (expression_statement (parenthesized_expression (string) @source)) @require (#eq? @_called "require"))
`

const nested = /\b(?:module|namespace|global)\b/

function statements(tree: SyntaxTree, text: string, typed: boolean): Import[] {
  const deep = tree.root.hasError || (typed && nested.test(text))
  const matches = tree.matches(typed ? typedQuery : statementQuery, deep ? undefined : 1)
  return matches.flatMap(({ captures }) => {
    const source = captures.find(({ name }) => name === 'source')
    const whole = captures.find(({ name }) => name !== 'source' && !name.startsWith('_'))
    return source && whole ? foundAt(source.node, text, kindOf(whole.name, whole.node, text)) : []
  })
}

function kindOf(name: string, statement: Node, text: string): ImportKind {
  if (name === 'augment') return 'type-import'
  const head = text.slice(statement.startIndex, statement.startIndex + 40)
  if (name !== 're-export' && /^import\s+type\s+(?!from\b|,)/.test(head)) return 'type-import'
  if (name === 're-export' && /^export\s+type\b/.test(head)) return 'type-import'
  return name as ImportKind
}

const callWords = /\brequire\b|\bimport\s*(?:\(|\/[/*])/

const callQuery = `
(call_expression function: (import) @import arguments: (arguments) @given)
(call_expression function: (identifier) @require arguments: (arguments) @given (#eq? @require "require"))
`

/** For a computed name, only its offset. */
function calls(tree: SyntaxTree, text: string): (Import | number)[] {
  return tree.matches(callQuery).flatMap<Import | number>(({ captures }) => {
    const [called, given] = [captures[0]!, captures.find(({ name }) => name === 'given')!.node]
    const first = given.namedChildren.find((child) => child && child.type !== 'comment')
    if (!first) return []
    const isWritten = ['string', 'template_string'].includes(first.type) && literal(first, text) !== null
    if (!isWritten) return [first.startIndex]
    if (called.name === 'require') return foundAt(first, text, 'require')
    return foundAt(first, text, isType(called.node) ? 'type-import' : 'dynamic-import')
  })
}

/** `import("./x").Y` as a type: the grammar has no node for it. */
function isType(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (/^(?:type_|.*_type$|extends_type_clause|constraint|default_type)/.test(at.type)) return true
    if (!/^(?:call_expression|member_expression|subscript_expression|nested_)/.test(at.type)) return false
  }
  return false
}

/** `/// <reference path="…" />` counts before the first statement only. */
function references(text: string): Import[] {
  if (!text.includes('<reference')) return []
  const head = /^\uFEFF?(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text)![0]
  const found: Import[] = []
  for (const { 0: line, index } of head.matchAll(/^[ \t]*\/\/\/[ \t]*<reference\s[^\n]*/gm)) {
    const specifier = /\spath\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/.exec(line)
    const path = specifier?.[1] ?? specifier?.[2]
    if (path) found.push({ kind: 'reference', specifier: path, at: index })
  }
  return found
}

function foundAt(source: Node, text: string, kind: ImportKind): Import[] {
  const specifier = literal(source, text)
  return specifier ? [{ kind, specifier, at: source.startIndex }] : []
}
