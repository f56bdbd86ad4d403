// What a text imports: which modules, on which lines, and which files of the project they are.
import { posix } from 'node:path'
import type { Import } from '../../../model/imports.js'
import { readImports } from '../../../parse/imports/read-imports.js'
import { resolveEach } from '../../../sources/imports/resolve.js'
import { lineAt, lineStarts } from '../../../text/lines.js'
import { maskCode } from '../../../text/mask-code.js'
import type { Answer, Subject } from './ask.js'

export async function importsIn(text: string, { language, path, root }: Subject): Promise<Answer> {
  const file = path ?? `snippet.${endings[language ?? ''] ?? ''}`
  const read = await readImports(file, text)
  if (!read) return { failed: `The imports of ${language ?? 'this text'} cannot be read.` }
  const led = path === null ? [] : await resolveEach(root, path, read)
  const lines = linesOf(read.imports, maskCode(text, language, { keepStrings: true }))
  const imports = read.imports.map(({ specifier }, i) => ({
    specifier,
    line: lines[i]!,
    paths: led[i]?.length ? led[i] : besides(specifier, path),
  }))
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

/** A relative path leads somewhere even where no file is (yet). */
function besides(specifier: string, path: string | null): string[] {
  if (path === null || !/^\.{1,2}(?:\/|$)/.test(specifier)) return []
  const joined = posix.join(posix.dirname(path), specifier)
  return joined.startsWith('..') ? [] : [joined]
}
