// Which files are read, by whom, and how large they may be. Text is parsed in threads; formats that only foreign code can
// read are converted in processes that can be killed.
import type { Limits } from '../model/settings.js'
import { formatOf } from '../parse/formats.js'
import { officeFormatOf } from '../parse/office/format-of-bytes.js'
import { type ConvertPool, convertPool } from './convert/convert-pool.js'
import { type ImportReading, type ImportTask, importPool } from './import-pool.js'
import { type ParsePool, parsePool } from './parse-pool.js'
import type { Reading, Task } from './task.js'

export interface Readers {
  read(task: Task): Promise<Reading>
  /** How many files are read at a time. */
  readonly size: number
  readonly converting: ConvertPool
  /** What a file of a folder imports, and the folder's files that this leads to. */
  imports(task: ImportTask): Promise<ImportReading>
  close(): Promise<void>
}

export function openReaders(limits: Limits): Readers {
  const parsing: ParsePool = parsePool(limits)
  const converting = convertPool({
    processes: Math.max(1, Math.ceil(limits.workers / 2)),
    inputBytes: limits.documentBytes,
  })
  const importing = importPool(limits)
  return {
    imports: importing.read,
    read: (task) => (isConverted(task.as?.name ?? task.path) ? converting.read(task) : parsing.read(task)),
    size: limits.workers,
    converting,
    async close() {
      await Promise.all([parsing.close(), converting.close(), importing.close()])
    },
  }
}

/** The most bytes a file of this name may have; null when it is not a kind that is read. */
export function sizeLimit(path: string, limits: Limits): number | null {
  if (isConverted(path)) return limits.documentBytes
  return formatOf(path) ? limits.fileBytes : null
}

export function isRead(path: string): boolean {
  return isConverted(path) || formatOf(path) !== null
}

function isConverted(path: string): boolean {
  return officeFormatOf(path) !== null
}
