// The records of one repository of ../shared/data/adr, or of the archive, as a library, asked the way the tool asks.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Library } from '../src/answer/library.js'
import { fillVectors } from '../src/answer/vectors.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { settingsFor } from '../test/support/world.js'
import { archivedFiles, writeFiles } from './alignment-data.js'
import { adrFolder, expectedRecords, ownLibraries } from './sets/adr/records.js'

export function repositoryOf(path: string): string {
  return path.split('/')[0]!
}

/** The path of a record in its library, as the labelled sets write it. */
export function labelledPath(path: string): string {
  return path.replace(/^docs\/adr\//, '')
}

export async function withRecordsOf<T>(
  repository: string,
  { byWords }: { byWords: boolean },
  use: (library: Library) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'carrel-evals-'))
  for (const [path, text] of archivedFiles(`${ownLibraries}${repository}/`))
    writeFiles(new Map([[path.slice(ownLibraries.length), text]]), join(root, 'docs/adr'))
  for (const { path } of expectedRecords().filter(({ path }) => repositoryOf(path) === repository)) {
    mkdirSync(dirname(join(root, 'docs/adr', path)), { recursive: true })
    cpSync(join(adrFolder, path), join(root, 'docs/adr', path))
  }
  const library = await openLibrary({
    ...settingsFor(root),
    embedding: byWords ? { provider: 'none' } : { provider: 'bundled', threads: 2 },
  })
  try {
    await indexAll(library, {})
    await fillVectors(library)
    return await use(library)
  } finally {
    await library.close()
    rmSync(root, { recursive: true, force: true })
  }
}
