// What a package says about itself: its name, and which files belong to it.
import { posix } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'

const file = z.union([
  z.string(),
  z.object({ path: z.string().optional(), url: z.string().optional(), hash: z.string().optional() }),
])

const schema = z.object({
  name: z.string().min(1).max(200),
  version: z.string().min(1).max(100),
  description: z.string().max(2_000).optional(),
  baseUrl: z.string().optional(),
  sources: z.union([
    z.object({ glob: z.array(z.string().min(1)).min(1).max(1_000) }),
    z.object({ files: z.array(file).max(100_000) }),
  ]),
  metadata: z.record(z.string(), z.unknown()).optional(),
})

export interface Manifest {
  name: string
  version: string
  description?: string | undefined
  metadata?: Record<string, unknown> | undefined
  glob?: { include: string[]; exclude: string[] }
  files?: ManifestFile[]
}

export interface ManifestFile {
  /** Relative to the manifest; null for one that lies on the web. */
  path: string | null
  url: string | null
  /** SHA-256 in hexadecimal. */
  hash: string | null
  /** Why it cannot be a file of this package. */
  refused?: string
}

export function readManifest(text: string, where: string): Manifest {
  const parsed = schema.safeParse(parseJson(text, where))
  if (!parsed.success) throw bad(where, z.prettifyError(parsed.error).split('\n').slice(0, 4).join(' '))
  const { name, version, description, metadata, sources } = parsed.data
  const about = { name, version, description, metadata }
  return 'glob' in sources
    ? { ...about, glob: readGlobs(sources.glob, where) }
    : { ...about, files: sources.files.map(readFile) }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw bad(where, `It is not JSON: ${(error as Error).message}`)
  }
}

function bad(where: string, reason: string): Problem {
  const hint = 'A manifest has "name", "version" and "sources" with either "glob" or "files".'
  return new Problem('bad_manifest', `The manifest ${where} cannot be used. ${reason}`, hint)
}

function readGlobs(globs: readonly string[], where: string) {
  const include = globs.filter((glob) => !glob.startsWith('!'))
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  if (include.length === 0) throw bad(where, 'Its globs only exclude.')
  for (const glob of [...include, ...exclude])
    if (glob.split(/[\\/]/).includes('..')) throw bad(where, `The glob "${glob}" leaves the package.`)
  // Anchored: `*.md` means those beside the manifest, `**/*.md` all of them.
  const anchored = (glob: string) => `/${glob.replace(/^(\.?\/)+/, '')}`
  return { include: include.map(anchored), exclude: exclude.map(anchored) }
}

function readFile(entry: z.infer<typeof file>): ManifestFile {
  const given = typeof entry === 'string' ? addressOf(entry) : entry
  const path = given.path === undefined ? null : insidePath(given.path)
  const hash =
    given.hash === undefined ? null : (/^sha256:([0-9a-f]{64})$/i.exec(given.hash)?.[1]?.toLowerCase() ?? '')
  const refused =
    given.path !== undefined && path === null
      ? 'Its path leaves the package.'
      : hash === ''
        ? 'Its hash is not "sha256:" and 64 hexadecimal digits.'
        : given.path === undefined
          ? 'It lies on the web, and packages are not fetched over http yet.'
          : undefined
  return {
    path: path ?? given.path ?? null,
    url: given.url ?? null,
    hash: hash || null,
    ...(refused ? { refused } : {}),
  }
}

function addressOf(entry: string): { path?: string; url?: string; hash?: string } {
  return /^https?:/i.test(entry) ? { url: entry } : { path: entry }
}

/** The path made plain, or null when it would leave the package. */
export function insidePath(path: string): string | null {
  const plain = posix.normalize(path.replaceAll('\\', '/'))
  if (plain === '.' || plain === '..' || plain.startsWith('../') || plain.startsWith('/')) return null
  return /^[a-z]:/i.test(plain) || plain.includes('\0') || plain.endsWith('/') ? null : plain
}
