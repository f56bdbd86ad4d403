// The limits of a conversion, and the errors for exceeding them.
import { Problem } from '../../model/problem.js'

export interface ConvertLimits {
  /** Files larger than this are not read. */
  inputBytes: number
  /** For one file, from the moment a process works on it. */
  timeMs: number
  /** Of one process in all: heap, native memory and the program itself. */
  memoryMb: number
  /** Of the text of one document, as UTF-8. A longer text is cut, with a note. */
  outputBytes: number
}

export const defaultLimits: ConvertLimits = {
  inputBytes: 50_000_000,
  timeMs: 60_000,
  memoryMb: 1024,
  outputBytes: 8_000_000,
}

/** Written by a process that ends itself for its size. */
export const memoryExceeded = 'carrel-convert: memory limit exceeded\n'

export function tooLarge(size: number, { inputBytes }: ConvertLimits): Problem {
  return new Problem(
    'too_large',
    `It is larger than the limit of ${megabytes(inputBytes)} that limits.documentSize sets (${megabytes(size)}).`,
  )
}

export function tooSlow({ timeMs }: ConvertLimits): Problem {
  return new Problem('too_slow', `Reading it took longer than ${Math.round(timeMs / 100) / 10} s.`)
}

/** Why a working process ended, judged by its last output and the signal that ended it. */
export function crashed(output: string, signal: string | null, limits: ConvertLimits): Problem {
  if (
    output.includes(memoryExceeded.trim()) ||
    /heap out of memory|Allocation failed|Array buffer allocation/.test(output)
  )
    return new Problem('too_much_memory', `Reading it took more than ${limits.memoryMb} MB of memory.`)
  return new Problem('crashed', `Reading it stopped the converter${signal ? ` (${signal})` : ''}.`)
}

/** The bytes of a document and what is known about it. */
export function mostRequest({ inputBytes }: ConvertLimits): number {
  return inputBytes + 4_000_000
}

/** The text of a document, its structure and its terms. */
export function mostReply({ outputBytes }: ConvertLimits): number {
  return outputBytes * 12 + 4_000_000
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
