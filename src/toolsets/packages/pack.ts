// A folder with a manifest made into one file that others can add: every file listed with its hash.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Problem } from '../../model/problem.js'
import { readLocation } from '../../sources/package/location.js'
import { openPackage } from '../../sources/package/open-package.js'
import { archiveLimits, packTar } from '../../sources/package/tar.js'
import { writeNamedFile } from '../../sources/whole-file.js'

export interface Packed {
  file: string
  name: string
  version: string
  files: number
  bytes: number
}

/** The same content gives the same bytes. A file that cannot be packed is a Problem: a bundle must be complete. */
export async function pack(
  url: string,
  { cwd, output, signal }: { cwd: string; output?: string | undefined; signal?: AbortSignal },
): Promise<Packed> {
  const location = readLocation(url, cwd)
  if (location.kind !== 'folder' && location.kind !== 'manifest')
    throw new Problem(
      'usage',
      `${url} is no folder with a manifest.json.`,
      'carrel pack FOLDER makes a bundle of one.',
    )
  const folder = mkdtempSync(join(tmpdir(), 'carrel-pack-'))
  try {
    const opened = await openPackage(location, { folder, web: null, ...(signal ? { signal } : {}) })
    const { name, version, description, listing, hashes, root } = opened
    if (version === null)
      throw new Problem(
        'no_manifest',
        existsSync(join(location.path, 'manifest.json'))
          ? `The manifest.json in ${location.path} has no "sources".`
          : `There is no manifest.json in ${location.path}.`,
        'A bundle needs one such as {"name": "our-docs", "version": "1.0.0", "sources": {"glob": ["**/*.md"]}}.',
      )
    const [broken] = listing.unreadable
    if (broken) throw new Problem('bad_manifest', `${broken.path} cannot be packed. ${broken.reason}`)
    const total = listing.items.reduce((sum, { stamp }) => sum + stamp.size, 0)
    if (total > archiveLimits.totalBytes)
      throw new Problem(
        'too_large',
        `The package has ${total} bytes, and a bundle holds ${archiveLimits.totalBytes}.`,
      )
    const paths = listing.items.map(({ path }) => path).filter((path) => path !== 'manifest.json')
    const manifest = {
      name,
      version,
      ...(description === null ? {} : { description }),
      sources: { files: paths.map((path) => ({ path, hash: `sha256:${hashes.get(path)}` })) },
    }
    const bytes = packTar([
      { path: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
      ...paths.map((path) => ({ path, bytes: readFileSync(join(root, path)) })),
    ])
    const file = resolve(
      cwd,
      output ?? `${name.replace(/[^\w.-]+/g, '-')}-${version.replace(/[^\w.-]+/g, '-')}.tar.gz`,
    )
    writeNamedFile(file, bytes)
    return { file, name, version, files: paths.length, bytes: bytes.length }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
