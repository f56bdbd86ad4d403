// TypeScript and JavaScript: oxc-resolver, tried in the order the TypeScript compiler looks.
import { statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type NapiResolveOptions, ResolverFactory } from 'oxc-resolver'
import type { Import } from '../../model/imports.js'
import { refusalOfPath } from '../path-rules.js'
import type { Importer, Resolver } from './resolve.js'
import { joined, type Tree, upwards } from './tree.js'
import { sourcesOf, type Workspace, workspacesAround } from './workspaces.js'

export function scriptResolver({ tree, path, folder }: Importer): {
  find: Resolver
  absent: Resolver
  error(): string | undefined
} {
  const file = join(tree.root, path)
  const trusted = trust()
  const config = configOf(tree, folder)
  let broken: string | undefined
  // To the resolver a tsconfig.json is about scripts alone, and not about pages with scripts in them.
  const ask = asker(/\.[cm]?[jt]sx?$/i.test(file) ? file : `${file}.ts`, config, (problem) => {
    broken ??= problem
  })
  let packages: Map<string, Workspace> | null = null
  const workspaceOf = (specifier: string): { workspace: Workspace; part: string } | null => {
    const name = packageName(specifier)
    if (name === null || isBuiltin(specifier)) return null
    packages ??= workspacesAround(tree, folder)
    const workspace = packages.get(name)
    return workspace ? { workspace, part: `.${specifier.slice(name.length)}` } : null
  }
  const inWorkspace = (specifier: string, one: Import): string | null => {
    const known = workspaceOf(specifier)
    if (!known) return null
    const { workspace, part } = known
    const within = asker(join(tree.root, workspace.folder, 'package.json'), undefined, () => {})
    for (const inside of [workspace.hasExports ? specifier : part, ...sourcesOf(workspace, part)]) {
      const found = within(inside, one)
      if (found !== null) return found
    }
    return null
  }
  const find: Resolver = (one) => {
    const specifier =
      one.kind === 'reference' && !one.specifier.startsWith('.') ? `./${one.specifier}` : one.specifier
    if (elsewhere.test(specifier) || !trusted(file, specifier)) return []
    const found = ask(specifier, one) ?? inWorkspace(specifier, one)
    const inside = found === null ? null : insideOf(tree.root, found)
    return inside === null ? [] : [inside]
  }
  return {
    find,
    absent(one) {
      const known = elsewhere.test(one.specifier) ? null : workspaceOf(one.specifier)
      const place = known && joined(known.workspace.folder, known.part)
      return place && find(one).length === 0 ? [place] : []
    },
    error: () => broken,
  }
}

const elsewhere = /^(?:node|data|https?|file|bun|npm|jsr|virtual|blob|cloudflare):/i

const base: NapiResolveOptions = { nodePath: false, mainFields: ['typings', 'types', 'main'] }

const typed: NapiResolveOptions = {
  ...base,
  extensions: ['.ts', '.tsx', '.d.ts'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.d.ts'],
    '.jsx': ['.tsx', '.ts', '.d.ts'],
    '.mjs': ['.mts', '.d.mts'],
    '.cjs': ['.cts', '.d.cts'],
  },
}

/** Beside the file, a script is found before a folder of its name is looked into; of a package, types come first. */
const near: NapiResolveOptions = {
  ...base,
  extensions: ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.json'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
    '.jsx': ['.tsx', '.ts', '.d.ts', '.jsx', '.js'],
    '.mjs': ['.mts', '.d.mts', '.mjs'],
    '.cjs': ['.cts', '.d.cts', '.cjs'],
  },
}

// An import and a require may be answered with different files of a package.
const imported = ['types', 'import', 'node']
const required = ['types', 'require', 'node']

type Ask = (specifier: string, one: Import) => string | null

