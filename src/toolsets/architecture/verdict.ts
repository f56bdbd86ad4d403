// One rule and one text: whether the rule applies, which question to ask, and the verdict from the answer.
import type { LocatedImport, Rule } from '../../model/rule.js'
import { cleanPath, mayLieBelow, pathMatcher } from '../../text/glob.js'
import { importMatcher, importUpwards, layerOf } from './imports.js'
import type { Answer, Ask } from './judge/ask.js'

export interface Verdict {
  status: 'passed' | 'violated' | 'not_checkable'
  /** Where it is violated; a thing that is missing has no line. */
  lines: number[]
  /** A message for each line, if the rule's own message does not say enough. */
  messages?: ReadonlyMap<number, string>
  /** Why it could not be checked, or why it passed. */
  reason?: string
  /** The rule itself is at fault. */
  broken?: boolean
  /** It is at fault for code of this language, and may be right for another. */
  foreign?: boolean
}

export function askOf({ check }: Rule): Ask | null {
  switch (check.kind) {
    case 'text': {
      const { pattern, ignoreCase, when, codeOnly } = check
      return { kind: 'text', pattern, ignoreCase, when, codeOnly }
    }
    case 'tree':
      return { kind: 'tree', tree: check.tree, when: check.when }
    case 'structure':
      return check
    case 'import':
    case 'layers':
      return { kind: 'imports' }
    default:
      return null
  }
}

export interface Aside {
  reason: string
  /** The missing fact about the text, without which it is unknown whether the rule applies. */
  missing?: 'language' | 'path'
}

/** Why a rule has nothing to say about a text on its own; null when it has. */
export function whyAside(rule: Rule, text: { language: string | null; path: string | null }): Aside | null {
  if (askOf(rule) === null) return { reason: 'It is about the whole project: "carrel check" runs it.' }
  return aboutLanguage(rule, text.language) ?? aboutPlace(rule, text.path)
}

function aboutLanguage({ languages }: Rule, language: string | null): Aside | null {
  if (languages.length === 0 || (language !== null && languages.includes(language))) return null
  const names = languages.join(', ')
  if (language !== null) return { reason: `It is for ${names}; this is ${language}.` }
  const reason = `It is for ${names}, and the language of the code is not known: say it.`
  return { reason, missing: 'language' }
}

/** Whether a rule may concern files below a folder that cannot be read. */
export function mayReachInto(folder: string, rule: Rule): boolean {
  const about = placesOf(rule)
  return (about.length === 0 || mayLieBelow(folder, about)) && !matcherOf(rule.except)(cleanPath(folder))
}

function placesOf({ paths, check }: Rule): readonly string[] {
  return paths.length === 0 && check.kind === 'layers' ? check.layers.flatMap(({ paths }) => paths) : paths
}

function aboutPlace(rule: Rule, path: string | null): Aside | null {
  const { paths, except, check } = rule
  const about = placesOf(rule)
  if (path === null && about.length === 0) return null
  if (path === null) {
    const reason = `It is about ${about.join(', ')}: say the path of the code to have it checked.`
    return { reason, missing: 'path' }
  }
  const inside =
    (paths.length === 0 || matcherOf(paths)(path)) &&
    (check.kind !== 'layers' || layerOf(check.layers, path) >= 0)
  if (!inside) return { reason: `It is about ${about.join(', ')} only.` }
  const isExcepted = except.length > 0 && matcherOf(except)(path)
  return isExcepted ? { reason: 'It makes an exception of this file.' } : null
}

/** Cached, since each rule is matched against up to a hundred thousand paths. */
function matcherOf(patterns: string[]): (path: string) => boolean {
  const known = matchers.get(patterns)
  if (known) return known
  const made = pathMatcher(patterns)
  matchers.set(patterns, made)
  return made
}

const matchers = new WeakMap<string[], (path: string) => boolean>()

/** The verdict for this one text. */
export function verdictOf(rule: Rule, answer: Answer, path: string | null): Verdict {
  if ('failed' in answer)
    return {
      status: 'not_checkable',
      lines: [],
      reason: answer.failed,
      ...(answer.broken ? { broken: true } : {}),
      ...(answer.foreign && rule.languages.length === 0 ? { foreign: true } : {}),
    }
  if ('aside' in answer) return { status: 'passed', lines: [], reason: 'Nothing here is what it is about.' }
  const lines = 'imports' in answer ? importLines(rule, answer.imports, path) : answer.lines
  if ('imports' in answer && answer.warning && lines.length === 0)
    return { status: 'not_checkable', lines: [], reason: answer.warning }
  const requires = 'require' in rule.check && rule.check.require
  if (requires) return lines.length > 0 ? passed : { status: 'violated', lines: [] }
  if ('missing' in answer) return { status: 'violated', lines: [] }
  if (lines.length === 0) return passed
  const messages = 'imports' in answer ? upwards(rule, answer.imports, path) : null
  return { status: 'violated', lines, ...(messages ? { messages } : {}) }
}

const passed: Verdict = { status: 'passed', lines: [] }

function importLines(rule: Rule, imports: readonly LocatedImport[], path: string | null): number[] {
  return [...new Set(imports.filter(concerns(rule, path)).map(({ line }) => line))]
}

/** Which layer imports which, by line. */
function upwards(
  { check }: Rule,
  imports: readonly LocatedImport[],
  path: string | null,
): ReadonlyMap<number, string> | null {
  if (check.kind !== 'layers' || path === null) return null
  const steps = imports.flatMap((one) => {
    const step = importUpwards(check.layers, path, one)
    return step
      ? [[one.line, `${step.own.name} imports ${step.upper.name}, which stands above it.`] as const]
      : []
  })
  return new Map(steps)
}

/** Tests whether the rule concerns an import: one that it forbids or requires, or one upwards through its layers. */
function concerns(rule: Rule, path: string | null): (one: LocatedImport) => boolean {
  const { check } = rule
  if (check.kind === 'layers')
    return (one) => path !== null && importUpwards(check.layers, path, one) !== null
  return check.kind === 'import' ? importMatcher(check.imports, rule, path) : () => false
}
