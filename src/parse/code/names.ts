import type { Node } from 'web-tree-sitter'
import { wholeCharacters } from '../../text/truncate.js'

/** What names a node: its `name` field, or in C the identifier inside of its declarators. */
export function nameNode(node: Node): Node | null {
  const name = node.childForFieldName('name')
  if (name) return name
  let at = node.childForFieldName('declarator')
  // A conversion is named by what it converts to: `operator bool`.
  for (let depth = 0; at && at.type !== 'operator_cast' && depth < 100; depth++) {
    const inner = at.childForFieldName('declarator') ?? (bare.has(at.type) ? at.firstNamedChild : null)
    if (!inner) break
    at = inner
  }
  return at
}

// Declarators that hold the next one without calling it so.
const bare = new Set(['parenthesized_declarator', 'reference_declarator'])

/** A name as written, taken apart: `Foo<T>::bar` is Foo and bar, `exports.parse` is only parse. */
export function nameParts(written: string, joint: RegExp | undefined): string[] {
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

// Computed and string keys are names as they stand, whatever is in them.
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
