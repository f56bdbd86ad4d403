// The packages a project holds itself. Once it is installed, links lead to them; before that, its manifests say where
// they are.
import { joined, type Tree, upwards } from './tree.js'

export interface Workspace {
  folder: string
  /** Whether it says itself what may be imported from it. */
  hasExports: boolean
  manifest: Record<string, unknown>
}

/** The packages of the workspace around a folder, by name. */
export function workspacesAround(tree: Tree, folder: string): Map<string, Workspace> {
  const found = new Map<string, Workspace>()
  for (const place of upwards(folder)) {
    const patterns = patternsAt(tree, place)
    if (patterns.length === 0) continue
    for (const one of patterns.flatMap((pattern) => expanded(tree, place, pattern.split('/')))) {
      const manifest = manifestAt(tree, one)
      if (typeof manifest?.name === 'string' && !found.has(manifest.name))
        found.set(manifest.name, { folder: one, hasExports: manifest.exports !== undefined, manifest })
    }
    return found
  }
  return found
}

/**
 * Where the source of a package's part may be, seen from its folder, when what its manifest names was not built: where
 * the same file lies below `src`, or where packages begin. A part is `.` or begins with `./`.
 */
export function sourcesOf({ hasExports, manifest }: Workspace, part: string): string[] {
  const { exports, source, types, typings, module, main } = manifest
  const exported = exportedAs(exports, part)
  if (hasExports && exported.length === 0) return []
  const named = part === '.' ? [source, types, typings, module, main] : []
  const built = [...exported, ...named].filter((one) => typeof one === 'string')
  const begins = part === '.' ? ['./src/index', './index'] : [part, part.replace('./', './src/')]
  return [...new Set([...built.slice(0, mostTargets).flatMap(unbuilt), ...begins])]
}

const mostTargets = 20

/** What a manifest says is exported as a part, under whatever condition. */
function exportedAs(exports: unknown, part: string): string[] {
  if (exports === null || typeof exports !== 'object') return part === '.' ? strings(exports) : []
  const parts = Object.entries(exports).filter(([name]) => name.startsWith('.'))
  if (parts.length === 0) return part === '.' ? strings(exports) : []
  // The one named most exactly counts.
  for (const [name, target] of parts.sort(([a], [b]) => b.length - a.length)) {
    if (name === part) return strings(target)
    const [head, tail] = name.split('*')
    if (tail === undefined || !part.startsWith(head!) || !part.endsWith(tail)) continue
    const star = part.slice(head!.length, part.length - tail.length)
    return strings(target).map((one) => one.replaceAll('*', () => star))
  }
  return []
}

const deepestConditions = 8

function strings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object' || depth > deepestConditions) return []
  return Object.values(value).flatMap((one) => strings(one, depth + 1))
}

const build = /^(?:dist|build|out|output|lib|libs|esm|cjs|es|types|typings|bundle)(?:[-.]\w+)?$/i

/** `./dist/esm/x.d.ts` may come from `./src/x.ts`, `./src/esm/x.ts`, `./x.ts`. */
function unbuilt(target: string): string[] {
  const bare = target.replace(/^\.\//, '').replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
  const segments = bare.split('/')
  if (segments.includes('..')) return []
  const found: string[] = []
  for (let i = 1; i < segments.length && build.test(segments[i - 1]!); i++)
    for (const place of ['src/', '']) found.push(`./${place}${segments.slice(i).join('/')}`)
  return found
}

function manifestAt(tree: Tree, folder: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(tree.text(joined(folder, 'package.json')!) ?? 'null')
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const mostPatterns = 100

function patternsAt(tree: Tree, place: string): string[] {
  const workspaces = manifestAt(tree, place)?.workspaces
  const listed = Array.isArray(workspaces)
    ? workspaces
    : ((workspaces as { packages?: unknown } | undefined)?.packages ?? [])
  const pnpm = tree.text(joined(place, 'pnpm-workspace.yaml')!) ?? ''
  const rows = /^packages:[ \t]*\n((?:[ \t]*(?:-[^\n]*|#[^\n]*)?\n?)*)/m.exec(pnpm)?.[1] ?? ''
  const items = [...rows.matchAll(/^[ \t]*-[ \t]*["']?([^"'\s#]+)/gm)].map(([, pattern]) => pattern!)
  return [...(Array.isArray(listed) ? listed : []), ...items]
    .filter((pattern): pattern is string => typeof pattern === 'string' && !pattern.startsWith('!'))
    .map((pattern) => pattern.replace(/^\.\/|\/$/g, ''))
    .slice(0, mostPatterns)
}

const mostFolders = 1_000
const deepest = 3

/** The folders of a pattern: a star is one folder, two are some. */
function expanded(tree: Tree, place: string, segments: readonly string[]): string[] {
  let level = [place]
  for (const segment of segments) {
    const next =
      segment === '**'
        ? level.flatMap((one) => below(tree, one))
        : level.flatMap((one) => within(tree, one, segment))
    level = next.slice(0, mostFolders)
  }
  return level.filter((one) => tree.file(joined(one, 'package.json')!) !== null)
}

function within(tree: Tree, folder: string, segment: string): string[] {
  if (!segment.includes('*'))
    return [joined(folder, segment)].filter((one) => one !== null && tree.folder(one)) as string[]
  const [head, ...rest] = segment.split('*')
  const tail = rest.at(-1)!
  return tree
    .names(folder)
    .filter((name) => name.startsWith(head!) && name.endsWith(tail) && !name.startsWith('.'))
    .map((name) => joined(folder, name)!)
    .filter((one) => tree.folder(one))
}

function below(tree: Tree, folder: string): string[] {
  let level = [folder]
  const all = [folder]
  for (let depth = 0; depth < deepest && all.length < mostFolders; depth++) {
    level = level.flatMap((one) => within(tree, one, '*'))
    all.push(...level)
  }
  return all
}
