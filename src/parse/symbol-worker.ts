// A thread that reads the names of long files, see symbol-pool.ts.
import { parentPort } from 'node:worker_threads'
import { fileSymbols } from './file-symbols.js'
import type { SymbolTask } from './symbol-pool.js'

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ id, task }: { id: number; task: SymbolTask }) => {
  last = last.then(async () => {
    parentPort!.postMessage({ id, answer: await fileSymbols(task.path, task.text) })
  })
})
