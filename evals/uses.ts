// `uses` against ripgrep's whole-word lines, and what it calls each line against the syntax tree's own nodes.
//   npm run evals -- uses FOLDER… [--names N] [--sample N]
import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Library } from '../src/answer/library.js'
import { projectListing, roleIn } from '../src/answer/project-texts.js'
import { withTree } from '../src/parse/code/grammars.js'
import { languageFor } from '../src/parse/code/languages.js'
import { formatOf } from '../src/parse/formats.js'
import { ripgrep } from '../src/sources/ripgrep.js'
import { lineStarts } from '../src/text/lines.js'
import { type ClassifiedLine, classifiedUses } from '../src/toolsets/desk/uses.js'

const args = process.argv.slice(2)
const option = (name: string, otherwise: number) =>
  args.includes(name) ? Number(args.splice(args.indexOf(name), 2)[1]) : otherwise
const namesEach = option('--names', 30)
const sampleEach = option('--sample', 50)
if (args.length === 0) {
  console.error('Usage: npm run evals -- uses FOLDER… [--names N] [--sample N]')
  process.exit(2)
}

const rg = await ripgrep()
const rows: Record<'lines' | 'missing' | 'more' | 'judged' | 'right', number>[] = []
const names: string[] = []
const wrong: string[] = []
for (const folder of args) {
  const root = realpathSync(folder)
  const library = { settings: { root, include: [], exclude: [] }, state: new Map() } as unknown as Library
  const listing = await projectListing(library)
  let [lines, missing, more, judged, right] = [0, 0, 0, 0, 0]
  const seen: ClassifiedLine[] = []
  for (const name of namesOf(root)) {
    const expected = new Set(plainLines(root, name))
    const { lines: found } = await classifiedUses(library, { name })
    const ours = new Set(found.map(({ path, line }) => `${path}:${line}`))
    const gone = [...expected].filter((place) => !ours.has(place))
    lines += expected.size
    missing += gone.length
    more += [...ours].filter((place) => !expected.has(place)).length
    for (const place of gone.slice(0, 3)) wrong.push(`${basename(root)} lacks ${place} (${name})`)
    for (const line of found) {
      const role = roleIn(listing, line.path)
      if (role === 'code' && line.is !== 'test') seen.push(Object.assign(line, { name }))
    }
  }
  const step = Math.max(1, Math.floor(seen.length / sampleEach))
  for (const line of seen.filter((_, i) => i % step === 0).slice(0, sampleEach)) {
    const truth = await byTree(root, line as ClassifiedLine & { name: string })
    if (truth === null) continue
    judged++
    if (truth === line.is) right++
    else
      wrong.push(
        `${basename(root)} ${line.path}:${line.line} is ${truth}, not ${line.is}: ${line.text.trim().slice(0, 100)}`,
      )
  }
  rows.push({ lines, missing, more, judged, right })
  names.push(basename(root))
}
console.table(Object.fromEntries(rows.map((row, i) => [names[i]!, row])))
for (const line of wrong) console.log(line)
const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0)
console.log(
  `${sum((row) => row.missing)} of ${sum((row) => row.lines)} lines missing; ${sum((row) => row.right)} of ${sum((row) => row.judged)} classes right`,
)

/** Every so many-th identifier of the project's code, by its letters: common and rare ones, defined here or not. */
function namesOf(root: string): string[] {
  const { stdout } = spawnSync(rg, ['--no-config', '--files', '--null'], { cwd: root, maxBuffer: 1e9 })
  const names = new Set<string>()
  for (const path of String(stdout).split('\0').sort())
    if (formatOf(path)?.format === 'code')
      for (const [name] of readFileSync(join(root, path), 'utf8')
        .slice(0, 200_000)
        .matchAll(/\b[A-Za-z_][A-Za-z0-9_]{3,40}\b/g))
        names.add(name)
  const all = [...names].sort()
  return all.filter((_, i) => i % Math.ceil(all.length / namesEach) === 0)
}

function plainLines(root: string, name: string): string[] {
  const { stdout } = spawnSync(
    rg,
    ['--no-config', '-nwF', '--no-require-git', '--no-heading', '--null', '--', name, './'],
    {
      cwd: root,
      maxBuffer: 1e9,
    },
  )
  return String(stdout)
    .split('\n')
    .flatMap((row) => {
      const match = /^(?:\.\/)?(.+?)\0(\d+):/.exec(row)
      return match ? [`${match[1]}:${match[2]}`] : []
    })
}

