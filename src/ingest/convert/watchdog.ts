// A second thread, since the conversion may be stuck in a library for good. It ends the process when it grows beyond
// its limit (native memory counts, which V8's own limit does not see) and when the process that started it is gone.
// From inside and not by the parent, because the same few lines then work on every system, and after the parent died.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { memoryExceeded } from './limits.js'

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number }
const everyMs = 50

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) {
    writeSync(2, memoryExceeded)
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.ppid !== parent || isGone(parent)) process.kill(process.pid, 'SIGKILL')
}, everyMs)

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
