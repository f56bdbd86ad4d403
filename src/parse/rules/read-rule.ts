// Reads one fenced `rule` block: YAML in, a rule or an error sentence out.
import type { BrokenRule, Check, Layer, Rule, Severity } from '../../model/rule.js'
import { hasTooMany, mostAlternatives } from '../../text/glob.js'
import { didYouMean } from '../../text/nearest.js'
import { formatOf, isLanguage, languageNamed, languageNames } from '../formats.js'
import { blockTokens } from '../markdown-blocks.js'
import { type Fields, fieldsOf, Wrong } from './rule-fields.js'

const ruleKinds = [
  'forbid-text',
  'require-text',
  'forbid-tree',
  'require-tree',
  'forbid-import',
  'require-import',
  'layers',
  'require-dependency',
  'forbid-dependency',
  'file-must-exist',
  'file-must-not-exist',
] as const
type RuleKind = (typeof ruleKinds)[number]

/** Reads one block. `line` is where its content starts in the document. */
function readRule(yaml: string, line: number): Rule | BrokenRule {
  let id: string | null = null
  try {
    const fields = fieldsOf(yaml)
    id = fields.text('id')
    return ruleOf(fields, line)
  } catch (error) {
    if (error instanceof Wrong) return { id, line, reason: error.message }
    throw error
  }
}

function isBroken(rule: Rule | BrokenRule): rule is BrokenRule {
  return 'reason' in rule
}

function ruleOf(fields: Fields, line: number): Rule {
  const kind = kindOf(fields)
  const paths = [...fields.texts('path', 'paths'), ...fields.texts('from')]
  const message = fields.text('message')
  const suggestion = fields.optional('suggestion')
  const check = checkOf(kind, fields)
  const except = fields.texts('except')
  fields.refuseOthers(kind)
  const globs = [...paths, ...except, ...globsOf(check)]
  refuseTooMany(globs)
  refuseNegated(globs)
  const languages = fields.texts('language', 'languages').map(languageOf)
  refuseOtherLanguages(paths, languages)
  return {
    id: fields.text('id'),
    severity: severityOf(fields),
    message,
    ...(suggestion ? { suggestion } : {}),
    languages,
    paths: check.kind === 'file' ? [] : paths,
    except,
    line,
    check,
  }
}

/** The globs of a rule besides its paths. */
function globsOf(check: Check): string[] {
  if (check.kind === 'layers') return check.layers.flatMap(({ paths }) => paths)
  if (check.kind === 'dependency') return check.names
  return check.kind === 'import' ? check.imports : []
}

function refuseTooMany(globs: readonly string[]) {
  const wide = globs.find(hasTooMany)
  if (wide !== undefined)
    throw new Wrong(
      `"${wide.slice(0, 60)}" has too many alternatives: its { } groups may stand for ${mostAlternatives} paths at most. Write several paths, or a *.`,
    )
}

function refuseNegated(globs: readonly string[]) {
  const negated = globs.find((glob) => glob.startsWith('!'))
  if (negated !== undefined)
    throw new Wrong(
      `"${negated.slice(0, 60)}" begins with "!", which says nothing here: files that a rule leaves alone stand under "except".`,
    )
}

/** A rule for Python about `src/*.ts` is about no file. */
function refuseOtherLanguages(paths: readonly string[], languages: readonly string[]) {
  const known = paths.map((path) => formatOf(path)?.language ?? null)
  if (languages.length === 0 || paths.length === 0) return
  if (known.some((language) => language === null || languages.includes(language))) return
  throw new Wrong(
    `It can never match: it is for ${languages.join(', ')}, and ${paths[0]!.slice(0, 60)} is ${known[0]}.`,
  )
}

function kindOf(fields: Fields): RuleKind {
  const written = fields.text('kind')
  const kind = ruleKinds.find((one) => one === written)
  if (kind) return kind
  throw new Wrong(
    `There is no kind "${written.slice(0, 60)}". ${didYouMean(written, ruleKinds) ?? `The kinds are ${ruleKinds.join(', ')}.`}`,
  )
}

function severityOf(fields: Fields): Severity {
  const written = fields.optional('severity') ?? 'error'
  if (written === 'error' || written === 'warning') return written
  throw new Wrong(`The severity is error or warning, not "${written.slice(0, 40)}".`)
}

function languageOf(written: string): string {
  const name = languageNamed(written)
  if (isLanguage(name)) return name
  const hint = didYouMean(name, languageNames()) ?? 'Leave it out for a rule about any.'
  throw new Wrong(`There is no language "${written.slice(0, 60)}" here. ${hint}`)
}

function checkOf(kind: RuleKind, fields: Fields): Check {
  const require = kind.startsWith('require') || kind === 'file-must-exist'
  switch (kind) {
    case 'forbid-text':
    case 'require-text':
      return {
        kind: 'text',
        require,
        pattern: patternOf(fields.text('pattern'), 'pattern'),
        ignoreCase: fields.flag('ignore_case'),
        when: whenOf(fields),
        every: fields.flag('every'),
        codeOnly: fields.flag('code_only'),
      }
    case 'forbid-tree':
    case 'require-tree':
      return {
        kind: 'tree',
        require,
        tree: treeOf(fields),
        when: whenOf(fields),
        every: fields.flag('every'),
      }
    case 'forbid-import':
    case 'require-import':
      return {
        kind: 'import',
        require,
        imports: fields.some('import', 'imports').map(importOf),
        every: fields.flag('every'),
      }
    case 'layers':
      return { kind: 'layers', layers: layersOf(fields) }
    case 'require-dependency':
    case 'forbid-dependency':
      return { kind: 'dependency', require, names: fields.some('dependency', 'dependencies').map(nameOf) }
    case 'file-must-exist':
    case 'file-must-not-exist':
      return { kind: 'file', require, files: fields.some('path', 'paths') }
  }
}

