// Valid TypeScript that the tree-sitter grammar rejects. The native build in ast-grep has the same gap.

/**
 * Puts a semicolon before each generic call signature (`<T>(x: T): T`) that starts a line: the grammar reads it as type
 * arguments of the line above, and calls the rest of the file a syntax error. The semicolon takes the place of a blank, so
 * every offset stays. Null when the text has no such line. The result is only worth using if it parses better.
 */
export function separateCallSignatures(text: string): string | null {
  const lines = text.split('\n')
  let last = ''
  let changed = false
  for (const [i, line] of lines.entries()) {
    if (/^[ \t]+<[\w\s$]*/.test(line) && last !== '' && !opensOrContinues.test(last)) {
      lines[i] = line.replace(/[ \t]</, ';<')
      changed = true
    }
    if (/\S/.test(line)) last = line
  }
  return changed ? lines.join('\n') : null
}

/** The end of a line after which a `<` belongs to the expression before it. */
const opensOrContinues = /[({[,;=|&<:?+]\s*$/
