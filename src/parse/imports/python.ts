// Python's imports, anywhere in a file; those under `if TYPE_CHECKING` are type-only.
import type { Node } from 'web-tree-sitter'
import type { Import, ImportKind } from '../../model/imports.js'
import type { SyntaxTree } from '../code/grammars.js'
import { literal } from './literal.js'

const query = `
(import_statement) @import
(import_from_statement) @from
`

const callQuery = `
(call function: (identifier) @called arguments: (argument_list . (string) @source) (#eq? @called "__import__"))
(call function: (attribute attribute: (identifier) @called) arguments: (argument_list . (string) @source)
  (#eq? @called "import_module"))
(call function: (identifier) @called arguments: (argument_list . (string) @source) (#eq? @called "import_module"))
`

export function readPythonImports(tree: SyntaxTree, text: string): Import[] {
  const found = tree.matches(query).flatMap(({ captures }) => {
    const { name, node } = captures[0]!
    const kind: ImportKind =
      text.includes('TYPE_CHECKING') && isForTypes(node, text) ? 'type-import' : 'import'
    return name === 'import' ? plain(node, text, kind) : from(node, text, kind)
  })
  if (/\b(?:__import__|import_module)\b/.test(text))
    for (const { captures } of tree.matches(callQuery)) {
      const source = captures.find(({ name }) => name === 'source')!.node
      const specifier = literal(source, text)
      if (specifier) found.push({ kind: 'dynamic-import', specifier, at: source.startIndex })
    }
  return found.sort((a, b) => a.at - b.at)
}

function plain(node: Node, text: string, kind: ImportKind): Import[] {
  return node.childrenForFieldName('name').flatMap((name) => {
    const dotted = name?.type === 'aliased_import' ? name.childForFieldName('name') : name
    return dotted ? [{ kind, specifier: squeezed(dotted, text), at: dotted.startIndex }] : []
  })
}

function from(node: Node, text: string, kind: ImportKind): Import[] {
  const module = node.childForFieldName('module_name')
  if (!module) return []
  const names = node.childrenForFieldName('name').flatMap((name) => {
    const own = name?.type === 'aliased_import' ? name.childForFieldName('name') : name
    return own ? [squeezed(own, text)] : []
  })
  const all = node.namedChildren.some((child) => child?.type === 'wildcard_import')
  return [{ kind, specifier: squeezed(module, text), at: module.startIndex, names: all ? ['*'] : names }]
}

function squeezed(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/\\\r?\n|\s+/g, '')
}

function isForTypes(node: Node, text: string): boolean {
  for (let at = node.parent; at; at = at.parent) {
    const condition = at.type === 'if_statement' ? at.childForFieldName('condition') : null
    if (condition && /(?:^|\.)TYPE_CHECKING$/.test(squeezed(condition, text))) return true
  }
  return false
}
