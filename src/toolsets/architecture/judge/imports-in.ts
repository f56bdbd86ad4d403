// What a text imports: which modules, on which lines, and which files of the project they are.
import { posix } from 'node:path'
import type { Import, Imports } from '../../../model/imports.js'
import type { LocatedImport } from '../../../model/rule.js'
import { readImports } from '../../../parse/imports/read-imports.js'
import { placesOf } from '../../../sources/imports/resolve.js'
import { lineAt, lineStarts } from '../../../text/lines.js'
import type { Answer, Subject } from './ask.js'

export async function importsIn(text: string, { language, path, root }: Subject): Promise<Answer> {
  const file = path ?? `snippet.${endings[language ?? ''] ?? ''}`
  const read = await readImports(file, text)
  if (!read) return { failed: `The imports of ${language ?? 'this text'} cannot be read.` }
  const starts = lineStarts(text)
  const imports: LocatedImport[] = []
  for (const one of read.imports) {
    const paths = path === null ? [] : await leadsTo(one, { path, root, read })
    const { specifier, names } = one
    const line = lineAt(starts, one.at)
    imports.push({ specifier, ...(names && { names }), language: read.language, line, paths })
  }
  const computed = read.computed?.map((at) => lineAt(starts, at))
  return {
    imports,
    ...(computed && { computed }),
    ...(read.error ? { doubt: `Imports may be missing: ${read.error}` } : {}),
  }
}

const endings: Record<string, string> = {
  typescript: 'ts',
  javascript: 'js',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  python: 'py',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c',
  cpp: 'cpp',
}

/** A relative path leads somewhere even where no file is (yet); what else it may be called is looked up. */
async function leadsTo(
  one: Import,
  { path, root, read }: { path: string; root: string; read: Imports },
): Promise<string[]> {
  // `..` is a package in Python, and what is taken from it may be a module of its own.
  if (read.language !== 'python' && /^\.{1,2}(?:\/|$)/.test(one.specifier)) {
    const joined = posix.join(posix.dirname(path), one.specifier.replace(/[?].*$/, ''))
    if (joined.startsWith('..')) return []
    // A name without an ending may be a folder, whose `index` file is what is imported.
    if (posix.extname(joined) !== '') return [joined]
    return [...new Set([joined, ...(await placesOf(root, path, { ...read, imports: [one] }))])]
  }
  return placesOf(root, path, { ...read, imports: [one] })
}
