// Processes that read imports and resolve them, apart from the threads that index: a question is not kept waiting by a
// run. The resolver is native code that a hostile manifest can crash or block (a package.json nested 200,000 deep, a
// tsconfig with 20,000 ancestors, a pipe), and a thread that crashes so takes the server with it. What a text imports is
// remembered by its content; where that leads is looked up every time, since files come and go.
import type { Dependency, Imports } from '../model/imports.js'
import { importsAreRead } from '../parse/imports/read-imports.js'
import { lru } from '../runtime/lru.js'
import { processWorker } from '../runtime/process-worker.js'
import { workerPool } from '../runtime/worker-pool.js'
import { hashOf } from '../text/hash.js'

export interface ImportTask {
  /** The folder's real path and the file's path in it. */
  root: string
  path: string
  text: string
}

export interface ImportReading {
  dependencies: Dependency[]
  /** Why some may be missing. */
  error?: string
}

/** What a process is given: a text, or what is known of it. */
export interface ImportJob {
  root: string
  path: string
  source: { text: string } | { imports: Imports | null }
}

export interface ImportAnswer extends ImportReading {
  /** Undefined when it is unknown. */
  imports?: Imports | null
}

export interface ImportPool {
  read(task: ImportTask): Promise<ImportReading>
  close(): Promise<void>
}

// The first task waits for its process to start.
const taskMs = 8_000
const mostProcesses = 2

export function importPool(limits: { workers: number }): ImportPool {
  const known = lru<string, Imports | null>(4_000)
  const { run, close } = workerPool<ImportJob, ImportAnswer>({
    start: () => processWorker(new URL('./import-child.js', import.meta.url)),
    size: Math.min(mostProcesses, limits.workers),
    taskMs,
    prefetch: 64,
    lost: ({ reason }) => ({ dependencies: [], error: reason }),
  })
  return {
    async read({ root, path, text }) {
      if (!importsAreRead(path, text)) return { dependencies: [] }
      // The ending chooses the grammar, so it belongs to what is remembered.
      const key = hashOf(path.slice(path.lastIndexOf('.') + 1), text)
      const imports = known.get(key)
      const source = imports === undefined ? { text } : { imports }
      const { imports: fresh, ...reading } = await run({ root, path, source })
      // A file of more than a thousand imports is generated; it may be read again.
      if (fresh !== undefined && (fresh?.imports.length ?? 0) <= 1_000) known.set(key, fresh)
      return reading
    },
    close,
  }
}
