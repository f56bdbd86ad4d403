// Guidelines, patterns and decisions belong to a project wherever they lie in it. Where `sources` names other folders, those
// with such documents are sources as well, for these documents alone.
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kind, type Place, places } from '../../answer/architecture/places.js'
import type { ArchitectureSettings, FolderSettings } from '../../model/settings.js'
import { compileGlob, isGlob } from '../../text/glob.js'
import { globOf } from './data-folder.js'
import { isWithin } from './place.js'
import { freeName } from './sources.js'

/** The sources, and behind them the folders of architecture that none of them has. No source at all stays none. */
export async function withArchitecture(
  sources: readonly FolderSettings[],
  { root, architecture, exclude }: { root: string; architecture: ArchitectureSettings; exclude: string[] },
): Promise<FolderSettings[]> {
  const all = [...sources]
  if (sources.length === 0) return all
  for (const { folder, kinds, include } of inOrder(places(architecture).listed)) {
    const path = await realFolder(root, folder)
    if (path === null || isLeftOut(folder, exclude) || all.some((one) => isWithin(one.path, path))) continue
    const inside = all.filter((one) => isWithin(path, one.path)).map((one) => globOf(path, one.path))
    all.push({
      name: freeName(`architecture-${folder.replaceAll('/', '-')}`, all),
      path,
      description: `The project's ${kinds.map((kind) => called[kind]).join(' and ')} in ${folder}`,
      include,
      exclude: [...exclude, ...inside],
      implied: true,
    })
  }
  return all
}

const called: Record<Kind, string> = { guidelines: 'guidelines', patterns: 'patterns', adr: 'decisions' }

interface Wanted {
  folder: string
  kinds: Kind[]
  /** Globs relative to the folder, as ripgrep reads them. */
  include: string[]
}

// Whole folders first, those around others before those inside; of folders with wildcards below them the innermost first.
function inOrder(listed: readonly Place[]): Wanted[] {
  const sought = listed.filter(({ folder, pattern }) => folder !== '' && !/[[\]{}!\\]/.test(pattern))
  const depth = ({ folder }: Wanted) => folder.split('/').length
  const plain = gathered(sought.filter(({ folder, pattern }) => !isGlob(below(folder, pattern))))
  const wild = gathered(sought.filter(({ folder, pattern }) => isGlob(below(folder, pattern))))
  return [...plain.sort((a, b) => depth(a) - depth(b)), ...wild.sort((a, b) => depth(b) - depth(a))]
}

/** The part of a pattern below its folder; empty for the whole folder. */
function below(folder: string, pattern: string): string {
  return pattern.slice(folder.length).replace(/^\/\*\*$/, '')
}

function gathered(listed: readonly Place[]): Wanted[] {
  const byFolder = new Map<string, Wanted>()
  for (const { folder, kind, pattern } of listed) {
    const known = byFolder.get(folder) ?? { folder, kinds: [], include: [] }
    byFolder.set(folder, known)
    if (!known.kinds.includes(kind)) known.kinds.push(kind)
    known.include.push(pattern.slice(folder.length).replace(/\/\*\*$/, `/**/*.{md,markdown,MD}`))
  }
  return [...byFolder.values()].map((one) => ({ ...one, include: [...new Set(one.include)] }))
}

/** Null for a path that is no folder, and for a link that leads out of the project. */
async function realFolder(root: string, folder: string): Promise<string | null> {
  const found = await stat(join(root, folder)).catch(() => null)
  const path = found?.isDirectory() ? await realpath(join(root, folder)).catch(() => null) : null
  return path !== null && isWithin(root, path) ? path : null
}

/** Whether the configuration excludes a folder everywhere. Invalid patterns are reported where folders are listed. */
function isLeftOut(folder: string, exclude: readonly string[]): boolean {
  return exclude.some((glob) => {
    try {
      return !glob.startsWith('!') && compileGlob(glob).covers(`${folder}/any.md`)
    } catch {
      return false
    }
  })
}
