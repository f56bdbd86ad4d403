import { statSync } from 'node:fs'
import { Problem } from '../model/problem.js'

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Throws if a folder of the project does not exist. */
export function requireFolder(path: string) {
  if (!isFolder(path)) throw noFolder(path)
}

export function noFolder(path: string, cause?: unknown): Problem {
  const hint = 'Put it back if it was moved, mount it, or check --root and the sources in carrel.json.'
  return new Problem('no_folder', `There is no folder at ${path}.`, hint, { cause })
}
