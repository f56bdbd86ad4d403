// The languages of scripts whose names have no ending: their first line says it.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { languageOfScript, mayBeScript } from '../../parse/formats.js'

/** By path, of those that have such a line. */
export async function scriptLanguages(
  root: string,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const languages = new Map<string, string>()
  for (const path of files.filter(mayBeScript)) {
    signal?.throwIfAborted()
    const language = languageOfScript(await headOf(join(root, path)))
    if (language !== null) languages.set(path, language)
  }
  return languages
}

const headBytes = 200

/** Nothing of what cannot be read: whoever reads it whole says why. */
async function headOf(file: string): Promise<string> {
  const how = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(file, how).catch(() => null)
  if (!handle) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await handle.close()
  }
}
