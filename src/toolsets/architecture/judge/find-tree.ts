// Syntax-tree patterns through ast-grep.
import { Lang, type NapiConfig, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi'
import { separateCallSignatures } from '../../../parse/code/grammar-gaps.js'
import { checkStructure } from '../../../parse/rules/structure-checks.js'
import { type Answer, type Ask, type Subject, treeLanguages } from './ask.js'

const mostLines = 100

export async function findTree(
  text: string,
  { language, path }: Subject,
  tree: string | Record<string, unknown>,
): Promise<Answer> {
  const grammar = await grammarFor(language, path, text)
  if (!grammar)
    return {
      failed: `Syntax trees of ${language ?? 'this text'} cannot be searched: that works for ${treeLanguages.join(', ')}.`,
    }
  const half = patternsIn(tree).find((pattern) => isHalf(grammar, pattern))
  if (half !== undefined)
    return {
      failed: `Its tree pattern ${JSON.stringify(half.slice(0, 80))} is no ${language} that can be read.`,
      broken: true,
      foreign: true,
    }
  if (typeof tree === 'string' && isLabel(grammar, tree))
    return {
      failed: `Its tree pattern ${JSON.stringify(tree.slice(0, 80))} is a label of a statement in ${language}. For the field of an object write a rule with "kind: pair".`,
      broken: true,
      foreign: true,
    }
  const { root, fault } = treeOf(grammar, text)
  const rule = ruleFor(grammar, tree)
  let found: SgNode[]
  try {
    found = root.findAll({ rule } as NapiConfig)
  } catch (error) {
    return { failed: `Its tree pattern cannot be used: ${plainly(error)}.`, broken: true, foreign: true }
  }
  const lines = [...new Set(found.slice(0, mostLines).map((node) => node.range().start.line + 1))]
  return fault !== null && lines.length === 0 ? unreadable(fault, language) : { lines }
}

/** Checks a sentence about structure. */
export async function findStructure(
  text: string,
  { language, path }: Subject,
  { name, sentence }: Extract<Ask, { kind: 'structure' }>,
): Promise<Answer> {
  const grammar = await grammarFor(language, path, text)
  if (!grammar) return { failed: `The syntax of ${language ?? 'this text'} cannot be read.` }
  const tree = treeOf(grammar, text)
  tree.nodes ??= nodesBelow(tree.root)
  const found = checkStructure(name, sentence, { language: language!, path, nodes: tree.nodes })
  if (found?.isBroken) return found.lines.length > 0 ? { lines: found.lines } : { lines: [], missing: true }
  if (found === null) return { failed: 'Nothing here is named or written as what it is about.' }
  return tree.fault === null ? { lines: [] } : unreadable(tree.fault, language)
}

function nodesBelow(root: SgNode): SgNode[] {
  const nodes: SgNode[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node)
    open.push(...node.children().reverse())
  }
  return nodes
}

function unreadable(line: number, language: string | null): Answer {
  return { failed: `Line ${line} is no ${language} that can be read, so the tree says little.` }
}

interface Tree {
  root: SgNode
  /** The first line that could not be read. */
  fault: number | null
  /** All nodes, once a check of structure has needed them. */
  nodes?: SgNode[]
}

let last: (Tree & { grammar: string; text: string }) | null = null

/** Rules come one after the other about the same text, which is parsed once for all of them. */
function treeOf(grammar: string, text: string): Tree {
  if (last?.grammar === grammar && last.text === text) return last
  let root = parse(grammar, text).root()
  let fault = firstFault(root)
  const isTyped = grammar === Lang.TypeScript || grammar === Lang.Tsx
  const bridged = fault !== null && isTyped ? separateCallSignatures(text) : null
  if (bridged !== null) {
    const second = parse(grammar, bridged).root()
    const later = firstFault(second)
    if (later === null || later > fault!) [root, fault] = [second, later]
  }
  last = { grammar, text, root, fault }
  return last
}

/** The pieces of code that a rule is made of, at any depth. One that brings its context is looked at by ast-grep. */
function patternsIn(tree: unknown, field = 'pattern'): string[] {
  if (typeof tree === 'string') return field === 'pattern' ? [tree] : []
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, value]) => patternsIn(value, name))
}

