// Finds this project's entry in a client's file. A project's file has one entry, `carrel`. All projects share the user's
// file: each has its own entry there, so that setting up or removing one leaves the others alone.
import { basename } from 'node:path'

/** An entry of ours that is in the file already. */
export interface Entry {
  name: string
  /** The folder that its arguments name. */
  root: string | null
  /** The address of a running server. */
  url: string | null
}

export const sharedName = 'carrel'

export function isOurName(name: string): boolean {
  return name === sharedName || name.startsWith(`${sharedName}-`)
}

/**
 * The name to write under. The entry of this project keeps its name. `shared` asks for the entry without a folder; when an
 * older version bound that name to another project, the answer is a name for this project alone.
 */
export function nameToWrite(
  entries: readonly Entry[],
  { root, url, shared }: { root: string; url: string | undefined; shared: boolean },
): string {
  const own = entries.find((one) => one.url !== null && one.url === url) ?? boundTo(entries, root)
  if (own) return own.name
  const there = entries.find(({ name }) => name === sharedName)
  if (shared && (!there || isShared(there))) return sharedName
  const name = projectName(root)
  const used = new Set(entries.map((one) => one.name))
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name}-${n}`
    if (!used.has(numbered)) return numbered
  }
}

/** The entry to remove for this project, or null. An entry for every project goes last. */
export function nameToRemove(
  entries: readonly Entry[],
  { root, url }: { root: string; url: string | undefined },
): string | null {
  if (url !== undefined) return entries.find((one) => one.url === url)?.name ?? null
  const address = entries.find(({ name, root: folder }) => name === projectName(root) && folder === null)
  const shared = entries.find((one) => one.name === sharedName && one.root === null)
  return (boundTo(entries, root) ?? address ?? shared)?.name ?? null
}

function boundTo(entries: readonly Entry[], root: string): Entry | undefined {
  return entries.find((one) => one.root === root)
}

function isShared({ root, url }: Entry): boolean {
  return root === null && url === null
}

// Clients put the server's name before the tool's, and some models take no more than 64 characters for both.
const longestFolder = 20

function projectName(root: string): string {
  const folder = basename(root)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestFolder)
    .replace(/^-+|-+$/g, '')
  return `${sharedName}-${folder || 'project'}`
}
