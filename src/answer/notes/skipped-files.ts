// Files that the last run skipped although Carrel reads files of their kind: too large, binary, a link.
import { notRead } from '../../ingest/ingest.js'
import type { Note } from '../../model/problem.js'
import type { LastRun, SkippedFile } from '../../model/reports.js'
import { lastRunRecord } from '../last-run.js'
import type { Library } from '../library.js'

export function isWorthTelling(reason: string): boolean {
  return reason !== notRead
}

/** The files that the last run skipped, in all sources or in those with the ids `asked`. */
export async function skippedFiles(library: Library, asked?: readonly string[]): Promise<SkippedFile[]> {
  const last = await library.store.records.get<LastRun>(lastRunRecord.kind, lastRunRecord.id)
  const names = new Set(library.sources.filter(({ id }) => asked?.includes(id)).map(({ name }) => name))
  return (last?.skippedFiles ?? []).filter(({ source }) => !asked || names.has(source))
}

const mostNamed = 3

/** Names skipped files beside an empty answer: the text that the user looks for may be in one of them. */
export async function skippedFilesNote(
  library: Library,
  { isEmpty, askedSources }: { isEmpty: boolean; askedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  const files = isEmpty ? await skippedFiles(library, askedSources) : []
  if (files.length === 0) return null
  const named = files.slice(0, mostNamed).map(({ path, reason }) => `${path} (${reason.replace(/\.$/, '')})`)
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
  const message = `Not indexed, and so not searched: ${named.join(', ')}${more}. "carrel status" lists them.`
  return { code: 'skipped_files', message }
}
