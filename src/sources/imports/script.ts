// TypeScript and JavaScript: oxc-resolver, asked the way the TypeScript compiler looks: first for what has types, then for
// scripts and the rest.
import { statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type NapiResolveOptions, ResolverFactory } from 'oxc-resolver'
import type { Import } from '../../model/imports.js'
import { deniedSegment } from '../path-rules.js'
import type { Importer, Resolver } from './resolve.js'
import { type Tree, upwards } from './tree.js'

export function scriptResolver({ tree, path, folder }: Importer): {
  find: Resolver
  error(): string | undefined
} {
  const file = join(tree.root, path)
  const trusted = trust()
  const config = configOf(tree, folder)
  let broken: string | undefined
  const ask = asker(file, config, (said) => {
    broken ??= said
  })
  return {
    find(one) {
      const specifier =
        one.kind === 'reference' && !one.specifier.startsWith('.') ? `./${one.specifier}` : one.specifier
      if (elsewhere.test(specifier) || !trusted(file, specifier)) return []
      const found = ask(specifier, one)
      const inside = found === null ? null : insideOf(tree.root, found)
      return inside === null ? [] : [inside]
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

const scripts: NapiResolveOptions = {
  ...base,
  extensions: ['.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.json'],
  extensionAlias: { '.js': ['.js', '.jsx'], '.jsx': ['.jsx', '.js'] },
}

// An import and a require may be answered with different files of a package.
const imported = ['types', 'import', 'node']
const required = ['types', 'require', 'node']

type Ask = (specifier: string, one: Import) => string | null

function asker(file: string, config: NapiResolveOptions['tsconfig'], tell: (said: string) => void): Ask {
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
      for (const options of [typed, scripts]) {
        let { path, error } = resolver(options, conditions!, config).resolveFileSync(file, specifier)
        if (error !== undefined && isConfigError(error)) {
          tell(`Its tsconfig.json could not be read, so path aliases were not followed.`)
          ;({ path } = resolver(options, conditions!, undefined).resolveFileSync(file, specifier))
        }
        if (path !== undefined) return path
      }
    return null
  }
}

function isConfigError(error: string): boolean {
  return /tsconfig/i.test(error) && !/^Cannot find module/.test(error)
}

/** A `jsconfig.json` counts where no `tsconfig.json` lies above the file. */
function configOf(tree: Tree, folder: string): NapiResolveOptions['tsconfig'] {
  const folders = upwards(folder)
  if (folders.some((one) => tree.file(join(one, 'tsconfig.json')) !== null)) return 'auto'
  const config = folders.map((one) => tree.file(join(one, 'jsconfig.json'))).find((one) => one)
  return config ? { configFile: join(tree.root, config) } : 'auto'
}

// The resolver reads every package.json on its way, however large, and waits for a pipe for ever.
const mostBytes = 5_000_000

/** Whether all that the resolver would read for a specifier is an ordinary file. */
function trust(): (file: string, specifier: string) => boolean {
  const known = new Map<string, boolean>()
  const folderIsFine = (folder: string): boolean => {
    let fine = known.get(folder)
    if (fine === undefined) {
      const manifest = statSync(join(folder, 'package.json'), { throwIfNoEntry: false })
      fine = !manifest || manifest.isDirectory() || (manifest.isFile() && manifest.size <= mostBytes)
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
    if (/^\.\.?(?:\/|$)/.test(specifier)) return allFine(join(folder, specifier))
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]
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
  return deniedSegment(slashed) === null ? slashed : null
}
