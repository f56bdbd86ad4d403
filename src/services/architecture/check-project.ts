// Rules about the project as a whole: which files there are, and what it depends on.
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import { dependenciesIn, isManifest } from '../../parse/dependencies.js'
import { cleanPath, isGlob, pathMatcher } from '../../text/glob.js'
import type { Assertion } from './assertions.js'
import type { Finding } from './check.js'

export async function checkProject(
  { root }: Pick<Settings, 'root'>,
  assertions: readonly Assertion[],
  files: readonly string[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const assertion of assertions) {
    const { check } = assertion.rule
    if (check.kind === 'file')
      findings.push({ assertion, ...none, places: await misplaced(root, check, files) })
    if (check.kind === 'dependency')
      findings.push({ assertion, ...(await dependencies(root, assertion.rule, check, files)) })
  }
  return findings
}

const none = { broken: null, notes: [] }

type FileCheck = Extract<Rule['check'], { kind: 'file' }>

async function misplaced(root: string, { require, files: wanted }: FileCheck, files: readonly string[]) {
  const places: Finding['places'] = []
  for (const written of wanted) {
    const found = await existing(root, cleanPath(written), files)
    if (require && found.length === 0)
      places.push({ file: written, line: null, message: 'It does not exist.' })
    if (!require) places.push(...found.map((file) => ({ file, line: null, message: 'It exists.' })))
  }
  return places
}

/** A path is looked up as it is, because ignored files count too; a glob goes by the list. */
async function existing(root: string, path: string, files: readonly string[]): Promise<string[]> {
  if (isGlob(path)) return files.filter(pathMatcher([path]))
  if (path.split('/').includes('..')) return []
  const found = await lstat(join(root, path)).catch(() => null)
  return found ? [path] : []
}

type DependencyCheck = Extract<Rule['check'], { kind: 'dependency' }>

async function dependencies(
  root: string,
  { paths, except }: Rule,
  { require, names }: DependencyCheck,
  files: readonly string[],
): Promise<Omit<Finding, 'assertion'>> {
  const about = paths.length > 0 ? pathMatcher(paths) : (path: string) => !path.includes('/')
  const excepted = pathMatcher(except)
  const manifests = files.filter(
    (path) => isManifest(path) && about(path) && !(except.length > 0 && excepted(path)),
  )
  if (manifests.length === 0)
    return require
      ? { ...none, places: [{ file: paths[0] ?? null, line: null, message: 'No manifest is there.' }] }
      : { ...none, places: [], notes: ['It looked at no manifest.'] }
  const places: Finding['places'] = []
  for (const file of manifests) {
    const found = dependenciesIn(file, await readFile(join(root, file), 'utf8').catch(() => ''))
    for (const name of names) {
      const lines = found.filter((one) => isSame(one.name, name)).map(({ line }) => line)
      if (require && lines.length === 0)
        places.push({ file, line: null, message: `${name} is not among its dependencies.` })
      if (!require) places.push(...lines.map((line) => ({ file, line })))
    }
  }
  return { ...none, places }
}

// Python's names are the same with "-", "_" and "." and in any case; a Maven artifact goes by its last part too.
function isSame(found: string, wanted: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-')
  return plain(found) === plain(wanted) || plain(found.slice(found.indexOf(':') + 1)) === plain(wanted)
}
