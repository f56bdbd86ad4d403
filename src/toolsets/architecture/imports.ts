// Which imports a rule means.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { ImportLanguage } from '../../model/imports.js'
import type { Layer, LocatedImport, Rule } from '../../model/rule.js'
import { cleanPath, isGlob, pathMatcher } from '../../text/glob.js'

/** Whether an import in a file is one of those that a rule names. */
export function importMatcher(
  names: readonly string[],
  { paths }: Pick<Rule, 'paths'>,
  file: string | null = null,
): (one: LocatedImport) => boolean {
  const tests = names
    .map((name) => name.replace(/^<(.*)>$/, '$1').replace(/(?<!\/)\/+$/, ''))
    .map((name) => (isRelative(name) ? relativeTest(name, paths, file) : bareTest(name)))
  return (one) => tests.some((test) => test(one))
}

// `../adapters` is seen from the folder that the rule is about, so it is the same place for files in its subfolders.
function relativeTest(
  name: string,
  paths: readonly string[],
  file: string | null,
): (one: LocatedImport) => boolean {
  const folders = paths.flatMap((from) => foldersOf(from, file))
  const targets = folders.map((folder) => placeTest(posix.join(folder, name)))
  const written = placeTest(name.replace(/^\.\//, ''))
  return ({ specifier, paths: led }) =>
    led.length === 0 || targets.length === 0
      ? isRelative(specifier) && written(specifier.replace(/^\.\//, ''))
      : led.some((path) => targets.some((reaches) => reaches(path)))
}

/** The folders around a file that a pattern is about; none where it is about files anywhere. */
function foldersOf(from: string, file: string | null): string[] {
  const folder = folderPattern(cleanPath(from).split('/'))
  if (!isGlob(folder)) return folder === '' ? [] : [folder]
  const parts = file === null ? [] : file.split('/').slice(0, -1)
  const isThere = pathMatcher([`${folder}/*`])
  return parts.map((_, i) => parts.slice(0, i + 1).join('/')).filter((one) => isThere(`${one}/x`))
}

/** The part of a pattern before the names of files. */
function folderPattern(segments: readonly string[]): string {
  const last = segments.at(-1)!
  const isFile = last !== '**' && (/[*?]/.test(last) || /\.\w{1,5}$/.test(last))
  const folders = isFile ? segments.slice(0, -1) : [...segments]
  while (folders.at(-1) === '**') folders.pop()
  return folders.join('/')
}

function bareTest(name: string): (one: LocatedImport) => boolean {
  const wanted = withoutScheme(name, /^(?:npm|jsr):/)
  const isModule = isGlob(name) ? globTest(name) : null
  const reaches = placeTest(cleanPath(name))
  return (one) => {
    const modules = modulesOf(one)
    const isNamed = isModule
      ? modules.some(isModule)
      : modules.some((module) => isWithin(module, wanted, one.language))
    return isNamed || one.paths.some(reaches)
  }
}

/** Matches a glob and everything below its matches: `lodash/*` also matches `lodash/fp/add`. */
function globTest(glob: string): (name: string) => boolean {
  return pathMatcher([glob, `${glob}/**`])
}

/**
 * Every name of an import. `from os import path` may mean the module `os.path`; `fs` and `node:fs` are one
 * module; `npm:lodash@4` is the package `lodash`; `./a.svg?raw` is the file `./a.svg`.
 */
function modulesOf({ specifier, names = [], language }: LocatedImport): string[] {
  if (language !== 'script')
    return [specifier, ...names.map((name) => (specifier.endsWith('.') ? '' : `${specifier}.`) + name)]
  const written = specifier.replace(/(?<=.)[?].*$/, '')
  const bare = withoutScheme(written, /^(?:node|npm|jsr|bun):\/?/).replace(/^(@?[^@]+)@[^/]+/, '$1')
  return [...new Set([written, bare, ...(isBuiltin(written) ? [`node:${bare}`] : [])])]
}

// A package with everything below it, as its language writes that: `pg/lib`, `org.junit.Test`, `serde::de`.
const separators: Record<ImportLanguage, string> = {
  script: '/',
  python: '.',
  go: '/',
  rust: '::',
  java: '.',
  c: '/',
}

function isWithin(module: string, wanted: string, language: ImportLanguage): boolean {
  if (module === wanted || module.startsWith(wanted + separators[language])) return true
  const isFile = language === 'c' || (language === 'script' && insidePackage.test(wanted))
  return isFile && withoutEnding(module) === withoutEnding(wanted)
}

// `lodash/fp` is a file, whose ending may be left out; `chart.js` is the name of a package.
const insidePackage = /^(?:@[^/]+\/)?[^/]+\/./

/** The layer above its own that a file of a layered project imports; null when it imports downwards only. */
export function importUpwards(
  layers: readonly Layer[],
  path: string,
  one: LocatedImport,
): { own: Layer; upper: Layer } | null {
  const own = layerOf(layers, path)
  const above = one.paths.map((led) => layerOf(layers, led)).find((target) => target >= 0 && target < own)
  return above === undefined ? null : { own: layers[own]!, upper: layers[above]! }
}

/** The place in the list of the layer that a path belongs to: of several that fit, the one named most exactly. */
export function layerOf(layers: readonly Layer[], path: string): number {
  let best = -1
  let exact = -1
  for (const [i, { paths }] of layers.entries())
    for (const one of paths.map(cleanPath)) {
      if (placeTest(one)(path) && one.length > exact) [best, exact] = [i, one.length]
    }
  return best
}

function isRelative(name: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(name)
}

function withoutScheme(name: string, scheme: RegExp): string {
  return name.replace(scheme, '')
}

/** Whether a path is a place of the project that a rule names, or lies below it. */
function placeTest(target: string): (path: string) => boolean {
  if (!isGlob(target)) return (path) => reaches(path, target)
  const isThere = globTest(target)
  // `*.ts` describes a file that an import calls `x`, `x.js` or `x.ts`.
  const bare = target.replace(scriptEnding, '')
  const isBare = bare === target ? null : globTest(bare)
  return (path) => {
    const stem = withoutEnding(path)
    if (isThere(path) || isThere(stem)) return true
    return (
      isBare !== null && (stem === path || scriptEnding.test(path)) && isBare(path.replace(scriptEnding, ''))
    )
  }
}

/** The same, below it, or the same file with its ending, which imports may leave out or spell `.js`. */
function reaches(path: string, target: string): boolean {
  if (path === target || path.startsWith(`${target}/`)) return true
  const bare = target.replace(scriptEnding, '')
  if (bare === target) return withoutEnding(path) === target
  return path.replace(scriptEnding, '') === bare
}

const scriptEnding = /\.[cm]?[jt]sx?$/

// Removes only endings of importable files: `app.config` and `app.service` are other files than `app`.
function withoutEnding(path: string): string {
  return path.replace(codeEnding, '')
}

const codeEnding =
  /(?:\.d)?\.[cm]?[jt]sx?$|\.(?:json|vue|svelte|css|scss|less|pyi?|go|rs|java|c|cc|cpp|cxx|h|hh|hpp|hxx)$/
