// Files that the last run skipped although they are of a kind that is read: over a limit, binary, a link. An answer that
// finds nothing names them, as the reason may be that what was asked for lies in one of them.
import { notRead } from '../../ingest/ingest.js'
import type { Note } from '../../model/problem.js'
import type { LastRun, SkippedFile } from '../../model/reports.js'
import { lastRunRecord } from '../last-run.js'
import type { Library } from '../library.js'

export function isWorthTelling(reason: string): boolean {
  return reason !== notRead
}

/** Those of the last run; of `asked` alone, where sources are named by their ids. */
export async function skippedFiles(library: Library, asked?: readonly string[]): Promise<SkippedFile[]> {
  const last = await library.store.records.get<LastRun>(lastRunRecord.kind, lastRunRecord.id)
  const names = new Set(library.sources.filter(({ id }) => asked?.includes(id)).map(({ name }) => name))
  return (last?.skippedFiles ?? []).filter(({ source }) => !asked || names.has(source))
}

const mostNamed = 3

export async function aboutSkipped(library: Library, asked?: readonly string[]): Promise<Note[]> {
  const files = await skippedFiles(library, asked)
  if (files.length === 0) return []
  const named = files.slice(0, mostNamed).map(({ path, reason }) => `${path} (${reason.replace(/\.$/, '')})`)
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
  const message = `Not indexed, and so not searched: ${named.join(', ')}${more}. "carrel status" lists them.`
  return [{ code: 'skipped_files', message }]
}
