// The packages a project holds itself. Once it is installed, links lead to them; before that, its manifests say where
// they are.
import { joined, type Tree, upwards } from './tree.js'

export interface Workspace {
  folder: string
  /** Whether it says itself what may be imported from it. */
  hasExports: boolean
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
        found.set(manifest.name, { folder: one, hasExports: manifest.exports !== undefined })
    }
    return found
  }
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
  const said = manifestAt(tree, place)?.workspaces
  const listed = Array.isArray(said) ? said : ((said as { packages?: unknown } | undefined)?.packages ?? [])
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
