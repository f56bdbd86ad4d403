import type { Node } from 'web-tree-sitter'

/** The value of a string literal; null if parts of it are computed. */
export function literal(node: Node, text: string): string | null {
  const written = text.slice(node.startIndex, node.endIndex)
  if (
    node.namedChildren.some(
      (part) => part?.type === 'template_substitution' || part?.type === 'interpolation',
    )
  )
    return null
  const inner = written.replace(/^[a-z]*(?:"""|'''|["'`])/i, '').replace(/(?:"""|'''|["'`])$/, '')
  return inner.includes('\\') ? unescaped(inner) : inner
}

// Escapes in a module's name are rare. JSON's are enough; a name with any other is no file.
function unescaped(inner: string): string | null {
  try {
    return JSON.parse(`"${inner.replace(/\\'/g, "'").replace(/\\x([\da-f]{2})/gi, '\\u00$1')}"`) as string
  } catch {
    return null
  }
}
