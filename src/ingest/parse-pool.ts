// Threads that read and parse files for the index.
import type { Reading, Task } from './task.js'
import { threadPool } from './thread-pool.js'

export interface ParsePool {
  read(task: Task): Promise<Reading>
  readonly size: number
  close(): Promise<void>
}

export function parsePool(options: { workers: number; fileMs: number }): ParsePool {
  const { run, size, close } = threadPool<Task, Reading>({
    script: new URL('./parse-worker.js', import.meta.url),
    size: options.workers,
    taskMs: options.fileMs,
    lost: (reason) => ({ state: 'failed', reason }),
  })
  return { read: run, size, close }
}
