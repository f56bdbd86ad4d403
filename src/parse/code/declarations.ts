import type { Node, QueryMatch } from 'web-tree-sitter'
import type { Declaration } from '../../model/document.js'
import { lineAt } from '../../text/lines.js'
import { wholeCharacters } from '../../text/truncate.js'
import type { SyntaxTree } from './grammars.js'
import type { Language } from './languages.js'
import { type Item, nest, type Wrap } from './nest.js'
import { docStart, firstFrom, headOf, inOrder, type Range, statementEnd } from './spans.js'

export interface Declared {
  /** In source order: an outer declaration comes before the ones inside it. */
  declarations: Declaration[]
  /** Where the text did not fit the grammar, in order. */
  errors: number[]
}

/** The named things in a syntax tree. */
export function readDeclarations(
  tree: SyntaxTree,
  language: Language,
  text: string,
  lines: Uint32Array,
): Declared {
  if (isRubble(tree)) return { declarations: [], errors: [tree.root.startIndex] }
  const answers = [tree.matches(language.query), tree.matches(language.top ?? '', 0)]
  if (tree.root.hasError) answers.push(tree.matches('(ERROR) @error (MISSING) @error'))
  const found = collect(answers, { language, text })
  const declarations = nest(found.items, found.wraps, text).map((item) => {
    const start = docStart(text, found.docs, item.start)
    const end = statementEnd(text, item.end)
    const doc = docOf(text, found.docs, { start, end: item.start }, item.docstring)
    return {
      kind: item.kind,
      name: item.name,
      scope: item.scope,
      signature: headOf(text, found.docs, item, language.tail),
      ...(doc !== '' && { doc }),
      nameStart: item.nameStart,
      start,
      end,
      line: lineAt(lines, start),
      endLine: lineAt(lines, Math.max(start, end - 1)),
    }
  })
  return { declarations, errors: found.errors.sort((a, b) => a - b) }
}

// A text that the grammar makes nothing of becomes one flat list of tokens, and a query takes time in the square of its
// length: 8 s for 50,000 open brackets.
export function isRubble({ root }: SyntaxTree): boolean {
  return root.isError && root.childCount > 20_000
}

interface Found {
  items: Item[]
  wraps: Wrap[]
  docs: Range[]
  errors: number[]
}

interface Source {
  language: Language
  text: string
}

function collect(answers: readonly QueryMatch[][], source: Source): Found {
  const found: Found = { items: [], wraps: [], docs: [], errors: [] }
  const skipped = new Set<number>()
  for (const [i, answer] of answers.entries()) {
    for (const match of answer) {
      const parts = partsOf(match)
      if (parts.doc) found.docs.push(rangeOf(parts.doc))
      if (parts.error) found.errors.push(parts.error.startIndex)
      if (parts.skip) skipped.add(parts.skip.id)
      if (parts.wrap) found.wraps.push({ ...rangeOf(parts.wrap), wraps: true, first: null, last: null })
      if (parts.node) found.items.push(itemOf(parts.node, parts, source, i * 1_000 + match.patternIndex))
    }
  }
  found.items = found.items.filter((item) => item.name !== '' && !skipped.has(item.id))
  found.docs.sort(inOrder)
  return found
}

type Part = 'name' | 'scope' | 'body' | 'value' | 'wrap' | 'doc' | 'skip' | 'error'
type Parts = Partial<Record<Part, Node>> & { kind: string; node: Node | null }

const partNames = new Set<string>([
  'name',
  'scope',
  'body',
  'value',
  'wrap',
  'doc',
  'skip',
  'error',
] satisfies Part[])

function partsOf(match: QueryMatch): Parts {
  const parts: Parts = { kind: '', node: null }
  for (const { name, node } of match.captures) {
    if (partNames.has(name)) parts[name as Part] = node
    else if (!name.startsWith('_')) {
      parts.kind = name
      parts.node = node
    }
  }
  return parts
}

function itemOf(node: Node, parts: Parts, { language, text }: Source, pattern: number): Item {
  const named = parts.name ?? nameNode(node)
  const scope = nameParts(named ? textOf(named, text) : '', language.joint)
  const name = scope.pop() ?? ''
  if (parts.scope) scope.push(textOf(parts.scope, text))
  const body = parts.body ?? node.childForFieldName('body')
  const { start, end } = rangeOf(node)
  const head = body?.startIndex ?? headBefore(parts.value, end)
  const docstring = language.grammar === 'python' ? docstringIn(body) : null
  const hasBody = body !== null
  const nameStart = named?.startIndex ?? start
  return {
    id: node.id,
    kind: parts.kind,
    name,
    nameStart,
    scope,
    start,
    end,
    head,
    hasBody,
    docstring,
    pattern,
  }
}

