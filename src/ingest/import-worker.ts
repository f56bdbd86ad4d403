// A thread that reads imports: one file at a time, from its text to the files it needs.
import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../model/problem.js'
import { readImports } from '../parse/imports/read-imports.js'
import { resolveImports } from '../sources/imports/resolve.js'
import type { ImportAnswer, ImportJob } from './import-pool.js'

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ id, task }: { id: number; task: ImportJob }) => {
  last = last.then(async () => parentPort!.postMessage({ id, answer: await read(task) }))
})

async function read({ root, path, source }: ImportJob): Promise<ImportAnswer> {
  try {
    const imports = 'text' in source ? await readImports(path, source.text) : source.imports
    if (!imports) return { imports, dependencies: [] }
    const { dependencies, error } = await resolveImports(root, path, imports)
    const said = [imports.error, error].filter(Boolean).join(' ')
    return { imports, dependencies, ...(said && { error: said }) }
  } catch (error) {
    return { dependencies: [], error: reasonOf(error) }
  }
}
