// Words that are spelled right, whether or not a library has them: those that the bundled model knows whole.
import { readFile } from 'node:fs/promises'
import { locateModel } from './model-files.js'

let words: Promise<ReadonlySet<string>> | null = null

/** A question asks for them once; without the model's files no word is known. */
export function englishWords(): Promise<ReadonlySet<string>> {
  words ??= readWords().catch(() => new Set<string>())
  return words
}

async function readWords(): Promise<ReadonlySet<string>> {
  const { tokenizer } = await locateModel()
  const { model } = JSON.parse(await readFile(tokenizer, 'utf8')) as { model: { vocab: object } }
  return new Set(Object.keys(model.vocab).filter((piece) => /^[a-z]{3,}$/.test(piece)))
}
