// What passes between the pool and its processes.
import type { Parsed } from '../../model/document.js'
import type { OfficeFormat } from '../../parse/formats.js'
import type { RawDocument } from '../prepare.js'
import type { PackedDocument, Reading, Task } from '../task.js'
import type { PageReading, PageTask } from './page-task.js'

/** A document to convert: its bytes, or the absolute path of a file that the process reads itself. */
export type ConvertTask = {
  /** Its name, for the ending and for messages. */
  path: string
  /** What its name says it is; what it is decides. */
  format: OfficeFormat | null
} & ({ bytes: Uint8Array } | { file: string })

export type Work =
  | { kind: 'convert'; task: ConvertTask }
  | { kind: 'read'; task: Task }
  | { kind: 'prepare'; raw: RawDocument; format: OfficeFormat | null }
  | { kind: 'page'; page: PageTask }

export type Result = Parsed | Reading | PackedDocument | PageReading

/** The first message a process sends, when it is ready to work. */
export type Ready = { ready: true }

/** `rss` is what the process takes by then. */
export type Reply = { result: Result; rss: number } | { problem: SentProblem; rss: number }

export interface SentProblem {
  code: string
  message: string
  hint?: string
}
