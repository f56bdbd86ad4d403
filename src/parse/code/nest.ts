import { inOrder, type Range } from './spans.js'

/** A declaration as found in the tree, before it is known what encloses it. */
export interface Item extends Range {
  kind: string
  name: string
  nameStart: number
  /** Names of the enclosing declarations: before nesting, only those in its own qualified name. */
  scope: string[]
  /** Where its head ends. */
  head: number
  hasBody: boolean
  /** The doc comment in the body, where the language has it there. */
  docstring: Range | null
  /** Of its node. */
  id: number
  /** Which pattern found it. */
  pattern: number
}

/** A statement around declarations: its start belongs to the first of them, its end to the last. */
export interface Wrap extends Range {
  wraps: true
  first: Item | null
  last: Item | null
}

interface Nested extends Item {
  /** Its own node, without the statement around it. */
  own: Range
  /** A function, or inside of one. */
  local: boolean
}

/** Gives every declaration its scope and its whole statement, and drops local declarations. */
export function nest(items: readonly Item[], wraps: readonly Wrap[], text: string): Item[] {
  const nested: Nested[] = []
  const open: (Nested | Wrap)[] = []
  let file: string[] = []
  for (const entry of [...items, ...wraps].sort(outerFirst)) {
    while (open.length > 0 && open[open.length - 1]!.end <= entry.start) open.pop()
    if (open.length >= deepest) continue
    if ('wraps' in entry) {
      open.push(entry)
      continue
    }
    const parent = open.findLast((other): other is Nested => !('wraps' in other)) ?? null
    if (parent && isSame(parent.own, entry)) continue
    if (parent?.local && !severalLines(entry, text)) continue
    const item = { ...entry, ...place(entry, parent, file), own: entry }
    if (item.kind === 'namespace' && !item.hasBody) file = [...item.scope, item.name]
    takeStatement(item, open)
    nested.push(item)
    open.push(item)
  }
  for (const wrap of wraps) if (wrap.last) wrap.last.end = Math.max(wrap.last.end, wrap.end)
  return nested.sort(inOrder)
}

// Every level repeats the names above it; no one writes code this deep by hand.
const deepest = 48

function outerFirst(a: Item | Wrap, b: Item | Wrap): number {
  return inOrder(a, b) || rank(a) - rank(b)
}

function rank(entry: Item | Wrap): number {
  return 'wraps' in entry ? -1 : entry.pattern
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end
}

// A helper of one line inside of a function is read with it.
function severalLines({ start, end }: Range, text: string): boolean {
  const lineBreak = text.indexOf('\n', start)
  return lineBreak >= 0 && lineBreak < end
}

function place(item: Item, parent: Nested | null, file: readonly string[]) {
  const around = parent ? [...parent.scope, parent.name] : item.kind === 'namespace' ? [] : file
  const belongs = (parent !== null && types.has(parent.kind)) || item.scope.length > 0
  const kind = kindOf(item, belongs)
  return { kind, scope: [...around, ...item.scope], local: callables.has(kind) || (parent?.local ?? false) }
}

const types = new Set(['class', 'struct', 'union', 'interface', 'trait', 'impl', 'enum', 'record'])
const callables = new Set(['function', 'method', 'constructor', 'destructor', 'operator', 'macro'])

function kindOf({ kind, name }: Item, belongs: boolean): string {
  if (kind === 'function' && belongs) return 'method'
  if (kind === 'variable' && /^[A-Z][A-Z0-9_]*$/.test(name)) return 'constant'
  return kind
}

function takeStatement(item: Nested, open: readonly (Nested | Wrap)[]): void {
  let outer: Wrap | null = null
  for (let i = open.length - 1; i >= 0; i--) {
    const entry = open[i]!
    if (!('wraps' in entry)) break
    outer = entry
  }
  if (!outer) return
  if (!outer.first) item.start = outer.start
  outer.first ??= item
  outer.last = item
}
