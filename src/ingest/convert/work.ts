// The work of a converting process on a document.
import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Parsed } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { OfficeFormat } from '../../parse/formats.js'
import { officeFormatOf } from '../../parse/formats.js'
import { parseOffice } from '../../parse/office/parse-office.js'
import { hashOf } from '../../text/hash.js'
import { prepared } from '../prepare.js'
import { readFile } from '../read-file.js'
import { isKnown, knownAs, pack, type Reading, type Task } from '../task.js'
import type { ConvertTask, Result, Work } from './convert-task.js'
import { type ConvertLimits, tooLarge } from './limits.js'
import { fitted } from './output.js'

export async function doWork(work: Work, limits: ConvertLimits): Promise<Result> {
  switch (work.kind) {
    case 'convert':
      return convert(work.task, limits)
    case 'read':
      return readAndPrepare(work.task, limits)
    case 'prepare':
      return pack(
        prepared(
          work.raw,
          await parsedWithin(work.raw.bytes, work.raw.name ?? work.raw.ref.path, work.format, limits),
        ),
      )
    case 'page':
      // Its libraries are of no use to a PDF.
      return (await import('./read-page.js')).readPage(work.page, limits.outputBytes)
  }
}

function convert(task: ConvertTask, limits: ConvertLimits): Promise<Parsed> {
  const bytes = 'bytes' in task ? task.bytes : bytesOf(task.file, limits)
  return parsedWithin(bytes, task.path, task.format, limits)
}

async function parsedWithin(
  bytes: Uint8Array,
  path: string,
  format: OfficeFormat | null,
  limits: ConvertLimits,
): Promise<Parsed> {
  if (bytes.length > limits.inputBytes) throw tooLarge(bytes.length, limits)
  return fitted(await parseOffice(bytes, path, format), limits.outputBytes)
}

function bytesOf(file: string, limits: ConvertLimits): Uint8Array {
  const found = readFile(realpathSync.native(dirname(file)), basename(file), limits.inputBytes)
  if (!('state' in found)) return found.bytes
  throw new Problem('unreadable', found.state === 'gone' ? 'It is not there any more.' : found.reason)
}

/** The same as in a parsing thread, so that the indexer need not know which of the two read a file. */
async function readAndPrepare(task: Task, limits: ConvertLimits): Promise<Reading> {
  const { root, path } = task
  const found = readFile(root, path, Math.min(task.maxBytes, limits.inputBytes))
  if ('state' in found) return found
  const { bytes, stamp, readAt } = found
  const hash = hashOf(bytes)
  if (isKnown(task, hash)) return { state: 'same', stamp, readAt, bytes: bytes.length, hash }
  const name = task.as?.name ?? path
  const parsed = await parsedWithin(bytes, name, officeFormatOf(name), limits)
  const document = pack(prepared({ ...knownAs(task), bytes, stamp, readAt }, parsed))
  return { state: 'read', document, bytes: bytes.length }
}
