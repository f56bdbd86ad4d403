// Checks the fields that users give with sources and documents. An invalid one is a Problem.
import { Problem } from '../model/problem.js'
import { longestUrl } from '../sources/web/urls.js'
import { thousands } from '../text/counted.js'
import { oneLine } from '../text/one-line.js'

/** On one line, with whole characters that show. */
export function checkedTitle(written: string, most: number): string {
  const title = oneLine(written, Math.max(written.length, 1))
  if (title === '')
    throw new Problem(
      'no_title',
      'The title is empty.',
      "Provide a name that people know it by, such as title='Research papers'.",
    )
  if (title.length > most)
    throw new Problem(
      'long_title',
      `The title has ${title.length} characters, and ${most} fit.`,
      `Shorten the title to ${most} characters.`,
    )
  return title
}

/** A web address: http or https, without a name and password. */
export function checkedUrl(written: string): string {
  const long = longUrl(written)
  if (long) throw long
  const url = URL.parse(written.trim())
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Problem(
      'bad_url',
      'Invalid URL: must start with http:// or https://',
      "Provide a fully qualified URL, such as url='https://docs.example.com/guide', or leave url out.",
    )
  if (url.username || url.password)
    throw new Problem(
      'bad_url',
      'The URL carries a name or a password.',
      `Leave them out: url='${url.protocol}//${url.host}${url.pathname}'.`,
    )
  return url.href
}

/** The Problem for a web address that is too long. */
export function longUrl(written: string): Problem | null {
  const { length } = URL.parse(written)?.href ?? written
  return length <= longestUrl
    ? null
    : new Problem(
        'bad_url',
        `The URL has ${thousands(length)} characters, and ${thousands(longestUrl)} fit.`,
        'Leave out parameters that the page does not need.',
      )
}

const mostMetadata = 16_000
const deepestMetadata = 100

export function checkedMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  // Before anything is made of it: neither SQLite nor every client reads JSON of any depth.
  if (isDeeper(metadata, deepestMetadata))
    throw new Problem(
      'deep_metadata',
      `The metadata is nested more than ${deepestMetadata} levels deep.`,
      'Keep short facts in metadata, one beside the other: { "author": "…", "tags": ["…"] }.',
    )
  const size = JSON.stringify(metadata).length
  if (size <= mostMetadata) return metadata
  throw new Problem(
    'large_metadata',
    `The metadata has ${size} characters as JSON, and ${mostMetadata} fit.`,
    'Keep short facts in metadata (tags, author, date) and put text into the document.',
  )
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
