import { statSync } from 'node:fs'
import { version } from '../version.js'

/** The version of the program and, for a clone that is compiled again and again, when that was. Others do not share. */
export function build(): string {
  const program = new URL('../../../bundle/main.js', import.meta.url)
  return `${version()} ${statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? ''}`
}
