// Where the project, its data and its configuration are.
import { constants, existsSync } from 'node:fs'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Problem } from '../../model/problem.js'

/** The real root folder: the one given, else the nearest that looks like a project's, else where we stand. */
export async function findRoot(cwd: string, given: string | undefined): Promise<string> {
  const path = given === undefined ? (nearestProject(cwd) ?? cwd) : resolve(cwd, given)
  const found = await stat(path).catch(() => null)
  if (!found) throw new Problem('usage', `There is no folder ${path} to be the root.`, rootHint)
  if (!found.isDirectory()) throw new Problem('usage', `The root ${path} is a file, not a folder.`, rootHint)
  await access(path, constants.R_OK | constants.X_OK).catch(({ code }) => {
    const next = 'Let your user read it, or name another one with --root DIR.'
    throw new Problem('usage', `The root ${path} cannot be read (${code}).`, next)
  })
  return realpath(path)
}

/** The data folder. It need not exist yet. */
export async function findData(
  root: string,
  { cwd, given, outside }: { cwd: string; given: string | undefined; outside: boolean },
): Promise<string> {
  if (given !== undefined) {
    const folder = resolve(cwd, given)
    const isFile = (await stat(folder).catch(() => null))?.isFile() ?? false
    if (!isFile) return folder
    const next = 'Choose another one with --data DIR or CARREL_DATA.'
    throw new Problem('usage', `The data folder ${folder} is a file, not a folder.`, next)
  }
  const path = join(root, '.carrel')
  // A project that brings a link of this name would have us write wherever it points.
  const link = (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false
  if (!link) return path
  const real = await realpath(path).catch(() => null)
  if (outside && real !== null) return path
  const leaves = real === null || !isWithin(root, real) ? 'that leaves the root' : 'to another folder'
  throw new Problem(
    'bad_configuration',
    `The data folder ${path} is a link ${leaves}.`,
    'Name the data folder yourself with --data DIR, or allow it with --allow-outside.',
  )
}

/** The user's own configuration file, whether it exists or not. */
export function userFile(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  name = 'config.json',
): string {
  const folder = env.XDG_CONFIG_HOME
  return join(folder && isAbsolute(folder) ? folder : join(home, '.config'), 'carrel', name)
}

/** A path of the configuration made absolute: `~/` is the home folder, anything else is relative to the root. */
export function locate(path: string, { root, home }: { root: string; home: string }): string {
  if (path === '~') return home
  return /^~[/\\]/.test(path) ? join(home, path.slice(2)) : resolve(root, path)
}

/** Whether a real path is a folder or below it. */
export function isWithin(folder: string, path: string): boolean {
  const steps = relative(folder, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps))
}

const rootHint = '--root DIR (or CARREL_ROOT) names the folder that Carrel works on.'

const marks = ['carrel.json', 'context.json', '.git']

function nearestProject(start: string): string | null {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder
    if (folder === dirname(folder)) return null
  }
}
