// Answers questions about one text. Runs in a separate process, since the patterns come from untrusted documents.

import { posix } from 'node:path'
import { createContext, Script } from 'node:vm'
import type { Import, Imports } from '../../../model/imports.js'
import type { LocatedImport } from '../../../model/rule.js'
import { maskCode } from '../../../parse/code/mask-code.js'
import { readImports } from '../../../parse/imports/read-imports.js'
import { expression } from '../../../parse/rules/read-rule.js'
import { placesOf } from '../../../sources/imports/resolve.js'
import { lineAt, lineStarts } from '../../../text/lines.js'
import { readText } from '../read-text.js'
import type { Answer, Ask, Job, Subject } from './ask.js'
import { findStructure, findTree } from './find-tree.js'

const mostLines = 100

export async function answerJob({ subject, asks }: Job, patternMs: number): Promise<Answer[]> {
  const { code } = subject
  const read = 'text' in code ? code : await readText(code.file, code.mostBytes)
  if ('failed' in read) return asks.map(() => read)
  const answers: Answer[] = []
  let masked: Promise<string | null> | undefined
  const maskedOnce = () => (masked ??= maskCode(read.text, subject.language, subject.path))
  for (const ask of asks) answers.push(await answer(subject, { text: read.text, maskedOnce }, ask, patternMs))
  return answers
}

async function answer(
  subject: Subject,
  { text, maskedOnce }: { text: string; maskedOnce: () => Promise<string | null> },
  ask: Ask,
  patternMs: number,
): Promise<Answer> {
  if (ask.kind === 'imports') {
    const { mentions } = ask
    const none = mentions && !mentions.some((name) => text.includes(name))
    return none ? { imports: [] } : importsIn(text, subject)
  }
  if (ask.kind === 'structure') return findStructure(text, subject, ask)
  const flags = ask.kind === 'text' && ask.ignoreCase ? 'gim' : 'gm'
  if (ask.when !== null) {
    const relevant = matches(text, expression(ask.when, flags), { most: 1, patternMs })
    if ('failed' in relevant) return relevant
    if (relevant.offsets.length === 0) return { aside: true }
  }
  if (ask.kind === 'tree') return findTree(text, subject, ask.tree)
  const looked = ask.codeOnly ? await maskedOnce() : text
  if (looked === null) {
    const language = subject.language ?? 'this text'
    return { failed: `Comments and strings of ${language} cannot be told from its code.` }
  }
  const found = matches(looked, expression(ask.pattern, flags), { most: mostLines, patternMs })
  if ('failed' in found) return found
  const starts = lineStarts(text)
  return { lines: [...new Set(found.offsets.map((offset) => lineAt(starts, offset)))] }
}

// A pattern that backtracks without end is stopped from outside: the engine looks at its clock as it backtracks. One
// world serves all: making one takes longer than most searches.
const script = new Script('search()')
const world = createContext({ search: () => {} }) as { search(): void }

function matches(
  text: string,
  pattern: RegExp,
  { most, patternMs }: { most: number; patternMs: number },
): { offsets: number[] } | { failed: string; broken: true } {
  const offsets: number[] = []
  world.search = () => {
    for (const match of text.matchAll(pattern)) {
      offsets.push(match.index + (/\S/.exec(match[0])?.index ?? 0))
      if (offsets.length >= most) return
    }
  }
  try {
    script.runInContext(world, { timeout: patternMs })
    return { offsets }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const failed = `Its pattern took longer than ${patternMs / 1000} s and was stopped. Make it simpler.`
    return { failed, broken: true }
  }
}

// The imports of a text: modules, lines, and the files of the project that they mean.
async function importsIn(text: string, { language, path, root }: Subject): Promise<Answer> {
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
    ...(read.error ? { warning: `Imports may be missing: ${read.error}` } : {}),
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

/** A relative path is resolved even if no file is there (yet); other specifiers are looked up. */
async function leadsTo(
  one: Import,
  { path, root, read }: { path: string; root: string; read: Imports },
): Promise<string[]> {
  // In Python `..` is a package, and an imported name may be a module of that package.
  if (read.language !== 'python' && /^\.{1,2}(?:\/|$)/.test(one.specifier)) {
    const joined = posix.join(posix.dirname(path), one.specifier.replace(/[?].*$/, ''))
    if (joined.startsWith('..')) return []
    // A name without an ending may be a folder, whose `index` file is imported.
    if (posix.extname(joined) !== '') return [joined]
    return [...new Set([joined, ...(await placesOf(root, path, { ...read, imports: [one] }))])]
  }
  return placesOf(root, path, { ...read, imports: [one] })
}
