// Reads a project's dependencies from a manifest, with lines. By patterns and not by grammar, so that a half-written or
// generated file is read too.

import { lineAt, lineStarts, linesOf } from '../text/lines.js'

function gradle(text: string): Dependency[] {
  const code = text.replace(stringOrComment, (all, string) => (string ? all : all.replace(/[^\n]/g, ' ')))
  const starts = lineStarts(code)
  const found = [...code.matchAll(coordinates), ...code.matchAll(named)]
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ 1: name, 2: rest, index }) => ({
      name: rest === undefined ? name! : `${name}:${rest}`,
      line: lineAt(starts, index),
    }))
}

const stringOrComment =
  /("(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const coordinates = /["']([\w.-]+:[\w.-]+)(?::[^"'\n]*)?["']/g
const named = /\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']/g

/** `libs.versions.toml`: the modules of its library aliases. */
function gradleCatalogue(text: string): Dependency[] {
  let section = ''
  return linesOf(text).flatMap((written, i) => {
    const line = written.replace(/("[^"]*"|'[^']*')|#.*$/g, '$1')
    section = /^\s*\[([\w.-]+)\]/.exec(line)?.[1] ?? section
    const name = section === 'libraries' ? (module(line) ?? groupAndName(line)) : null
    return name ? [{ name, line: i + 1 }] : []
  })
}

function module(line: string): string | null {
  return /=\s*["']([\w.-]+:[\w.-]+)/.exec(line)?.[1] ?? null
}

function groupAndName(line: string): string | null {
  const [, group] = /\bgroup\s*=\s*["']([\w.-]+)["']/.exec(line) ?? []
  const [, name] = /\bname\s*=\s*["']([\w.-]+)["']/.exec(line) ?? []
  return group && name ? `${group}:${name}` : null
}

export interface Dependency {
  name: string
  line: number
}

/** The names of manifests that are read. */
export function isManifest(path: string): boolean {
  return readerFor(path) !== null
}

export function dependenciesIn(path: string, text: string): Dependency[] {
  return readerFor(path)?.(text) ?? []
}

type Reader = (text: string) => Dependency[]

/** The keys of top-level objects with these names, and the packages that they alias, in any layout. */
function json(text: string): Dependency[] {
  const starts = lineStarts(text)
  const found: Dependency[] = []
  const within: { name: string; opened: string }[] = []
  let last: RegExpExecArray | null = null
  let isValue = false
  // A string that is not closed goes to the end, and is not looked into again at every quotation mark in it.
  for (const token of text.matchAll(/"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|[{}[\]:,]/g)) {
    const [sign, quoted] = token
    const add = (name: string | undefined, at: number) => {
      if (name !== undefined && within.length === 2 && dependencyField.test(within[1]!.name))
        found.push({ name, line: lineAt(starts, at) })
    }
    if (quoted !== undefined) {
      if (isValue) add(otherName.exec(quoted)?.[1], token.index)
      else if (within.at(-1)?.opened === '[') add(quoted, token.index)
      last = token
    } else if (sign === ':' && last) add(last[1]!, last.index)
    else if (sign === '{' || sign === '[') within.push({ name: last?.[1] ?? '', opened: sign })
    else if (sign === '}' || sign === ']') within.pop()
    isValue = sign === ':'
  }
  return found
}

const dependencyField = /^(?:dev|peer|optional|bundled?)?dependencies$|^require(?:-dev)?$/i

/** `"x": "npm:lodash@4"` is lodash; `"x": "npm:^4"` is x. */
const otherName = /^npm:((?:@[^/@]+\/)?[a-z][^@]*)/i

/**
 * Tables whose keys are dependencies (`[target.….dev-dependencies]`, `[tool.poetry.dependencies]`, `[dependencies.rand]`),
 * and lists of them, be they one of `[project]` or several under the names of groups.
 */
function toml(text: string): Dependency[] {
  let section = ''
  let isListed = false
  return linesOf(text).flatMap((written, i) => {
    const line = written.replace(/("[^"]*"|'[^']*')|#.*$/g, '$1')
    const header = /^\s*\[\[?\s*([^\]\s"',][^\]]*)\]/.exec(line)?.[1]?.trim()
    let names: string[] = []
    if (header !== undefined) {
      section = header
      isListed = false
      names = [/dependencies\.["']?([\w.-]+)["']?$/.exec(header)?.[1]].filter((name) => name !== undefined)
    } else {
      const [, quoted, bare, rest, value] = keyForm.exec(line) ?? []
      if (value !== undefined) {
        const key = quoted ?? bare!
        isListed = /^[[{]/.test(value) && listForm.test(`${section}.${key}${rest}`)
        if (!isListed) names = keyed(section, key, value)
      }
      if (isListed) names = quotedNames(value ?? line)
      if (/[\]}]\s*$/.test(withoutStrings(line))) isListed = false
    }
    return names.map((name) => ({ name, line: i + 1 }))
  })
}

const keyForm = /^\s*(?:["']([^"']+)["']|([\w-]+))((?:\s*\.\s*["']?[\w-]+["']?)*)\s*=\s*(.*)$/
const listForm =
  /(?:^|[.-])(?:dependencies|requires)$|(?:^|\.)(?:optional-dependencies|dependency-groups|pdm\.dev-dependencies)\.["']?[\w.-]+["']?$/

/** The dependency that a line in a table of them is about, by the name it has here and by its own. */
function keyed(section: string, key: string, value: string): string[] {
  const other = /\bpackage\s*=\s*["']([^"']+)["']/
  if (/(?:^|[.-])dependencies$|^(?:dev-)?packages$/.test(section))
    return [key === 'python' ? undefined : key, other.exec(value)?.[1]].filter((name) => name !== undefined)
  const isOther = key === 'package' && /(?:^|[.-])dependencies\.[^.]+$/.test(section)
  return isOther ? [other.exec(`package = ${value}`)?.[1]].filter((name) => name !== undefined) : []
}

/** The requirements in a list of strings. An included group (in braces) is none. */
function quotedNames(line: string): string[] {
  return [...line.replace(/\{\s*include-group\b[^}]*\}/g, '').matchAll(/"([^"]*)"|'([^']*)'/g)].flatMap(
    ([, double, single]) =>
      /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?(?:$|[<>=!~;@( ])/.exec(double ?? single!)?.[1] ?? [],
  )
}

function withoutStrings(line: string): string {
  return line.replace(/"[^"]*"|'[^']*'/g, '')
}

/** Direct requirements only: indirect ones are listed for the tool. */
function goModule(text: string): Dependency[] {
  let block = ''
  return linesOf(text).flatMap((written, i) => {
    const [line, remark] = written.split('//', 2)
    const opened = /^\s*(\w+)\s*\(/.exec(line!)?.[1]
    if (opened || /^\s*\)/.test(line!)) block = opened ?? ''
    const [, directive = block, name] = /^\s*(?:(require)\s+)?([\w.~/-]+)\s+v\d/.exec(line!) ?? []
    const isDirect = directive === 'require' && !/^\s*indirect\b/.test(remark ?? '')
    return name && isDirect ? [{ name, line: i + 1 }] : []
  })
}

function lineOf(form: RegExp): Reader {
  return (text) =>
    linesOf(text).flatMap((line, i) => {
      const [, name, other] = form.exec(line) ?? []
      return (name ?? other) ? [{ name: (name ?? other)!, line: i + 1 }] : []
    })
}

const readers: [RegExp, Reader][] = [
  [/(?:^|\/)(?:package|composer)\.json$/, json],
  [/(?:^|\/)(?:Cargo|pyproject)\.toml$/, toml],
  [/(?:^|\/)Pipfile$/, toml],
  [/(?:^|\/)go\.mod$/, goModule],
  [
    /(?:^|\/)(?:[\w.-]*requirements[\w.-]*|requirements\/[\w.-]+)\.(?:txt|in)$/,
    lineOf(/^\s*([A-Za-z0-9][\w.-]*)(?![\w.+:/-])|[#&]egg=([\w.-]+)/),
  ],
  [/(?:^|\/)Gemfile$/, lineOf(/^\s*gem\s+["']([\w-]+)["']/)],
  [/(?:^|\/)pom\.xml$/, maven],
  [/(?:^|\/)build\.gradle(?:\.kts)?$/, gradle],
  [/\.versions\.toml$/, gradleCatalogue],
  [/\.(?:cs|fs|vb)proj$|(?:^|\/)(?:Directory\.(?:Packages|Build)\.props|packages\.config)$/, dotnet],
]

function readerFor(path: string): Reader | null {
  return readers.find(([name]) => name.test(path))?.[1] ?? null
}

// Manifests in XML: Maven's and those of .NET.

/** `group:artifact` of every dependency except the project itself and exclusions. */
function maven(text: string): Dependency[] {
  const found: Dependency[] = []
  const open: { name: string; group?: string; artifact?: string; line: number }[] = []
  const close = () => {
    const { name, group, artifact, line } = open.pop()!
    if (artifact && name !== 'project' && name !== 'exclusion')
      found.push({ name: group ? `${group}:${artifact}` : artifact, line })
  }
  for (const { name, attributes, isEnd, line, text: textAfter } of tagsIn(text)) {
    if (isEnd) {
      if (open.at(-1)?.name === name) close()
    } else {
      const parent = open.at(-1)
      if (parent && name === 'groupId') parent.group = textAfter()
      if (parent && name === 'artifactId') Object.assign(parent, { artifact: textAfter(), line })
      if (!attributes.endsWith('/')) open.push({ name, line })
    }
  }
  while (open.length > 0) close()
  return found
}

/** Packages, assemblies, and other projects by the names of their files. */
function dotnet(text: string): Dependency[] {
  return [...tagsIn(text)].flatMap(({ name, attributes, line }) => {
    const value = attributePatterns.get(name)?.exec(attributes)?.[1]?.trim()
    if (!value) return []
    const names =
      name === 'ProjectReference' ? [stem(value)] : value.split(';').map((one) => one.split(',')[0]!)
    return names.map((one) => ({ name: one.trim(), line })).filter((one) => one.name !== '')
  })
}

const include = /(?:^|\s)Include\s*=\s*["']([^"']*)/
const attributePatterns = new Map([
  ...['PackageReference', 'GlobalPackageReference', 'PackageVersion', 'ProjectReference', 'Reference'].map(
    (name) => [name, include] as const,
  ),
  ['package', /(?:^|\s)id\s*=\s*["']([^"']*)/] as const,
])

function stem(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
}

interface Tag {
  name: string
  attributes: string
  isEnd: boolean
  line: number
  /** The text behind it. */
  text(): string
}

// No attribute has a `<` in it, so that a tag which is not closed ends with the next.
const tag = /<!--[\s\S]*?(?:-->|$)|<(\/?)([A-Za-z][\w.-]*)(?![\w.-])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>/g

function* tagsIn(text: string): Generator<Tag> {
  const starts = lineStarts(text)
  for (const match of text.matchAll(tag)) {
    const [all, slash, name, attributes] = match
    if (name === undefined) continue
    yield {
      name,
      attributes: attributes!.trim(),
      isEnd: slash === '/',
      line: lineAt(starts, match.index),
      text: () =>
        /^[^<]*/.exec(text.slice(match.index + all.length, match.index + all.length + 500))![0].trim(),
    }
  }
}
