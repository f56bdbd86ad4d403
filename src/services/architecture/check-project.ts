// Rules about the project as a whole: which files there are, and what it depends on.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import { dependenciesIn, isManifest } from '../../parse/dependencies.js'
import { cleanPath, isGlob, pathMatcher } from '../../text/glob.js'
import type { Assertion } from './assertions.js'
import type { Finding } from './check.js'
import { readText, type TextOrFault } from './read-text.js'

export async function checkProject(
  { root, limits }: Pick<Settings, 'root' | 'limits'>,
  assertions: readonly Assertion[],
  files: readonly string[],
): Promise<{ findings: Finding[]; files: string[] }> {
  const findings: Finding[] = []
  const judged: string[] = []
  for (const assertion of assertions) {
    const { rule } = assertion
    const { check } = rule
    if (check.kind === 'file') findings.push({ assertion, ...(await misplaced(root, rule, check, files)) })
    if (check.kind === 'dependency') {
      const manifests = await manifestsOf(rule, files, (file) => readText(join(root, file), limits.fileBytes))
      findings.push({ assertion, ...dependencies(rule, check, manifests) })
      judged.push(...manifests.flatMap(({ file, content }) => ('text' in content ? [file] : [])))
    }
  }
  return { findings, files: judged }
}

type Result = Omit<Finding, 'assertion'>

const none: Result = { broken: null, unchecked: null, places: [], notes: [] }

type FileCheck = Extract<Rule['check'], { kind: 'file' }>

async function misplaced(
  root: string,
  { except }: Rule,
  { require, files: wanted }: FileCheck,
  files: readonly string[],
): Promise<Result> {
  const outside = wanted.find((path) => cleanPath(path).split('/').includes('..'))
  if (outside !== undefined) return { ...none, broken: `The path ${outside} leads out of the project.` }
  const places: Finding['places'] = []
  for (const written of wanted) {
    const found = await existing(root, cleanPath(written), { files, except })
    if (require && found.length === 0)
      places.push({ file: written, line: null, message: 'It does not exist.' })
    if (!require) places.push(...found.map((file) => ({ file, line: null, message: 'It exists.' })))
  }
  return { ...none, places }
}

/** A path is looked up as it is, because ignored files count too; a glob goes by the list, and so do exceptions. */
async function existing(
  root: string,
  path: string,
  { files, except }: { files: readonly string[]; except: readonly string[] },
): Promise<string[]> {
  const excepted = pathMatcher(except)
  const listed = except.length > 0 || isGlob(path) ? files.filter(pathMatcher([path])) : []
  if (isGlob(path) || listed.length > 0) return listed.filter((file) => !excepted(file))
  const found = await lstat(join(root, path)).catch(() => null)
  return found && !excepted(path) ? [path] : []
}

type DependencyCheck = Extract<Rule['check'], { kind: 'dependency' }>

interface Manifest {
  file: string
  content: TextOrFault
}

async function manifestsOf(
  { paths, except }: Rule,
  files: readonly string[],
  read: (file: string) => Promise<TextOrFault>,
): Promise<Manifest[]> {
  const about = paths.length > 0 ? pathMatcher(paths) : (path: string) => !path.includes('/')
  const excepted = pathMatcher(except)
  const wanted = files.filter((path) => isManifest(path) && about(path) && !excepted(path))
  return Promise.all(wanted.map(async (file) => ({ file, content: await read(file) })))
}

function dependencies(
  { paths }: Rule,
  { require, names }: DependencyCheck,
  manifests: readonly Manifest[],
): Result {
  if (manifests.length === 0)
    return require
      ? { ...none, places: [{ file: paths[0] ?? null, line: null, message: 'No manifest is there.' }] }
      : { ...none, notes: ['It looked at no manifest.'] }
  const faults = manifests.flatMap(({ file, content }) =>
    'failed' in content ? [`${file}: ${content.failed}`] : [],
  )
  if (faults.length === manifests.length)
    return { ...none, unchecked: `None of its manifests could be read. ${faults[0]}` }
  const places: Finding['places'] = []
  for (const { file, content } of manifests) {
    if ('failed' in content) continue
    const found = dependenciesIn(file, content.text)
    for (const name of names) {
      const lines = found.filter((one) => isSame(one.name, name)).map(({ line }) => line)
      if (require && lines.length === 0)
        places.push({ file, line: null, message: `${name} is not among its dependencies.` })
      if (!require) places.push(...lines.map((line) => ({ file, line })))
    }
  }
  return { ...none, places, notes: faults }
}

// Python's names are the same with "-", "_" and "." and in any case; a Maven artifact goes by its last part too.
function isSame(found: string, wanted: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-')
  return plain(found) === plain(wanted) || plain(found.slice(found.indexOf(':') + 1)) === plain(wanted)
}
