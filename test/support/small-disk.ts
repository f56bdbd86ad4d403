import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder, undo } from './world.js'

/** A file system that is soon full, mounted until the test ends. */
export function smallDisk(t: TestContext): string {
  const disk = join(temporaryFolder(t), 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', disk])
  undo(t, () => execFileSync('umount', ['-l', disk]))
  return disk
}

export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['--version'])
    execFileSync(
      'sh',
      [
        '-c',
        'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs "$d" && umount "$d"; r=$?; rmdir "$d"; exit $r',
      ],
      { stdio: 'ignore' },
    )
    return true
  } catch {
    return false
  }
}
