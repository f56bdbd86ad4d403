// Checks rules about the project as a whole: its files and its dependencies.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import { type Dependency, dependenciesIn, isManifest } from '../../parse/dependencies.js'
import { namesIn } from '../../sources/folder.js'
import { cleanPath, isGlob, mayLieBelow, pathMatcher, staticPart } from '../../text/glob.js'
import type { Assertion } from './assertions.js'
import type { Finding, Sight } from './check.js'
import { readText } from './read-text.js'
import { mayReachInto } from './verdict.js'

export async function checkProject(
  { root, limits }: Pick<Settings, 'root' | 'limits'>,
  assertions: readonly Assertion[],
  sight: Sight,
  signal?: AbortSignal,
): Promise<{ findings: Finding[]; files: string[] }> {
  const findings: Finding[] = []
  const judged: string[] = []
  const names = await allNames(root, assertions, signal)
  const read = manifestReader(root, limits.fileBytes)
  for (const assertion of assertions) {
    const { rule } = assertion
    const { check } = rule
    if (check.kind === 'file') findings.push({ assertion, ...(await misplaced(root, rule, check, names)) })
    if (check.kind === 'dependency') {
      const manifests = await manifestsOf(rule, sight.files, read)
      findings.push({ assertion, ...dependencies(rule, check, manifests, sight.closed) })
      judged.push(...manifests.flatMap((one) => ('found' in one ? [one.file] : [])))
    }
  }
  return { findings, files: judged }
}

/** Rules about the existence of files also mean files that are never read: secrets, lock files, output of tools. */
async function allNames(
  root: string,
  assertions: readonly Assertion[],
  signal?: AbortSignal,
): Promise<Sight> {
  const wanted = assertions.flatMap(({ rule: { check, except } }) =>
    check.kind === 'file' && (except.length > 0 || check.files.some(isGlob)) ? check.files : [],
  )
  if (wanted.length === 0) return { files: [], closed: [] }
  const { paths, closed } = await namesIn(root, wanted, signal)
  return { files: paths, closed }
}

type Result = Omit<Finding, 'assertion'>

const none: Result = { broken: null, unchecked: null, places: [], notes: [] }

type FileCheck = Extract<Rule['check'], { kind: 'file' }>

async function misplaced(
  root: string,
  rule: Rule,
  { require, files: wanted }: FileCheck,
  sight: Sight,
): Promise<Result> {
  const outside = wanted.find((path) => cleanPath(path).split('/').includes('..'))
  if (outside !== undefined) return { ...none, broken: `The path ${outside} leads out of the project.` }
  const places: Finding['places'] = []
  const unseen: string[] = []
  const notes: string[] = []
  for (const written of wanted) {
    const found = await existing(root, cleanPath(written), rule, sight)
    if ('unseen' in found) (found.partly && !require ? notes : unseen).push(found.unseen)
    else if (require && found.length === 0)
      places.push({ file: written, line: null, message: 'It does not exist.' })
    else if (!require) places.push(...found.map((file) => ({ file, line: null, message: 'It exists.' })))
  }
  if (unseen.length > 0 && places.length === 0) return { ...none, unchecked: unseen.join(' ') }
  return { ...none, places, notes: [...unseen, ...notes] }
}

/**
 * A path is looked up on the disk, because ignored files count too. A glob and exceptions use the list of files, which has
 * no ignored ones. A file that is not found may be in a folder that cannot be read.
 */
async function existing(
  root: string,
  path: string,
  { except }: Rule,
  { files, closed }: Sight,
): Promise<string[] | { unseen: string; partly: boolean }> {
  const excepted = pathMatcher(except)
  const listed = except.length > 0 || isGlob(path) ? files.filter(pathMatcher([path])) : []
  const included = listed.filter((file) => !excepted(file))
  if (included.length > 0 || (listed.length > 0 && !isGlob(path))) return included
  if (isGlob(path)) {
    const shut = closed.filter(
      (folder) => mayLieBelow(folder.path, [path]) && !excepted(cleanPath(folder.path)),
    )
    if (shut.length === 0) return []
    const partly = !shut.some((folder) => `${staticPart(path)}/`.startsWith(folder.path))
    return { unseen: `Whether ${path} exists cannot be told. ${reasons(shut).join(' ')}`, partly }
  }
  try {
    await lstat(join(root, path))
    return excepted(path) ? [] : [path]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return []
    return { unseen: `Whether ${path} exists cannot be told (${code}).`, partly: false }
  }
}

