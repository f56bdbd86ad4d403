// Folders within a folder that nobody may look into, or that the disk does not give: what ripgrep says of them.
import { sep } from 'node:path'

export interface Unreadable {
  path: string
  reason: string
}

/** Those of which a file may be wanted, by path, with a slash at the end. */
export function closedFolders(said: string, include: readonly string[]): Unreadable[] {
  return complaints(said)
    .filter(({ path, code }) => !goneCodes.includes(code) && reaches(include, path))
    .map(({ path, why }) => ({ path: `${path}/`, reason: `The folder cannot be read: ${why}.` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether all that was said is of folders within the one that was to be listed, and not of that itself. */
export function areInside(said: string): boolean {
  const told = complaints(said)
  return told.length > 0 && told.every(({ path }) => path !== '')
}

// `rg: ./path: Permission denied (os error 13)`, where a path may have anything in it, the ends of lines too.
const complaint = /^rg: \.[\\/]((?:(?!\nrg: )[\s\S])*?): ([^:\n]*) \(os error (\d+)\)$/gm

function complaints(said: string) {
  return [...said.matchAll(complaint)].map(([, path, why, code]) => ({
    path: sep === '/' ? path! : path!.replaceAll(sep, '/'),
    why: why!,
    code: code!,
  }))
}

// Not found, on any system: what went away meanwhile is gone, not closed.
const goneCodes = ['2', '3', '20']

// ripgrep looks into every folder, also where no pattern leads. One with a slash inside it starts at the top.
function reaches(include: readonly string[], folder: string): boolean {
  const parts = folder.split('/')
  return include.length === 0 || include.map(fixedParts).some((fixed) => startAlike(parts, fixed))
}

function fixedParts(glob: string): string[] {
  const plain = glob.replace(/\/$/, '')
  if (!plain.includes('/')) return []
  const parts = plain.replace(/^\//, '').split('/')
  const wild = parts.findIndex((part) => /[*?[{\\]/.test(part))
  return wild < 0 ? parts : parts.slice(0, wild)
}

function startAlike(one: readonly string[], other: readonly string[]): boolean {
  return one.every((part, i) => i >= other.length || part === other[i])
}
