import { statSync } from 'node:fs'
import { version } from '../version.js'

const program = new URL('../../../bundle/program.js', import.meta.url)
// Read when the process starts: an engine goes on with the program that it loaded, also after a clone is compiled again.
const loaded = `${version()} ${statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? ''}`

/** The version of the program and, for a clone that is compiled again and again, when that was. Others do not share. */
export function build(): string {
  return loaded
}