// ast-grep accepts half a call as a pattern, which no complete code ever matches. A parse error alone does not prove it:
// the grammar may only expect something else in place of a placeholder, and `import $X from $Y` matches as it should. So a
// pattern is half only if a bracket or a quotation mark is missing as well.
function isHalf(grammar: string, pattern: string): boolean {
  const root = parse(grammar, pattern.replace(placeholder, asName)).root()
  return firstFault(root) !== null && !isBalanced(pattern.replace(quoted, ''))
}

/** `name: $X` alone parses as a labelled statement, which hardly any code has. The author means a field. */
function isLabel(grammar: string, pattern: string): boolean {
  const [only, ...more] = parse(grammar, pattern.replace(placeholder, asName)).root().children()
  const isLabelled = more.length === 0 && only?.kind() === 'labeled_statement'
  return isLabelled && only.children().at(-1)?.kind() === 'expression_statement'
}

const quoted = /(["'`])(?:\\.|(?!\1).)*\1/gs
const placeholder = /\$+[A-Z_][A-Z0-9_]*|\${3}/g
const asName = (written: string) => written.replaceAll('$', 'z')

function isBalanced(code: string): boolean {
  const count = (sign: string) => code.split(sign).length - 1
  const brackets = ['()', '[]', '{}'].every(([opening, closing]) => count(opening!) === count(closing!))
  return brackets && ['"', "'", '`'].every((mark) => count(mark) % 2 === 0)
}

// Go's grammar reads `fmt.Println($A)` on its own as a conversion to a type; inside a function it is the call it is.
function ruleFor(grammar: string, tree: string | Record<string, unknown>) {
  if (typeof tree !== 'string') return tree
  if (grammar !== 'go' || !/^[\w.$]+\.[\w$]+\(.*\)$/s.test(tree.trim())) return { pattern: tree }
  return {
    any: [{ pattern: tree }, { pattern: { context: `func _() { ${tree} }`, selector: 'call_expression' } }],
  }
}

const builtIn = new Map<string, string>([
  ['typescript', Lang.TypeScript],
  ['tsx', Lang.Tsx],
  ['javascript', Lang.JavaScript],
  ['html', Lang.Html],
  ['css', Lang.Css],
])

async function grammarFor(
  language: string | null,
  path: string | null,
  text: string,
): Promise<string | null> {
  if (language === 'typescript' && /\.tsx$/i.test(path ?? '')) return Lang.Tsx
  if (language === 'typescript' && path === null) return tsOrTsx(text)
  const known = builtIn.get(language ?? '')
  if (known) return known
  if (!['python', 'go', 'rust', 'java'].includes(language ?? '')) return null
  await registerOthers()
  return language
}

// A snippet does not say whether it is TSX: it is where only that can read it.
function tsOrTsx(text: string): string {
  if (!treeOf(Lang.TypeScript, text).fault) return Lang.TypeScript
  return treeOf(Lang.Tsx, text).fault ? Lang.TypeScript : Lang.Tsx
}

function firstFault(root: SgNode): number | null {
  const fault = root.find({ rule: { kind: 'ERROR' } } as NapiConfig)
  return fault ? fault.range().start.line + 1 : null
}

let registered: Promise<void> | undefined

function registerOthers(): Promise<void> {
  registered ??= (async () => {
    const [python, go, rust, java] = await Promise.all([
      import('@ast-grep/lang-python'),
      import('@ast-grep/lang-go'),
      import('@ast-grep/lang-rust'),
      import('@ast-grep/lang-java'),
    ])
    registerDynamicLanguage({
      python: python.default,
      go: go.default,
      rust: rust.default,
      java: java.default,
    })
  })()
  return registered
}

function plainly(error: unknown): string {
  const lines = (error as Error).message.split('\n').map((line) => line.replace(/^[\s|\->]+/, '').trim())
  return (lines.at(-1) || lines[0] || 'it is not understood').replace(/\.$/, '').slice(0, 200)
}
