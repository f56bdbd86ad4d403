// The checkpointer's thread: on request, moves the log into the file, or closes.
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Checkpointed } from './checkpoint.js'

const db = new DatabaseSync((workerData as { file: string }).file)
// Does not wait: if another process blocks the checkpoint, the next one moves the log.
db.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL')

parentPort!.on('message', (message: 'move' | 'close') => {
  if (message === 'move') return parentPort!.postMessage(move())
  db.close()
  parentPort!.close()
})

function move(): Checkpointed {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return { error: null }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { error: { message, ...(errcode === undefined ? {} : { errcode }) } }
  }
}
