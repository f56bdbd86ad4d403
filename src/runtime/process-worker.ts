import { type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PoolWorker } from './worker-pool.js'

/** A process as a worker of a pool: it may crash, and it can be ended whatever it is stuck in. */
export function processWorker(script: URL, args: string[] = [], options: ForkOptions = {}): PoolWorker {
  const child = fork(fileURLToPath(script), args, {
    serialization: 'advanced',
    // Standard output belongs to the owner, which may speak a protocol on it.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    ...options,
  })
  return {
    // A process that could not be started, or has died, says so by its own event.
    postMessage: (message) => child.connected && child.send(message, () => {}),
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
