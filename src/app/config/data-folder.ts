// Checks a configured data folder: it must not hold the user's files, or Carrel's would be indexed with them.
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { Problem } from '../../model/problem.js'
import type { FolderSettings } from '../../model/settings.js'
import { isWithin } from './place.js'

/** The sources without the data folder, which is refused where it would get in their way. */
export async function besideData(
  sources: readonly FolderSettings[],
  { data, root }: { data: string; root: string },
): Promise<FolderSettings[]> {
  const real = await realPlace(data)
  if (real === root) throw refused(data, 'is the root itself')
  if (sources.some(({ path }) => path === real)) throw refused(data, 'is a source itself')
  // A folder named `.carrel` is never indexed, and holds no files of others.
  if (basename(real) === '.carrel') return [...sources]
  const around = sources.filter(({ path }) => isWithin(path, real))
  if ((around.length > 0 || isWithin(root, real)) && (await isSomebodyElses(real)))
    throw refused(data, 'has other files in it')
  return sources.map((source) =>
    around.includes(source) ? { ...source, exclude: [...source.exclude, globOf(source.path, real)] } : source,
  )
}

/** Where a path leads, whether the last steps of it exist or not. */
async function realPlace(path: string): Promise<string> {
  const above = dirname(path)
  return realpath(path).catch(async () =>
    above === path ? path : join(await realPlace(above), basename(path)),
  )
}

async function isSomebodyElses(folder: string): Promise<boolean> {
  const names: string[] = await readdir(folder).catch(() => [])
  const ours = names.includes('index.sqlite') || names.includes('records.jsonl')
  return !ours && names.some((name) => name !== '.gitignore')
}

/** A folder in a source, as a glob there. */
export function globOf(source: string, folder: string): string {
  const path = relative(source, folder).split(sep).join('/')
  return `/${path.replace(/[*?[{}\\ ]/g, '[$&]')}`
}

function refused(data: string, why: string): Problem {
  return new Problem(
    'usage',
    `The data folder ${data} ${why}.`,
    'Name a new or an empty folder with --data DIR (or CARREL_DATA), or none: then it is .carrel in the root.',
  )
}
