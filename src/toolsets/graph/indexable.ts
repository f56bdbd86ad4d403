// Refuses notes that the index would not take, before they are written: a note that no search finds is lost.

import { join } from 'node:path'
import type { Library } from '../../answer/library.js'
import { noteEnding, plainPath } from '../../graph/names.js'
import { ingestFiles } from '../../ingest/ingest-files.js'
import { Problem } from '../../model/problem.js'
import type { Outcome } from '../../model/reports.js'
import { decode, isControl } from '../../parse/decode.js'
import { lists } from '../../sources/folder.js'
import { look } from '../../sources/safe-file.js'
import { lineAt, lineStarts } from '../../text/lines.js'
import { filesRun } from './current.js'
import { invalid } from './files.js'
import { idOf, type Spot, type Vault, vaultFor } from './vaults.js'

/** Throws for bytes that would not be indexed. `what` begins the sentence. */
export function requireIndexable({ settings }: Library, bytes: Uint8Array, what = 'The note') {
  const { fileBytes } = settings.limits
  if (bytes.length > fileBytes)
    throw invalid(
      `${what} would have ${bytes.length} bytes.`,
      `At most ${fileBytes} are indexed; make two of it. Nothing was changed.`,
    )
  if (isText(bytes)) return
  throw invalid(
    `${what} would be taken for a binary file: it has control characters, ${firstControl(bytes)}.`,
    'Leave them out, or spell them in letters. Nothing was changed.',
  )
}

function isText(bytes: Uint8Array): boolean {
  try {
    decode(bytes)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function firstControl(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const at = text.includes('\0')
    ? text.indexOf('\0')
    : Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).findIndex(isControl)
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return `U+${code} in line ${lineAt(lineStarts(text), at)}`
}

/**
 * Reads a file that an id names and that is not indexed yet. Null if there is none, or if a rule excludes it. Throws if it
 * cannot be indexed: no client can have read it, so none may replace or remove it.
 */
export async function indexableNow(
  library: Library,
  vaults: readonly Vault[],
  id: string,
): Promise<Spot | null> {
  const spot = fileNamed(vaults, id)
  return spot && (await isIndexableNow(library, spot)) ? spot : null
}

/** The same for reading: null, too, if the file cannot be indexed. */
export async function readNow(library: Library, vaults: readonly Vault[], id: string): Promise<Spot | null> {
  const spot = fileNamed(vaults, id)
  const outcome = spot && (await indexDocument(library, spot))
  return outcome?.state === 'stored' ? spot : null
}

function fileNamed(vaults: readonly Vault[], id: string): Spot | null {
  const place = vaultFor(vaults, id)
  const path = place && plainPath(noteEnding(place.path) === '' ? `${place.path}.md` : place.path)
  return path ? { vault: place.vault, path } : null
}

/** The same for a path. True if the file is indexed now. */
export async function isIndexableNow(library: Library, spot: Spot): Promise<boolean> {
  const outcome = await indexDocument(library, spot)
  if (outcome?.state !== 'skipped' && outcome?.state !== 'failed') return outcome?.state === 'stored'
  throw new Problem(
    'provider_error',
    `${idOf(spot)} is there, but not in the index. ${outcome.reason}`,
    'Mend or remove the file by hand. Nothing was changed.',
  )
}

async function indexDocument(library: Library, { vault, path }: Spot): Promise<Outcome | undefined> {
  const found = look(join(vault.folder.path, path))
  if (found === null || typeof found === 'string' || !(await lists(vault.folder, path))) return undefined
  const [outcome] = await ingestFiles(library, filesRun(library, vault), [path])
  return outcome
}
