// What every file of ../shared/data/adr says, checked by hand. Only names and standings are kept here, no text.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AdrStatus } from '../../../src/parse/adr/adr.js'

export type ExpectedRecord =
  | { path: string; record: false }
  | {
      path: string
      record: true
      id: string
      title: string
      status: AdrStatus
      supersedes: string[]
      superseded_by: string[]
    }

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url))
export const adrFolder = join(projectRoot, '..', 'shared', 'data', 'adr')
/** Where the archive has the records written for the evaluation, of imaginary companies. */
export const ownLibraries = 'sets/adr/libraries/'
export const noAdrs = existsSync(adrFolder) ? false : 'needs ../shared/data/adr'

export function expectedRecords(): ExpectedRecord[] {
  return readFileSync(join(projectRoot, 'evals/sets/adr/records.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExpectedRecord)
}

export function textOfRecord(path: string): string {
  return readFileSync(join(adrFolder, path), 'utf8')
}
