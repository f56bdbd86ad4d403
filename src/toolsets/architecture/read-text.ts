// A file of the project as text, whatever it is encoded in, or why it cannot be had.
import { readFile, stat } from 'node:fs/promises'
import { reasonOf } from '../../model/problem.js'
import { decode } from '../../parse/decode.js'

export type TextOrFault = { text: string } | { failed: string }

export async function readText(file: string, mostBytes: number): Promise<TextOrFault> {
  try {
    const { size } = await stat(file)
    if (size > mostBytes) return { failed: `The file has ${size} bytes, more than is looked at.` }
    return { text: decode(await readFile(file), null).text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { failed: code && /^E[A-Z]+$/.test(code) ? `The file cannot be read (${code}).` : reasonOf(error) }
  }
}