/** Python's doc comment is the first statement of the body: a string. */
function docstringIn(body: Node | null): Range | null {
  const first = body?.firstNamedChild
  const string = first?.type === 'expression_statement' ? first.firstNamedChild : null
  return string?.type === 'string' ? rangeOf(string) : null
}

// A short value says more about a constant than its name alone; a table of a hundred lines does not belong to the head.
function headBefore(value: Node | undefined, end: number): number {
  if (!value) return end
  return value.startPosition.row === value.endPosition.row ? end : value.startIndex
}

function rangeOf(node: Node): Range {
  return { start: node.startIndex, end: node.endIndex }
}

// From our own text: the node's `text` would fetch it through the parser's buffer, a piece at a time.
function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex)
}

/** The node with the name: the `name` field, or in C the identifier inside the declarators. */
function nameNode(node: Node): Node | null {
  const name = node.childForFieldName('name')
  if (name) return name
  let at = node.childForFieldName('declarator')
  // The name of a conversion is its target type: `operator bool`.
  for (let depth = 0; at && at.type !== 'operator_cast' && depth < 100; depth++) {
    const inner = at.childForFieldName('declarator') ?? (bare.has(at.type) ? at.firstNamedChild : null)
    if (!inner) break
    at = inner
  }
  return at
}

// Declarators that hold the next one without calling it so.
const bare = new Set(['parenthesized_declarator', 'reference_declarator'])

/** Splits a written name: `Foo<T>::bar` is Foo and bar, `exports.parse` is only parse. */
function nameParts(written: string, joint: RegExp | undefined): string[] {
  const folded = unquote(written.slice(0, 1_000).replace(/\s+/g, ' ').trim())
  if (folded === '') return []
  if (!joint || quoted.test(written)) return [short(folded)]
  const operator = folded.search(/\boperator\b/)
  const path = withoutArguments(operator < 0 ? folded.replace(sigils, '') : folded.slice(0, operator))
  const parts = path.split(joint).map((part) => part.trim())
  if (operator >= 0) parts.splice(-1, 1, folded.slice(operator).replace(/(?<!operator ?)\(.*$/, ''))
  const named = parts.filter(Boolean).map(short)
  return named.filter((part, i) => i === named.length - 1 || !silent.has(part))
}

// Computed and string keys are names as written, dots included.
const quoted = /^["'`[]/
// `impl Trait for &mut Foo`.
const sigils = /^(?:[&*\s]|'\w+\s|mut\s|dyn\s)+/
const silent = new Set(['module', 'exports', 'prototype', 'this', 'self', 'window', 'globalThis'])

function unquote(name: string): string {
  return /^(["'`]).*\1$/s.test(name) ? name.slice(1, -1) : name
}

function withoutArguments(name: string): string {
  const less = name.replace(/<[^<>]*>/g, '')
  return less === name ? name : withoutArguments(less)
}

function short(name: string): string {
  return wholeCharacters(name, 200)
}

/** The first sentence of the comments directly above a declaration or of its docstring; empty without either. */
export function docOf(text: string, docs: readonly Range[], above: Range, docstring: Range | null): string {
  if (docstring) return firstSentence(text.slice(docstring.start, docstring.end).replace(quotes, ''))
  if (above.start >= above.end) return ''
  const comments = docs
    .slice(firstFrom(docs, above.start), firstFrom(docs, above.end))
    .map(({ start, end }) => text.slice(start, Math.min(end, start + longestRead)))
  return firstSentence(comments.filter((one) => isComment.test(one)).join('\n'))
}

const longestRead = 2_000
const longest = 200
const quotes = /^[a-z]*(?:"""|'''|["'])|(?:"""|'''|["'])$/gi
// An attribute begins with `#[`, a decorator with `@`.
const isComment = /^\s*(?:\/\*|\/\/|#(?!\[)|--)/
const marks = /^[ \t]*(?:\/\*+!?|\*+\/|\*+|\/{2,}!?|#+|--+)[ \t]?|\*+\/[ \t]*$/gm

function firstSentence(comment: string): string {
  const plain = comment
    .replace(marks, '')
    .replace(/<\/?[a-z][^>\n]{0,200}>/gi, ' ')
    .replace(/(?:^|\s)@[a-z]+\b[\s\S]*$|(?:^|\n)[^\S\n]*:\w[^\n]*:[\s\S]*$/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  // After `e.g.` the sentence goes on in lower case.
  const end = /。|[.!?](?=\s+[^\p{Ll}]|$)/u.exec(plain)
  const sentence = end ? plain.slice(0, end.index + 1) : plain
  return sentence.length > longest ? `${wholeCharacters(sentence, longest - 1)}…` : sentence
}
