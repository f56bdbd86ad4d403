// The filters of every search: `path`, `language`, `kind` and `since`, as tools, command line and library take them. They
// narrow the scope, so they apply before ranking.
import { Problem } from '../model/problem.js'
import type { DocumentKind, DocumentScope, Scope } from '../model/scope.js'
import type { Format } from '../model/source.js'
import { formatNames } from '../parse/formats.js'
import { cleanPath } from '../text/glob.js'
import { architectureDocuments } from './architecture/documents.js'
import type { Library } from './library.js'
import { discoveriesSource, now, sessionsSource } from './memory/records.js'
import { filtersOf } from './notes/empty-scope.js'
import { knownSources } from './notes/index-state.js'

export interface Narrowing {
  /** Folders or files inside a collection. */
  path?: readonly string[] | undefined
  language?: readonly string[] | undefined
  kind?: readonly DocumentKind[] | undefined
  /** A date, or an age such as `7d`. */
  since?: string | undefined
}

/**
 * Whether hits are shown even if none is relevant: where somebody asks for that, or narrows the search. A filtered search
 * returns what there is, up to its limit.
 */
export function showsWeak(weak: boolean | undefined, ...filters: unknown[]): boolean | undefined {
  const isNarrowed = filters.some((given) =>
    given !== null && typeof given === 'object'
      ? Object.values(given).some((value) => value !== undefined)
      : given !== undefined && given !== false,
  )
  return weak ?? (isNarrowed || undefined)
}

/** The part of a scope that filters ask for. */
export async function narrowedTo(library: Library, given: Narrowing): Promise<Scope> {
  const { path, language, kind, since } = given
  return {
    ...filtersOf({
      ...(path ? { under: path.map(cleanPath) } : {}),
      ...(language ? { languages: language } : {}),
      ...(since === undefined ? {} : { since: timeOf(since, now(library)) }),
    }),
    ...(kind ? { asked: await ofKinds(library, kind) } : {}),
  }
}

const codeFormats: readonly Format[] = ['code', 'notebook']
const textFormats = formatNames.filter((format) => !codeFormats.includes(format))
const memory = [discoveriesSource, sessionsSource]

/** Notes are what the graph toolset calls one, and what was recorded; documents are all other texts but decisions. */
async function ofKinds(library: Library, kinds: readonly DocumentKind[]): Promise<DocumentScope[]> {
  const [all, sources] = [await architectureDocuments(library), await knownSources(library)]
  const decisions = all.flatMap(({ kind, ref }) => (kind === 'adr' ? [ref] : []))
  const read = sources.map(({ id }) => id).filter((id) => !memory.includes(id))
  const scopes: Record<DocumentKind, DocumentScope[]> = {
    code: [{ formats: codeFormats }],
    docs: [{ sources: read, formats: textFormats, except: decisions }],
    notes: [{ sources: memory }, { formats: ['markdown'], except: decisions }],
    decisions: [{ documents: decisions }, { sources: [discoveriesSource], tags: ['discovery/decision'] }],
  }
  return kinds.flatMap((kind) => scopes[kind])
}

const unit = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function timeOf(since: string, present: number): number {
  const written = since.trim()
  const [, count, letter] = /^(\d{1,5})\s*([hdw])$/i.exec(written) ?? []
  if (count) return present - Number(count) * unit[letter!.toLowerCase() as keyof typeof unit]
  const time = /^\d{4}-\d{2}/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(time))
    throw new Problem(
      'invalid',
      `"${written.slice(0, 40)}" is no time.`,
      'Write since as a date (2026-11-01) or an age (12h, 7d, 2w).',
    )
  return time
}
