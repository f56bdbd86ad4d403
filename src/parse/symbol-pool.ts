// The names of a file without holding up the main thread: long files are read in a thread beside it.
import { Worker } from 'node:worker_threads'
import { workerPool } from '../runtime/worker-pool.js'
import { lineStarts } from '../text/lines.js'
import { type FileSymbols, fileSymbols } from './file-symbols.js'

export interface SymbolTask {
  path: string
  text: string
}

/** In UTF-16 units. This many take 20 to 40 ms; 20,000 lines of code take 0.4 s. */
const longest = 30_000

const pool = workerPool<SymbolTask, FileSymbols | null>({
  start: () => new Worker(new URL('./symbol-worker.js', import.meta.url)),
  size: 2,
  taskMs: 10_000,
  lost: () => null,
})

export async function pooledSymbols(path: string, text: string): Promise<FileSymbols> {
  if (text.length <= longest) return fileSymbols(path, text)
  const read = await pool.run({ path, text })
  // A text that stops the parser has no names, but still its lines.
  return read ?? { symbols: [], starts: lineStarts(text), comments: [], imports: [], hasTree: false }
}
