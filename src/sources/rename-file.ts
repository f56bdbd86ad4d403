// Retries renames on Windows, which refuses to rename or replace a file while another program has it open, for example
// a virus scanner. A moment later it works. On other systems such an error is final.
import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const waitsMs = [10, 20, 50, 100, 200, 400, 800]
const held = new Set(['EPERM', 'EACCES', 'EBUSY'])

export async function renameFile(from: string, to: string, platform = process.platform): Promise<void> {
  for (const ms of waitsOn(platform)) {
    try {
      return await rename(from, to)
    } catch (error) {
      throwUnlessHeld(error)
    }
    await sleep(ms)
  }
  await rename(from, to)
}

/** The same, synchronously. */
export function renameFileSync(from: string, to: string, platform = process.platform): void {
  for (const ms of waitsOn(platform)) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      throwUnlessHeld(error)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  }
  renameSync(from, to)
}

function waitsOn(platform: NodeJS.Platform): readonly number[] {
  return platform === 'win32' ? waitsMs : []
}

function throwUnlessHeld(error: unknown) {
  if (!held.has((error as NodeJS.ErrnoException).code ?? '')) throw error
}
