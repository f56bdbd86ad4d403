// Prints every text that a person meets: help, tool descriptions, errors, notes, doctor, log lines. `npm run words`.
// Help and descriptions come from the program itself, the rest from the sources: a template's values are shown as "…".
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5'
import { root, setUp } from './setup.mjs'

/** The texts as `{ kind, where, code, text }`, in the order in which they are printed. The program must be compiled. */
export async function collectTexts() {
  return [...(await helpTexts()), ...(await toolTexts()), ...(await settingTexts()), ...sourceTexts()]
}

const from = (path) => import(pathToFileURL(join(root, 'dist/src', path)).href)

async function helpTexts() {
  const { buildProgram } = await from('surfaces/cli/program.js')
  const quiet = { write() {}, columns: 100 }
  const program = buildProgram({ version: '', out: quiet, err: quiet })
  const all = []
  walk(program)
  return all

  function walk(command) {
    let text = ''
    command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
    all.push({ kind: 'help', where: nameOf(command), text: text.trimEnd() })
    for (const one of command.commands) walk(one)
  }
  function nameOf(command) {
    return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
  }
}

async function toolTexts() {
  const { toolsets } = await from('toolsets/all.js')
  const { inputSchemaOf } = await from('server/json-schema.js')
  return toolsets.flatMap((set) => [
    { kind: 'tool', where: `toolset ${set.name}`, text: set.purpose },
    ...set.tools.flatMap((tool) => [
      { kind: 'tool', where: tool.name, text: tool.summary },
      ...Object.entries(inputSchemaOf(tool).properties ?? {})
        .filter(([, field]) => field.description)
        .map(([name, field]) => ({ kind: 'tool', where: `${tool.name} ${name}`, text: field.description })),
    ]),
  ])
}

async function settingTexts() {
  const { configJsonSchema } = await from('app/config/json-schema.js')
  const all = []
  walk(JSON.parse(configJsonSchema()), '')
  return all

  function walk(schema, name) {
    if (schema.description) all.push({ kind: 'setting', where: name, text: schema.description })
    for (const inner of schema.anyOf ?? []) walk({ ...inner, description: undefined }, name)
    for (const [key, inner] of Object.entries(schema.properties ?? {}))
      walk(inner, name ? `${name}.${key}` : key)
    if (schema.items) walk({ ...schema.items, description: undefined }, `${name}[]`)
  }
}

function sourceTexts() {
  const all = [...sourceFiles(join(root, 'src'))].sort().flatMap(textsIn)
  return ['error', 'note', 'doctor', 'log'].flatMap((kind) => all.filter((one) => one.kind === kind))
}

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourceFiles(path)
    else if (/\.ts$/.test(entry.name) && !/\.(test|d)\.ts$/.test(entry.name)) yield path
  }
}

function textsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const name = relative(root, path).split(sep).join('/')
  const found = []
  visit(file)
  return found

  function add(kind, node, code, texts) {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    for (const text of texts)
      if (/\S \S/.test(text)) found.push({ kind, where: `${name}:${line}`, code, text })
  }
  function visit(node) {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Problem') {
      const [code, ...rest] = node.arguments ?? []
      add('error', node, literalsOf(code)[0], rest.slice(0, 2).flatMap(literalsOf))
    } else if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText()))
      add('error', node, undefined, (node.arguments ?? []).slice(0, 1).flatMap(literalsOf))
    else if (ts.isCallExpression(node) && /\blog\.(debug|info|warn|error)$/.test(node.expression.getText()))
      add('log', node, undefined, node.arguments.slice(1).flatMap(literalsOf))
    else if (ts.isObjectLiteralExpression(node)) visitObject(node)
    ts.forEachChild(node, visit)
  }
  function visitObject(node) {
    const properties = node.properties.filter(ts.isPropertyAssignment)
    const of = (key) => properties.find((one) => one.name.getText() === key)?.initializer
    if (!of('message')) return
    const isCheck = of('state') || /^src\/app\/(doctor|check-|audit|data-trust)/.test(name)
    const isFailure = of('kind') || of('hint')
    const kind = isCheck ? 'doctor' : isFailure || !of('code') ? 'error' : 'note'
    add(
      kind,
      node,
      literalsOf(of('code'))[0],
      ['message', 'hint'].flatMap((key) => literalsOf(of(key))),
    )
  }
}

/** The texts that an expression may have; "…" stands for what is not known. */
function literalsOf(node) {
  if (!node) return []
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')]
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression)
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return literalsOf(node.body)
  if (!ts.isBinaryExpression(node)) return []
  if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...literalsOf(node.left), ...literalsOf(node.right)]
  const [left, right] = [literalsOf(node.left)[0], literalsOf(node.right)[0]]
  return left || right ? [(left ?? '…') + (right ?? '…')] : []
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  setUp()
  let kind = ''
  for (const one of await collectTexts()) {
    if (one.kind !== kind) console.log(`\n==== ${one.kind} ====`)
    kind = one.kind
    console.log(`\n[${one.where}${one.code ? `, ${one.code}` : ''}]\n${one.text}`)
  }
}
