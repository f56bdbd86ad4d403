// Manifests in XML: Maven's and those of .NET.
import { lineAt, lineStarts } from '../text/lines.js'
import type { Dependency } from './dependencies.js'

/** `group:artifact` of all but the project itself and what is kept out. */
export function maven(text: string): Dependency[] {
  const found: Dependency[] = []
  const open: { name: string; group?: string; artifact?: string; line: number }[] = []
  const close = () => {
    const { name, group, artifact, line } = open.pop()!
    if (artifact && name !== 'project' && name !== 'exclusion')
      found.push({ name: group ? `${group}:${artifact}` : artifact, line })
  }
  for (const { name, attributes, isEnd, line, said } of tagsIn(text)) {
    if (isEnd) {
      if (open.at(-1)?.name === name) close()
    } else {
      const parent = open.at(-1)
      if (parent && name === 'groupId') parent.group = said()
      if (parent && name === 'artifactId') Object.assign(parent, { artifact: said(), line })
      if (!attributes.endsWith('/')) open.push({ name, line })
    }
  }
  while (open.length > 0) close()
  return found
}

/** Packages, assemblies, and other projects by the names of their files. */
export function dotnet(text: string): Dependency[] {
  return [...tagsIn(text)].flatMap(({ name, attributes, line }) => {
    const value = named.get(name)?.exec(attributes)?.[1]?.trim()
    if (!value) return []
    const names =
      name === 'ProjectReference' ? [stem(value)] : value.split(';').map((one) => one.split(',')[0]!)
    return names.map((one) => ({ name: one.trim(), line })).filter((one) => one.name !== '')
  })
}

const include = /(?:^|\s)Include\s*=\s*["']([^"']*)/
const named = new Map([
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
  said(): string
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
      said: () =>
        /^[^<]*/.exec(text.slice(match.index + all.length, match.index + all.length + 500))![0].trim(),
    }
  }
}