function reasons(shut: Sight['closed']): string[] {
  return shut.slice(0, mostReasons).map(({ path, reason }) => `${path}: ${reason}`)
}

const mostReasons = 5

type DependencyCheck = Extract<Rule['check'], { kind: 'dependency' }>

type Manifest = { file: string; found: Dependency[] } | { file: string; failed: string }

/** Each is read once, however many rules are about it. */
function manifestReader(root: string, mostBytes: number): (file: string) => Promise<Manifest> {
  const known = new Map<string, Manifest>()
  return async (file) => {
    const before = known.get(file)
    if (before) return before
    const content = await readText(join(root, file), mostBytes)
    const manifest =
      'failed' in content ? { file, ...content } : { file, found: dependenciesIn(file, content.text) }
    known.set(file, manifest)
    return manifest
  }
}

async function manifestsOf(
  { paths, except }: Rule,
  files: readonly string[],
  read: (file: string) => Promise<Manifest>,
): Promise<Manifest[]> {
  const about = paths.length > 0 ? pathMatcher(paths) : () => true
  const excepted = pathMatcher(except)
  const wanted = files.filter((path) => isManifest(path) && about(path) && !excepted(path))
  const manifests: Manifest[] = []
  for (const file of wanted) manifests.push(await read(file))
  return manifests
}

function dependencies(
  rule: Rule,
  { require, names }: DependencyCheck,
  manifests: readonly Manifest[],
  closed: Sight['closed'],
): Result {
  const unread = manifests.flatMap((one) => ('failed' in one ? [`${one.file}: ${one.failed}`] : []))
  const faults = [...unread, ...reasons(closed.filter(({ path }) => mayReachInto(path, rule)))]
  const read = manifests.filter((one) => 'found' in one)
  if (read.length === 0 && faults.length > 0)
    return { ...none, unchecked: `None of its manifests could be read. ${faults[0]}` }
  if (require) return missing(rule, names, { read, faults })
  const isNamed = nameMatcher(names)
  if (read.length === 0 && rule.paths.length > 0)
    return { ...none, broken: `It can never match: there is no manifest at ${rule.paths.join(', ')}.` }
  const places = read.flatMap(({ file, found }) => found.filter(isNamed).map(({ line }) => ({ file, line })))
  return { ...none, places, notes: read.length === 0 ? ['It looked at no manifest.'] : faults }
}

/** A required dependency may be in any manifest: a project has one for each of its languages and packages. */
function missing(
  { paths }: Rule,
  names: readonly string[],
  { read, faults }: { read: { file: string; found: Dependency[] }[]; faults: string[] },
): Result {
  const file = read.length === 1 ? read[0]!.file : (paths[0] ?? null)
  if (read.length === 0) return { ...none, places: [{ file, line: null, message: 'No manifest is there.' }] }
  const absent = names.filter((name) => !read.some(({ found }) => found.some(nameMatcher([name]))))
  if (absent.length > 0 && faults.length > 0)
    return { ...none, unchecked: `It may be met where it could not be judged. ${faults.join(' ')}` }
  const where = read.length === 1 ? 'its dependencies' : `the dependencies of any of ${read.length} manifests`
  const places = absent.map((name) => ({ file, line: null, message: `${name} is not among ${where}.` }))
  return { ...none, places, notes: faults }
}

/** Whether a dependency has one of these names or matches a pattern among them. */
function nameMatcher(wanted: readonly string[]): (one: Dependency) => boolean {
  const plains = wanted.map(plain)
  const globs = plains.filter(isGlob)
  const isLike = pathMatcher([...globs, ...globs.map((glob) => `${glob}/**`)])
  return ({ name }) => calls(name).some((call) => plains.includes(call) || isLike(call))
}

/** All names of a dependency: a Maven artifact also by its last part, a Go module also without the version at its end. */
function calls(name: string): string[] {
  return [name, name.slice(name.indexOf(':') + 1), name.replace(/\/v\d+$/, '')].map(plain)
}

// Python's names are the same with "-", "_" and "." and in any case.
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}
