import type { Node } from 'web-tree-sitter'
import type { Import, Imports } from '../../model/imports.js'
import type { SyntaxTree } from '../code/grammars.js'

/** Imports of Java, and the package the file is in: together they say where its source folder begins. */
export function readJavaImports(tree: SyntaxTree, text: string): Pick<Imports, 'imports' | 'package'> {
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