function asker(file: string, config: NapiResolveOptions['tsconfig'], report: (message: string) => void): Ask {
  const made = new Map<string, ResolverFactory>()
  const resolver = (
    options: NapiResolveOptions,
    conditionNames: string[],
    tsconfig: NapiResolveOptions['tsconfig'],
  ) => {
    const key = `${options === typed}${conditionNames[1]}${tsconfig !== undefined}`
    const known = made.get(key) ?? new ResolverFactory({ ...options, conditionNames, tsconfig })
    made.set(key, known)
    return known
  }
  return (specifier, { kind }) => {
    const [first, second] = kind === 'require' ? [required, imported] : [imported, required]
    for (const conditions of [first, second])
      for (const options of isNear(specifier) ? [near] : [typed, near]) {
        let { path, error } = resolver(options, conditions!, config).resolveFileSync(file, specifier)
        if (error !== undefined && isConfigError(error)) {
          report(`Its tsconfig.json could not be read, so path aliases were not followed.`)
          ;({ path } = resolver(options, conditions!, undefined).resolveFileSync(file, specifier))
        }
        if (path !== undefined) return withoutQuery(path, specifier)
      }
    return null
  }
}

/** Removes a query for bundlers (`./a.svg?raw`), which the resolver leaves in the path. */
function withoutQuery(file: string, specifier: string): string {
  const query = /[?#].*$/.exec(specifier)?.[0]
  if (query === undefined || !file.endsWith(query) || statSync(file, { throwIfNoEntry: false })) return file
  return file.slice(0, -query.length)
}

/** The package a bare specifier begins with. */
function packageName(specifier: string): string | null {
  return /^(?:@[\w.~-]+\/)?[\w.~-]+(?=\/|$)/.exec(specifier)?.[0] ?? null
}

function isNear(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier)
}

function isConfigError(error: string): boolean {
  return /tsconfig/i.test(error) && !/^Cannot find module/.test(error)
}

/** A `jsconfig.json` counts where no `tsconfig.json` lies above the file. */
function configOf(tree: Tree, folder: string): NapiResolveOptions['tsconfig'] {
  const folders = upwards(folder)
  if (folders.some((one) => tree.file(joined(one, 'tsconfig.json')!) !== null)) return 'auto'
  const config = folders.map((one) => tree.file(joined(one, 'jsconfig.json')!)).find((one) => one)
  return config ? { configFile: join(tree.root, config) } : 'auto'
}

// The resolver reads every manifest on its way, however large, and waits for a pipe for ever.
const mostBytes = 5_000_000

/** Whether all that the resolver would read for a specifier is an ordinary file. */
function trust(): (file: string, specifier: string) => boolean {
  const known = new Map<string, boolean>()
  const folderIsFine = (folder: string): boolean => {
    let fine = known.get(folder)
    if (fine === undefined) {
      fine = ['package.json', 'tsconfig.json'].every((name) => {
        const there = statSync(join(folder, name), { throwIfNoEntry: false })
        return !there || there.isDirectory() || (there.isFile() && there.size <= mostBytes)
      })
      known.set(folder, fine)
    }
    return fine
  }
  const allFine = (folder: string): boolean => {
    for (let at = folder; ; at = dirname(at)) {
      if (!fineOrGone(at, folderIsFine)) return false
      if (dirname(at) === at) return true
    }
  }
  return (file, specifier) => {
    const folder = dirname(file)
    if (!allFine(folder)) return false
    if (isNear(specifier)) return allFine(join(folder, specifier))
    const name = packageName(specifier)
    for (let at = folder; name; at = dirname(at)) {
      if (!fineOrGone(join(at, 'node_modules', name), folderIsFine)) return false
      if (dirname(at) === at) break
    }
    return true
  }
}

function fineOrGone(folder: string, check: (folder: string) => boolean): boolean {
  try {
    return check(folder)
  } catch {
    // A file where a folder was looked for, or one that may not be looked into: the resolver will not read it either.
    return true
  }
}

function insideOf(root: string, file: string): string | null {
  const path = relative(root, file)
  if (path === '' || isAbsolute(path) || path.split(sep)[0] === '..') return null
  const slashed = sep === '/' ? path : path.replaceAll(sep, '/')
  return refusalOfPath(slashed) === null ? slashed : null
}
