// A package's manifest: its name, and the files that belong to it.
import { posix } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { neverRead } from '../path-rules.js'

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
  /** The base url of paths that are not local files; null if there is none. */
  base: string | null
  glob?: { include: string[]; exclude: string[] }
  files?: ManifestFile[]
}

export interface ManifestFile {
  /** Relative to the manifest; null for a file that only has a url. */
  path: string | null
  /** Its url, if it has one. */
  url: string | null
  /** SHA-256 in hexadecimal. */
  hash: string | null
  /** Why it cannot be a file of this package. */
  refused?: string
}

/** Reads a manifest. `from` is its url if it came from the web. */
export function readManifest(text: string, where: string, from?: string): Manifest {
  const written = parseJson(text, where)
  const parsed = schema.safeParse(written)
  if (!parsed.success) throw bad(where, wrongShape(parsed.error))
  // One of them would be passed over without a word.
  if (['glob', 'files'].every((key) => Object.hasOwn((written as typeof parsed.data).sources, key)))
    throw bad(where, 'Its "sources" have both "glob" and "files".')
  const { name, version, description, metadata, sources, baseUrl } = parsed.data
  const base = baseUrl === undefined ? (from ?? null) : readBase(baseUrl, from, where)
  const about = { name, version, description, metadata, base }
  if ('files' in sources) return { ...about, files: sources.files.map((file) => readFile(file, base)) }
  if (from !== undefined)
    throw bad(where, 'It lies on the web, where files are listed and not matched by globs.')
  return { ...about, glob: readGlobs(sources.glob, where) }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw bad(where, `It is not JSON: ${(error as Error).message}.`)
  }
}

function bad(where: string, reason: string): Problem {
  const hint = 'A manifest has "name", "version" and "sources" with either "glob" or "files".'
  return new Problem('bad_manifest', `The manifest ${where} cannot be used. ${reason}`, hint)
}

function readBase(written: string, from: string | undefined, where: string): string {
  const url = webUrl(written, from ?? null)
  if (url === null) throw bad(where, `Its baseUrl "${written.slice(0, 200)}" is not an address on the web.`)
  // A folder, whether its slash was written or not.
  return url.endsWith('/') ? url : `${url}/`
}

/** An http address in its one form, without a fragment. */
function webUrl(written: string, base: string | null): string | null {
  if (!URL.canParse(written, base ?? undefined)) return null
  const url = new URL(written, base ?? undefined)
  url.hash = ''
  return /^https?:$/.test(url.protocol) ? url.href : null
}

function readGlobs(globs: readonly string[], where: string) {
  const include = globs.filter((glob) => !glob.startsWith('!'))
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  if (include.length === 0) throw bad(where, 'Its globs only exclude.')
  for (const glob of [...include, ...exclude])
    if (glob.split(/[\\/]/).includes('..')) throw bad(where, `The glob "${glob}" leaves the package.`)
  // Anchored: `*.md` means the files next to the manifest, `**/*.md` means all.
  const anchored = (glob: string) => `/${glob.replace(/^(\.?\/)+/, '')}`
  return { include: include.map(anchored), exclude: exclude.map(anchored) }
}

function readFile(entry: z.infer<typeof file>, base: string | null): ManifestFile {
  const given = typeof entry === 'string' ? addressOf(entry) : entry
  const path = given.path === undefined ? null : insidePath(given.path)
  const named = given.url === undefined ? null : webUrl(given.url, base)
  const url = named ?? (path !== null && base !== null ? webUrl(encoded(path), base) : null)
  const hash =
    given.hash === undefined ? null : (/^sha256:([0-9a-f]{64})$/i.exec(given.hash)?.[1]?.toLowerCase() ?? '')
  const refused =
    given.path !== undefined && path === null
      ? 'Its path leaves the package.'
      : path !== null && neverRead(path) !== null
        ? `Nothing that is called "${neverRead(path)}" is read.`
        : hash === ''
          ? 'Its hash is not "sha256:" and 64 hexadecimal digits.'
          : given.url !== undefined && named === null
            ? 'Its url is not an address on the web.'
            : given.path === undefined && given.url === undefined
              ? 'It has neither a path nor a url.'
              : undefined
  return {
    path: path ?? given.path ?? null,
    url: url ?? given.url ?? null,
    hash: hash || null,
    ...(refused ? { refused } : {}),
  }
}

function encoded(path: string): string {
  // The dot keeps a first segment such as "a:b" from being read as a scheme.
  return `./${path.split('/').map(encodeURIComponent).join('/')}`
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

/** The first few errors in a hand-written file, as sentences. */
export function wrongShape({ issues }: z.ZodError): string {
  return issues.slice(0, 3).map(sentence).join(' ')
}

function sentence({ path, message }: z.core.$ZodIssue): string {
  const what = message.replace(/^Invalid input(?:: |$)/, '').replace('received undefined', 'got nothing')
  const name = path.length > 0 ? `"${path.join('.')}"` : 'It'
  return `${name} is wrong${what && `: ${what}`}.`
}
