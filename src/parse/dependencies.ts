// What a manifest says a project depends on, with lines. By its look and not by its grammar: one that is half written or
// generated is read as well.
import { lineAt, lineStarts } from '../text/lines.js'

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

/** The keys of the objects that stand under such a name at the top, however the text is broken into lines. */
function json(text: string): Dependency[] {
  const starts = lineStarts(text)
  const found: Dependency[] = []
  const within: string[] = []
  let last: RegExpExecArray | null = null
  for (const token of text.matchAll(/"((?:[^"\\]|\\[\s\S])*)"|[{}[\]:]/g)) {
    if (token[1] !== undefined) last = token
    else if (token[0] === ':' && last && within.length === 2 && dependencyField.test(within[1]!))
      found.push({ name: last[1]!, line: lineAt(starts, last.index) })
    else if (token[0] === '{' || token[0] === '[') within.push(last?.[1] ?? '')
    else if (token[0] !== ':') within.pop()
  }
  return found
}

const dependencyField = /^(?:dev|peer|optional|bundled)?dependencies$|^require(?:-dev)?$/i

interface LineReader {
  /** The section that a line opens. */
  section?(line: string, before: string): string
  names(line: string, section: string): string[]
}

function byLine({ section: opened, names }: LineReader): Reader {
  return (text) => {
    let section = ''
    return text.split(/\r\n?|\n/).flatMap((line, i) => {
      section = opened?.(line, section) ?? section
      return names(line, section).map((name) => ({ name, line: i + 1 }))
    })
  }
}

// [dependencies], [target.….dev-dependencies], [tool.poetry.dependencies], [project] with its list.
const toml = byLine({
  section: (line, before) => /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1] ?? before,
  names: (line, section) => {
    const table = /dependencies\.([\w-]+)$/.exec(section)?.[1]
    if (table && /^\s*\[/.test(line)) return [table]
    if (
      /(?:^|[.-])(?:dependencies|requires)$|dependency-groups|optional-dependencies/.test(section) &&
      !/^\s*\[/.test(line)
    ) {
      const key = /^\s*"?([\w.@/-]+)"?\s*=/.exec(line)?.[1]
      return key && key !== 'python' ? [key] : quotedNames(line)
    }
    const listed = /^\s*(?:["']|(?:dependencies|requires)\s*=)/.test(line)
    return listed && (section === 'project' || section === 'build-system') ? quotedNames(line) : []
  },
})

function quotedNames(line: string): string[] {
  return [...line.matchAll(/["']([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~;@ ][^"']*)?["']/g)].map(
    (match) => match[1]!,
  )
}

function lineOf(form: RegExp): Reader {
  return byLine({ names: (line) => [form.exec(line)?.[1]].filter((name) => name !== undefined) })
}

const readers: [RegExp, Reader][] = [
  [/(?:^|\/)(?:package|composer)\.json$/, json],
  [/(?:^|\/)(?:Cargo|pyproject)\.toml$/, toml],
  [/(?:^|\/)go\.mod$/, lineOf(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./~-]+)\s+v\d/)],
  [/(?:^|\/)requirements[\w.-]*\.txt$/, lineOf(/^\s*([A-Za-z0-9][\w.-]*)/)],
  [/(?:^|\/)Gemfile$/, lineOf(/^\s*gem\s+["']([\w-]+)["']/)],
  [/(?:^|\/)pom\.xml$/, lineOf(/<artifactId>\s*([\w.-]+)\s*<\/artifactId>/)],
  [/(?:^|\/)build\.gradle(?:\.kts)?$/, lineOf(/["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/)],
]

function readerFor(path: string): Reader | null {
  return readers.find(([name]) => name.test(path))?.[1] ?? null
}
