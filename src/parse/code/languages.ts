import type { Grammar } from './grammars.js'
import * as query from './queries.js'
import { javascript, scriptTop, typescript } from './script-queries.js'

/**
 * A language as its declarations: one query over the syntax tree, in which a capture's name says what a node is.
 *
 * - `@name`: what the declaration is called; without it the node's `name` field, or the innermost of its declarators.
 * - `@scope`: the type it belongs to, where that is written beside it.
 * - `@body`: where the head ends; without it the node's `body` field.
 * - `@value`: where the head ends if the value takes several lines.
 * - `@wrap`: a statement that belongs whole to the declarations directly in it (`export`, `const`, `template <…>`).
 * - `@doc`: comments and attributes, which belong to the declaration they stand directly above.
 * - `@skip`: a node that a more general pattern finds and that is no declaration of its own.
 * - `@_…`: serves a predicate only.
 * - Anything else is a kind of declaration. Where patterns find the same node, the first one counts.
 */
export interface Language {
  grammar: Grammar
  query: string
  /** Patterns that start at the root. Asked for apart, they cost nothing; among the others, half of the whole query. */
  top?: string
  /** What stands between the parts of a qualified name. */
  joint?: RegExp
  /** What the parser should not see, turned into as much blank space. */
  mask?: (text: string) => string
  /** What is no part of a head and may stand at its end. */
  tail?: RegExp
}

/** How a file is parsed; null for a language without a grammar. */
export function languageFor(name: string, path: string): Language | null {
  const lower = name.toLowerCase()
  const known = aliases.get(lower) ?? lower
  if (known === 'typescript' && /\.tsx$/i.test(path)) return languages.get('tsx')!
  // A shell by name, with a grammar of its own.
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

/** A text of the same length without what the grammar takes for something else: names of macros, and declarations in old style. */
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

// `int WINAPI WinMain(` and `static int __init start(` are functions of that name. Behind `static` alone stands the type.
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
