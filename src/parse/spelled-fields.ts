// Reads frontmatter for comparison: every value as spelled, so that `1.0` stays `1.0`.
import { isMap, isNode, isScalar } from 'yaml'
import { readFrontmatter, yamlDocument } from './frontmatter.js'
import { tomlStatements } from './toml.js'

export interface SpelledFields {
  /** Whether all of it was readable. If not, the unreadable parts are texts. */
  whole: boolean
  /** In order, with duplicates. */
  fields: [key: string, value: unknown][]
}

/** Null without frontmatter. `inParts`: each field by itself, as is done when the whole is broken. */
export function spelledFields(text: string, inParts = false): SpelledFields | null {
  const front = readFrontmatter(text)
  if (!front) return null
  const raw = text.slice(front.inner.start, front.inner.end)
  if (text.startsWith('+')) return tomlFields(raw)
  const whole = inParts || front.notes.length > 0 ? null : yamlEntries(raw)
  if (whole) return { whole: true, fields: whole }
  return {
    whole: false,
    fields: partsOf(raw).flatMap((part) => yamlEntries(part) ?? [[keyOf(part), part.trim()]]),
  }
}

function tomlFields(raw: string): SpelledFields {
  const statements = tomlStatements(raw)
  return {
    whole: statements.every(({ sound }) => sound),
    fields: statements.map(({ table, key, value }) => [`${table}${key ?? ''}`, value]),
  }
}

function yamlEntries(raw: string): [string, unknown][] | null {
  try {
    const { document } = yamlDocument(raw, 'failsafe')
    if (!isMap(document.contents)) return []
    return document.contents.items.map(({ key, value }) => [
      isScalar(key) ? String(key.value) : '',
      isNode(value) ? value.toJS(document, { maxAliasCount: 50 }) : null,
    ])
  } catch {
    return null
  }
}

function keyOf(part: string): string {
  return /^(["']?)([^"'\s:]+)\1[ \t]*:/.exec(part)?.[2] ?? ''
}

/** A line that is neither indented nor an item nor a comment begins a part. */
function partsOf(raw: string): string[] {
  return raw.split(/^(?=[^\s#\]}-]|-\S)/m)
}
