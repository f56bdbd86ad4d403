// Which places outside a project its user added on the command line. The file is the user's own: a project's files
// cannot give themselves consent.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { readSmallFile } from '../safe-file.js'
import { replaceFile } from '../whole-file.js'

/** By the project's real root: the canonical addresses of packages. */
export type Consents = Record<string, string[]>

const schema = z.record(z.string(), z.array(z.string()))
const mostBytes = 10_000_000

/** A missing or damaged file means no consent. */
export function readConsents(file: string): Consents {
  try {
    const read = readSmallFile(file, mostBytes)
    return 'text' in read ? schema.parse(JSON.parse(read.text)) : {}
  } catch {
    return {}
  }
}

export function writeConsents(file: string, consents: Consents) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, `${JSON.stringify(consents, null, 2)}\n`, { mode: 0o600 })
  } catch (cause) {
    const { code, path = file } = cause as NodeJS.ErrnoException
    throw new Problem(
      'closed_file',
      `${file}, which keeps what you allowed, cannot be written: ${code} at ${path}.`,
      'See who may write there, or allow the place for each run with --allow-outside.',
      { cause },
    )
  }
}
