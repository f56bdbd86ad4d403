// What a file imports, by its syntax tree: a name in a comment or a string is none.
import type { Import, ImportLanguage, Imports } from '../../model/imports.js'
import { lineAt, lineStarts } from '../../text/lines.js'
import { isRubble } from '../code/declarations.js'
import { type Grammar, type SyntaxTree, withTree } from '../code/grammars.js'
import { formatOf, languageOfScript, mayBeScript } from '../formats.js'
import { readIncludes } from './c.js'
import { readGoImports } from './go.js'
import { readJavaImports } from './java.js'
import { hasElements, scriptsOf } from './page.js'
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
  /** What of the text is code, at its place. */
  code?: (text: string) => string
}

/** Whether imports of such a file are understood. */
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
