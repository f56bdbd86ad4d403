// What a manifest says a project depends on, with lines. By line and not by grammar: manifests are written by programs.

export interface Dependency {
  name: string
  line: number
}

/** The names of manifests that are read. */
export function isManifest(path: string): boolean {
  return readerFor(path) !== null
}

export function dependenciesIn(path: string, text: string): Dependency[] {
  const read = readerFor(path)
  if (!read) return []
  const lines = text.split(/\r\n?|\n/)
  let section = ''
  return lines.flatMap((line, i) => {
    section = read.section?.(line, section) ?? section
    return read.names(line, section).map((name) => ({ name, line: i + 1 }))
  })
}

interface Reader {
  /** The section that a line opens. */
  section?(line: string, before: string): string
  names(line: string, section: string): string[]
}

const json: Reader = {
  section(line, before) {
    const opened = /^\s*"([\w-]+)"\s*:\s*\{/.exec(line)?.[1]
    return opened ?? (/^\s*\}/.test(line) ? '' : before)
  },
  names: (line, section) =>
    /^(?:dev|peer|optional|require|bundled)?-?dependencies$|^require(?:-dev)?$/i.test(section)
      ? [...line.matchAll(/"([^"\s]+)"\s*:\s*"/g)].map((match) => match[1]!)
      : [],
}

// [dependencies], [target.….dev-dependencies], [tool.poetry.dependencies], [project] with its list.
const toml: Reader = {
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
}

function quotedNames(line: string): string[] {
  return [...line.matchAll(/["']([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~;@ ][^"']*)?["']/g)].map(
    (match) => match[1]!,
  )
}

function lineOf(form: RegExp): Reader {
  return { names: (line) => [form.exec(line)?.[1]].filter((name) => name !== undefined) }
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
