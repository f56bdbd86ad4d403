// The messages between the pool and its processes.

import type { Readable, Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import type { Parsed } from '../../model/document.js'
import type { OfficeFormat } from '../../parse/formats.js'
import type { RawDocument } from '../prepare.js'
import type { PackedDocument, Reading, Task } from '../task.js'
import type { PageReading, PageTask } from './page-task.js'

/** A document to convert: its bytes, or the absolute path of a file that the process reads itself. */
export type ConvertTask = {
  /** Its name, for the ending and for messages. */
  path: string
  /** The format by its name. Its bytes decide. */
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

/** `rss` is the memory of the process at that time. */
export type Reply = { result: Result; rss: number } | { problem: SentProblem; rss: number }

export interface SentProblem {
  code: string
  message: string
  hint?: string
}

// Messages over a pipe: four bytes of length, then the value in V8's own serialization (bytes travel as bytes).

export function sendFrame(pipe: Writable, value: unknown) {
  const body = serialize(value)
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(body.length)
  pipe.write(head)
  pipe.write(body)
}

/** Calls back with every message. One that announces more than `most` bytes is not read; `onTooLong` is called instead. */
export function readFrames(
  pipe: Readable,
  most: number,
  { onFrame, onTooLong }: { onFrame(value: unknown): void; onTooLong(length: number): void },
) {
  let parts: Buffer[] = []
  let have = 0
  let needed = 4
  let inBody = false
  pipe.on('data', (part: Buffer) => {
    parts.push(part)
    have += part.length
    while (have >= needed) {
      const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      const frame = whole.subarray(0, needed)
      parts = whole.length > needed ? [whole.subarray(needed)] : []
      have -= needed
      if (inBody) onFrame(deserialize(frame))
      const length = inBody ? 4 : frame.readUInt32LE()
      if (length > most && !inBody) {
        pipe.pause()
        parts = []
        return onTooLong(length)
      }
      needed = length
      inBody = !inBody
    }
  })
}
