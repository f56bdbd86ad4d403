import type { Grammar } from './grammars.js'
import * as query from './queries.js'
import { javascript, scriptTop, typescript } from './script-queries.js'

/**
 * The declarations of a language: one query over the syntax tree, in which a capture's name is the kind of the node.
 *
 * - `@name`: the declaration's name; by default the node's `name` field, or the innermost of its declarators.
 * - `@scope`: the type it belongs to, where the declaration itself names it.
 * - `@body`: the node at which the head ends; by default the node's `body` field.
 * - `@value`: the node at which the head ends if the value has several lines.
 * - `@wrap`: a statement that counts as part of the declarations directly in it (`export`, `const`, `template <…>`).
 * - `@doc`: comments and attributes, which belong to the declaration directly below them.
 * - `@skip`: a node that a more general pattern finds, but that is no declaration.
 * - `@_…`: used by a predicate only.
 * - Any other name is a kind of declaration. If several patterns find the same node, the first one counts.
 */
export interface Language {
  grammar: Grammar
  query: string
  /** Patterns that start at the root. As a separate query they cost nothing; within `query`, half of its time. */
  top?: string
  /** The separator in a qualified name. */
  joint?: RegExp
  /** Replaces text that the grammar misreads with as many blanks. */
  mask?: (text: string) => string
  /** Text at the end of a head that is no part of it. */
  tail?: RegExp
}

/** How a file is parsed; null for a language without a grammar. */
export function languageFor(name: string, path: string): Language | null {
  const lower = name.toLowerCase()
  const known = aliases.get(lower) ?? lower
  if (known === 'typescript' && /\.tsx$/i.test(path)) return languages.get('tsx')!
  // Fish is called a shell, but bash's grammar cannot parse it.
  if (known === 'shell' && /\.fish$/i.test(path)) return null
  return languages.get(known) ?? null
}

const dots = /\./
const colons = /::/

// In most C headers: a bracket that opens in one condition and closes in another, which no tree can hold.
const guarded =
  /^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\b[^\n]*\n[ \t]*(?:extern[ \t]+"C"[ \t\r\n]*\{|\})[^\n]*\n[ \t]*#[ \t]*endif\b[^\n]*/gm

function withoutGuards(text: string): string {
  return text.includes('__cplusplus') ? text.replace(guarded, (guard) => guard.replace(/\S/g, ' ')) : text
}

/** Blanks out macro names and old-style parameters, which the grammar misreads. The length stays the same. */
function readableC(text: string): string {
  return withoutGuards(text)
    .replace(markedType, blankGroup)
    .replace(markedFunction, blankGroup)
    .replace(oldParameters, blankGroup)
}

function blankGroup(all: string, before: string, macro: string): string {
  return before + macro.replace(/\S/g, ' ') + all.slice(before.length + macro.length)
}

// `class UI_EXPORT Panel {` is a class, and no function of that type.
const markedType =
  /(\b(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+)([A-Z][A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=[ \t\r\n]+[A-Za-z_]\w*[ \t\r\n]*(?:final[ \t\r\n]*)?(?:\{|:(?![:\d]|[ \t]*\d)))/g

// `int WINAPI WinMain(` and `static int __init start(` are functions WinMain and start. After `static` alone the type follows.
const markedFunction =
  /((?<!\w)(?!(?:static|extern|inline|const|volatile|virtual|friend|constexpr|explicit|register|typedef|unsigned|signed|return|else|new|throw|case|goto|do|struct|class|enum|union|typename|using|public|private|protected|operator)\b)[A-Za-z_]\w*[ \t\r\n*&>]*[ \t\r\n*])(__[a-z]\w*|[A-Z][A-Z0-9_]{2,})(?=[ \t\r\n]+[A-Za-z_]\w*[ \t]*\()/g

// `f(a, b) int a; char *b; {`, as functions were written before 1989.
const oldParameters =
  /(\b[A-Za-z_]\w*[ \t]*\([ \t]*[A-Za-z_]\w*(?:[ \t]*,\s*[A-Za-z_]\w*)*[ \t]*\)[ \t]*\r?\n)((?:[ \t]*[A-Za-z_][^;{}=#\n]{0,500};[^\n{}]{0,500}\n){1,40})(?=[ \t]*\{)/g

const cpp: Language = {
  grammar: 'cpp',
  query: query.cpp,
  top: query.cppTop,
  joint: colons,
  mask: readableC,
}

// PowerShell is left out although a grammar is at hand: optimising it takes V8 8 s of a core, which a process waits for
// even when it wants to exit.
const languages = new Map<string, Language>([
  ['c', cpp],
  ['cpp', cpp],
  ['csharp', { grammar: 'c-sharp', query: query.csharp, joint: dots }],
  ['css', { grammar: 'css', query: query.css }],
  ['go', { grammar: 'go', query: query.go, top: query.goTop }],
  ['java', { grammar: 'java', query: query.java }],
  ['javascript', { grammar: 'javascript', query: javascript, top: scriptTop, joint: dots }],
  ['php', { grammar: 'php', query: query.php, joint: /\\/ }],
  ['python', { grammar: 'python', query: query.python, top: query.pythonTop }],
  ['ruby', { grammar: 'ruby', query: query.ruby, joint: colons, tail: /[\s;=]*(?:\send)?$/ }],
  ['rust', { grammar: 'rust', query: query.rust, joint: colons }],
  ['shell', { grammar: 'bash', query: query.bash, top: query.bashTop }],
  ['tsx', { grammar: 'tsx', query: typescript, top: scriptTop, joint: dots }],
  ['typescript', { grammar: 'typescript', query: typescript, top: scriptTop, joint: dots }],
])

const aliases = new Map([
  ['bash', 'shell'],
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['cs', 'csharp'],
  ['cuda', 'cpp'],
  ['golang', 'go'],
  ['javascriptreact', 'javascript'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['ksh', 'shell'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'shell'],
  ['shellscript', 'shell'],
  ['ts', 'typescript'],
  ['typescriptreact', 'tsx'],
  ['zsh', 'shell'],
])
