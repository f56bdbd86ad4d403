// What a text imports: which modules, on which lines, and which files of the project they are.
import { posix } from 'node:path'
import type { Import, Imports } from '../../../model/imports.js'
import type { LocatedImport } from '../../../model/rule.js'
import { readImports } from '../../../parse/imports/read-imports.js'
import { resolveImports } from '../../../sources/imports/resolve.js'
import { lineAt, lineStarts } from '../../../text/lines.js'
import { maskCode } from '../../../text/mask-code.js'
import type { Answer, Subject } from './ask.js'

export async function importsIn(text: string, { language, path, root }: Subject): Promise<Answer> {
  const file = path ?? `snippet.${endings[language ?? ''] ?? ''}`
  const read = await readImports(file, text)
  if (!read) return { failed: `The imports of ${language ?? 'this text'} cannot be read.` }
  const lines = linesOf(read.imports, maskCode(text, language, { keepStrings: true }))
  const imports: LocatedImport[] = []
  for (const [i, one] of read.imports.entries()) {
    const paths = path === null ? [] : await leadsTo(one, { path, root, read })
    imports.push({ specifier: one.specifier, line: lines[i]!, paths })
  }
  return { imports, ...(read.error ? { doubt: `Imports may be missing: ${read.error}` } : {}) }
}

const endings: Record<string, string> = {
  typescript: 'ts',
  javascript: 'js',
  python: 'py',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c',
  cpp: 'cpp',
}

// The tree gives imports in order, so each is looked for after the one before. A name out of a list stands alone there.
function linesOf(imports: readonly Import[], code: string): number[] {
  const starts = lineStarts(code)
  let at = 0
  return imports.map(({ specifier }) => {
    const last = /[\w$-]+\W*$/.exec(specifier)?.[0].replace(/\W+$/, '') ?? specifier
    const found = [code.indexOf(specifier, at), code.indexOf(last, at), code.indexOf(specifier)].find(
      (one) => one >= 0,
    )
    at = found ?? at
    return lineAt(starts, at)
  })
}

/** A relative path leads somewhere even where no file is (yet); what else it may be called is looked up. */
async function leadsTo(
  one: Import,
  { path, root, read }: { path: string; root: string; read: Imports },
): Promise<string[]> {
  if (/^\.{1,2}(?:\/|$)/.test(one.specifier)) {
    const joined = posix.join(posix.dirname(path), one.specifier)
    return joined.startsWith('..') ? [] : [joined]
  }
  const { dependencies } = await resolveImports(root, path, { ...read, imports: [one] })
  return dependencies.map((dependency) => dependency.path)
}
