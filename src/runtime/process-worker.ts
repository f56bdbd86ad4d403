import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PoolWorker } from './worker-pool.js'

/** A process in the place of a thread: it may crash, and it can be ended whatever it is stuck in. */
export function processWorker(script: URL): PoolWorker {
  const child = fork(fileURLToPath(script), [], {
    serialization: 'advanced',
    // Standard output belongs to the owner, which may speak a protocol on it.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return {
    // One that died meanwhile says so by its exit.
    postMessage: (message) => child.send(message as object, () => {}),
    on: (event, listener) => child.on(event, listener),
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    terminate: () => child.kill('SIGKILL'),
  }
}
