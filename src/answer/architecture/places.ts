// Which files are guidelines, patterns and decisions: by where they lie.
import type { ArchitectureSettings } from '../../model/settings.js'
import { fileStem, isNumbered, stemOf } from '../../parse/adr/file-names.js'
import { cleanPath, isGlob, mayLieBelow, pathMatcher, staticPart } from '../../text/glob.js'

export const kinds = ['guidelines', 'patterns', 'adr'] as const
export type Kind = (typeof kinds)[number]

/** What else a kind may be called. */
export const otherNames: Readonly<Record<Kind, readonly string[]>> = {
  guidelines: ['guideline'],
  patterns: ['pattern'],
  adr: ['adrs', 'decision', 'decisions'],
}

/** The kind by any of its names: `pattern` is `patterns`. */
export function kindNamed(name: string): Kind | null {
  const lower = name.toLowerCase()
  return kinds.find((kind) => kind === lower || otherNames[kind].includes(lower)) ?? null
}

const usual: ArchitectureSettings = {
  guidelines: ['mcp/resources/guidelines'],
  patterns: ['mcp/resources/patterns'],
  adr: [
    'mcp/resources/adr',
    'docs/adr',
    'docs/adrs',
    'doc/adr',
    'docs/decisions',
    'docs/architecture/decisions',
    'adr',
    'adrs',
    'doc/adrs',
    'doc/decisions',
    'doc/architecture/decisions',
    'docs/architecture/adr',
    'docs/architecture/adr-*.md',
    'architecture/decisions',
    'docs/architecture-decisions',
    'docs/architecture-decision-records',
    'docs/decision-records',
    'docs/developer/decision-records',
    'docs/developer/adr',
    'docs/dev/adr',
    'docs/design/adr',
    'src/adr',
    'architecture-decision-record',
    'architecture-decision-records',
  ],
}

export interface Place {
  kind: Kind
  /** Without wildcards. */
  folder: string
  /** What lies there, from the root. */
  pattern: string
}

export interface Places {
  listed: readonly Place[]
  /** What a path is, and its name there; null for what is no document of architecture. */
  of(path: string): { kind: Kind; name: string } | null
  /** Whether there may be some below a folder that nobody can look into. */
  mayLieBelow(folder: string): boolean
  /** The folders to look in, without wildcards. */
  folders: string[]
}

/** The folders everybody has, and those that the configuration adds. */
export function places(settings: ArchitectureSettings | undefined): Places {
  const listed = kinds.flatMap((kind) => {
    const own = [...usual[kind], ...(settings?.[kind] ?? [])].map(cleanPath)
    return own.map((one) => {
      const pattern = below(one)
      return { kind, folder: staticPart(one), pattern, is: pathMatcher([pattern]) }
    })
  })
  return {
    listed,
    mayLieBelow: (folder) =>
      mayLieBelow(
        folder,
        listed.map(({ pattern }) => pattern),
      ),
    folders: [...new Set(listed.map(({ folder }) => folder))],
    of(path) {
      if (!/\.(?:md|markdown)$/i.test(path) || isBeside(path)) return null
      const found = listed.find(({ is }) => is(path))
      return found ? { kind: found.kind, name: nameOf(path, found) } : null
    },
  }
}

function below(pattern: string): string {
  return isGlob(pattern) && /\.(?:md|markdown|\*)$/i.test(pattern) ? pattern : `${pattern}/**`
}

// Templates and tables of contents lie beside the documents and are none. Other templates of decisions: see kinds.ts.
function isBeside(path: string): boolean {
  return !isNumbered(stemOf(path)) && /^(?:readme|index|_?(?:[a-z-]*adr-?)?template)$/i.test(fileStem(path))
}

// A decision is called by its number, which is read from its text as well: see documents.ts.
function nameOf(path: string, { folder }: { folder: string }): string {
  return path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.(?:md|markdown)$/i, '')
}