function importOf(name: string): string {
  refuseExpression(name, 'import')
  if (!/["'`;]|^(?:import|from|use|require|#include)\b.*[\s(]/.test(name)) return name
  throw new Wrong(
    `It can never match: "${name.slice(0, 60)}" is a statement. "import" takes the module's name alone, such as lodash or node:fs.`,
  )
}

/** Refuses a regular expression in place of a glob: the rule would match no file. */
function refuseExpression(name: string, field: string) {
  if (!/^\^|\$$|\||\\[.dwsbDWS/@*+-]|\(\?|\.[*+][?$]|[:/]\.[*+]|[\])]\+/.test(name)) return
  throw new Wrong(
    `It can never match: "${name.slice(0, 60)}" is a regular expression, and "${field}" takes a name or a glob, such as lodash/* or @scope/{a,b}.`,
  )
}

function nameOf(dependency: string): string {
  refuseExpression(dependency, 'dependency')
  if (!/.@|[<>=~^\s]/.test(dependency)) return dependency
  throw new Wrong(`"${dependency.slice(0, 60)}": a dependency goes by its name alone, without a version.`)
}

function whenOf(fields: Fields): string | null {
  const when = fields.optional('when')
  return when === undefined ? null : patternOf(when, 'when')
}

function patternOf(pattern: string, field: string): string {
  if (pattern.includes('\b'))
    throw new Wrong(
      `"${field}" has a backspace in it, which is what \\b means between double quotes: put it between single quotes.`,
    )
  try {
    expression(pattern, 'm')
    return pattern
  } catch (error) {
    const hint = pattern.startsWith('(?i)') ? ' Say ignore_case: true in place of (?i).' : ''
    throw new Wrong(`"${field}" is no regular expression: ${(error as Error).message}.${hint}`)
  }
}

function treeOf(fields: Fields): string | Record<string, unknown> {
  const rule = fields.raw('rule')
  if (rule === undefined) return treePattern(fields.text('pattern'))
  if (rule && typeof rule === 'object' && !Array.isArray(rule)) return rule as Record<string, unknown>
  throw new Wrong('"rule" is an ast-grep rule: an object such as { pattern: …, inside: { … } }.')
}

/** ast-grep reads `$x` as a plain name: only upper case (`$X`) is a metavariable. */
function treePattern(pattern: string): string {
  const lower = /(?<![\w$])\$+[a-z]\w*/.exec(pattern)?.[0]
  if (lower === undefined) return pattern
  throw new Wrong(
    `"${lower}" stands for nothing: placeholders have capital letters, such as ${lower.toUpperCase()}. For a name that begins with "$" use forbid-text or require-text.`,
  )
}

function layersOf(fields: Fields): Layer[] {
  const written = fields.raw('layers')
  const layers = Array.isArray(written) ? written.map(layerOf) : []
  if (layers.length < 2) throw new Wrong('"layers" lists two or more folders, the top one first.')
  return layers
}

function layerOf(written: unknown): Layer {
  if (typeof written === 'string' && written.trim()) return { name: written.trim(), paths: [written.trim()] }
  const { name, path } = (written ?? {}) as { name?: unknown; path?: unknown }
  const paths = (Array.isArray(path) ? path : [path]).filter((one) => typeof one === 'string' && one.trim())
  if (paths.length === 0) throw new Wrong('A layer is a folder, or { name: …, path: … }.')
  return { name: typeof name === 'string' ? name : String(paths[0]), paths: paths as string[] }
}

interface RuleBlocks {
  rules: Rule[]
  broken: BrokenRule[]
}

/** The fenced `rule` (or `rules`) blocks of a Markdown text, in order. A second rule by one name is broken: results name rules. */
export function readRules(text: string): RuleBlocks {
  const found: RuleBlocks = { rules: [], broken: [] }
  if (!/^[ \t>*+\d.)-]*(?:`{3}|~{3})/m.test(text) || !text.includes('rule')) return found
  for (const token of blockTokens(text, 'markdown').tokens) {
    if (token.type !== 'fence' || !/^rules?(?:\s|$)/i.test(token.info.trim())) continue
    const rule = readRule(token.content, (token.map?.[0] ?? 0) + 1)
    if (isBroken(rule)) found.broken.push(rule)
    else if (found.rules.some(({ id }) => id === rule.id))
      found.broken.push({ id: rule.id, line: rule.line, reason: `Two rules here have the id "${rule.id}".` })
    else found.rules.push(rule)
  }
  return found
}

// Regular expressions as documents write them.

/**
 * Compiles with the `u` flag, so that a character is a code point. A pattern that `u` refuses (`\-`) is compiled without it,
 * unless its meaning would change. Throws for an invalid regular expression.
 */
export function expression(written: string, flags: string): RegExp {
  const isWhole = needsWhole(written)
  if (!isWhole && namesHalves.test(written)) return new RegExp(written, flags)
  try {
    return new RegExp(written, `${flags}u`)
  } catch (error) {
    if (isWhole) throw error
    return new RegExp(written, flags)
  }
}

/** Surrogate halves by number (`\ud83d[\udc00-\udfff]`): with `u`, such a range matches nothing. */
const namesHalves = /\\u[dD][89a-fA-F][\da-fA-F]{2}/

function needsWhole(written: string): boolean {
  return /\\[pPu]\{|[\u{10000}-\u{10FFFF}]/u.test(written.replaceAll('\\\\', ''))
}