interface Node {
  id: number
  type: string
  text: string
  parent: Node | null
  startIndex: number
  endIndex: number
  childForFieldName(name: string): Node | null
  descendantForIndex(start: number, end?: number): Node | null
  namedChildren: (Node | null)[]
}

/** What the nodes around the name say, or null where there is no tree. */
async function byTree(root: string, { path, line, name }: ClassifiedLine & { name: string }) {
  const language = formatOf(path)?.language
  const known = language ? languageFor(language, path) : null
  if (!known) return null
  const text = readFileSync(join(root, path), 'utf8')
  const starts = lineStarts(text)
  const [start, end] = [starts[line - 1]!, starts[line] ?? text.length]
  const { value } = await withTree(known.grammar, known.mask?.(text) ?? text, (tree) => {
    const places = [...text.slice(start, end).matchAll(new RegExp(`(?<![\\w])${name}(?![\\w])`, 'g'))]
    const classes = places.map(({ index }) =>
      classOfNode(
        (tree.root as unknown as Node).descendantForIndex(start + index, start + index + name.length - 1)!,
      ),
    )
    if (classes.includes('definition')) return 'definition'
    if (classes.includes('import')) return 'import'
    return classes.every((one) => one === 'comment') ? 'comment' : 'use'
  })
  return value
}

function classOfNode(node: Node): 'definition' | 'import' | 'use' | 'comment' {
  const around: Node[] = []
  for (let one: Node | null = node; one; one = one.parent) around.push(one)
  if (around.some(({ type }) => /comment/.test(type)) || isDocstring(around)) return 'comment'
  if (around.some(isImport) || isRequire(around)) return 'import'
  const [own, parent, above] = around
  const isName = parent?.childForFieldName('name')?.id === own!.id
  // In a shell script.
  if (parent?.type === 'variable_assignment' && isName)
    return around.some(({ type }) => type === 'function_definition') ? 'use' : 'definition'
  if (parent?.type === 'assignment' && parent.childForFieldName('left')?.id === own!.id)
    return around.some(({ type }) => type === 'function_definition') ? 'use' : 'definition'
  if (!isName && !/declarator$/.test(parent?.type ?? '')) return 'use'
  const isInFunction = around
    .slice(2)
    .some(({ type }) =>
      /^(?:function|method|arrow_function|closure|lambda|func_literal|constructor)/.test(type),
    )
  if (
    /^(?:function|method|class|interface|struct|enum|trait|type_alias|type_spec|mod_item|macro|record|constructor|union|annotation_type|generator_function|abstract_class)/.test(
      parent!.type,
    )
  ) {
    return /_call|_invocation|call_expression|type_identifier$/.test(parent!.type) ? 'use' : 'definition'
  }
  if (
    /^(?:preproc_def|preproc_function_def|const_item|static_item|const_spec|enum_variant|enum_assignment|property_signature|public_field_definition|enumerator)/.test(
      parent!.type,
    )
  )
    return isInFunction ? 'use' : 'definition'
  if (/^(?:variable_declarator|var_spec|field_declaration)$/.test(parent!.type) && isName)
    return isInFunction ? 'use' : 'definition'
  if (/^(?:function_declarator)$/.test(parent!.type) && /definition|declaration/.test(above?.type ?? ''))
    return isInFunction ? 'use' : 'definition'
  return 'use'
}

/** `const fs = require('fs')` only brings in a name. */
function isRequire(around: readonly Node[]): boolean {
  const declarator = around.find(({ type }) => type === 'variable_declarator')
  return /^require\(/.test(declarator?.childForFieldName('value')?.text ?? '')
}

function isDocstring(around: readonly Node[]): boolean {
  const at = around.findIndex(({ type }) => type === 'string')
  return at >= 0 && around[at + 1]?.type === 'expression_statement'
}

function isImport({ type }: Node): boolean {
  return /^(?:import|use_declaration|preproc_include|future_import|package_clause|package_declaration|using_directive|extern_crate)/.test(
    type,
  )
}
