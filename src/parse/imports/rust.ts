// Modules and uses of Rust. Lists of names become one path each; the modules around a statement go with it.
import type { Node } from 'web-tree-sitter'
import type { Import } from '../../model/imports.js'
import type { SyntaxTree } from '../code/grammars.js'
import { literal } from './literal.js'

const query = `
(mod_item !body) @module
(use_declaration argument: (_) @use)
(extern_crate_declaration name: (identifier) @crate)
((macro_invocation macro: (identifier) @_name (token_tree . (string_literal) @include .))
  (#any-of? @_name "include" "include_str" "include_bytes"))
`

export function readRustImports(tree: SyntaxTree, text: string): Import[] {
  return tree.matches(query).flatMap(({ captures }) => {
    const { name, node } = captures.find((capture) => !capture.name.startsWith('_'))!
    const within = modulesAround(node, text)
    const around = within.length > 0 ? { within } : {}
    if (name === 'module') return [moduleOf(node, text, around)]
    if (name === 'crate')
      return [{ kind: 'import', specifier: textOf(node, text), at: node.startIndex } as Import]
    if (name === 'include') return included(node, text)
    return pathsOf(node, text, '').map((path): Import => ({ kind: 'import', ...path, ...around }))
  })
}

function moduleOf(node: Node, text: string, around: Pick<Import, 'within'>): Import {
  const name = node.childForFieldName('name')!
  const specifier = textOf(name, text).replace(/^r#/, '')
  const path = pathAttribute(node, text)
  return { kind: 'module', specifier, at: name.startIndex, ...around, ...(path !== null && { path }) }
}

function pathAttribute(node: Node, text: string): string | null {
  for (let at = node.previousNamedSibling; at; at = at.previousNamedSibling) {
    if (at.type !== 'attribute_item' && !/comment/.test(at.type)) return null
    const value = at.namedChildren[0]?.childForFieldName('value')
    if (at.type === 'attribute_item' && value && /^#\[\s*path\b/.test(textOf(at, text)))
      return literal(value, text)
  }
  return null
}

function included(node: Node, text: string): Import[] {
  const specifier = literal(node, text)
  return specifier ? [{ kind: 'include', specifier, at: node.startIndex }] : []
}

function modulesAround(node: Node, text: string): string[] {
  const names: string[] = []
  for (let at = node.parent; at; at = at.parent)
    if (at.type === 'mod_item' && at.childForFieldName('body'))
      names.unshift(textOf(at.childForFieldName('name')!, text))
  return names
}

const mostPaths = 500

type Path = Pick<Import, 'specifier' | 'at'>

/** `a::{b, c::d as e, self}` as `a::b`, `a::c::d`, `a`, each at the offset of its last name. */
function pathsOf(node: Node, text: string, before: string): Path[] {
  const join = (path: string) => (before ? `${before}::${path}` : path)
  const here = (specifier: string) => [{ specifier, at: node.startIndex }]
  switch (node.type) {
    case 'use_as_clause':
      return pathsOf(node.childForFieldName('path')!, text, before)
    case 'use_wildcard':
      return here(node.namedChildren[0] ? `${join(textOf(node.namedChildren[0], text))}::*` : join('*'))
    case 'use_list':
      return node.namedChildren
        .flatMap((child) => (child ? pathsOf(child, text, before) : []))
        .slice(0, mostPaths)
    case 'scoped_use_list': {
      const path = node.childForFieldName('path')
      const list = node.childForFieldName('list')
      return list ? pathsOf(list, text, path ? join(textOf(path, text)) : before) : []
    }
    case 'self':
      return here(before || 'self')
    default:
      return /comment/.test(node.type) ? [] : here(join(textOf(node, text)))
  }
}

function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/\s+/g, '')
}
