import type { Import } from '../../model/imports.js'
import type { SyntaxTree } from '../code/grammars.js'

/** Includes of C and C++, in every branch of the preprocessor's conditions. One made by a macro has no name yet. */
export function readIncludes(tree: SyntaxTree, text: string): Import[] {
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
