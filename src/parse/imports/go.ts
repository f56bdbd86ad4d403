import type { Import } from '../../model/imports.js'
import type { SyntaxTree } from '../code/grammars.js'
import { literal } from './literal.js'

/** Imports of Go: paths of packages. `C` is no package but the way to C code. */
export function readGoImports(tree: SyntaxTree, text: string): Import[] {
  return tree.matches('(import_spec path: (_) @source)').flatMap(({ captures }) => {
    const { node } = captures[0]!
    const specifier = literal(node, text)
    return specifier && specifier !== 'C' ? [{ kind: 'import' as const, specifier, at: node.startIndex }] : []
  })
}
