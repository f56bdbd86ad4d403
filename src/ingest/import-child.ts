// A process that reads imports: one file at a time, from its text to the files it needs. It ends with its parent.
import { Worker } from 'node:worker_threads'
import { reasonOf } from '../model/problem.js'
import { readImports } from '../parse/imports/read-imports.js'
import { resolveImports } from '../sources/imports/resolve.js'
import type { ImportAnswer, ImportJob } from './import-pool.js'

const memoryBytes = 1_500_000_000

// A native reader that grows without end, or hangs when the parent dies, is ended by another process.
new Worker(new URL('./convert/watchdog.js', import.meta.url), {
  workerData: { memoryBytes, parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
})

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
process.on('message', ({ id, task }: { id: number; task: ImportJob }) => {
  last = last.then(async () => {
    process.send!({ id, answer: await read(task) })
  })
})
process.on('disconnect', () => process.exit(0))

async function read({ root, path, source }: ImportJob): Promise<ImportAnswer> {
  try {
    const imports = 'text' in source ? await readImports(path, source.text) : source.imports
    if (!imports) return { imports, dependencies: [] }
    const { dependencies, error } = await resolveImports(root, path, imports)
    const errors = [imports.error, error].filter(Boolean).join(' ')
    return { imports, dependencies, ...(errors && { error: errors }) }
  } catch (error) {
    return { dependencies: [], error: reasonOf(error) }
  }
}
