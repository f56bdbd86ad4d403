// Swaps a folder with a link to another one, as fast as it can, until its parent disconnects.
import { renameSync, rmSync, symlinkSync } from 'node:fs'

const [place, hold, outside] = process.argv.slice(2) as [string, string, string]
let over = false
process.on('disconnect', () => {
  over = true
})
process.send?.('ready')
swapOn()

function swapOn() {
  for (let i = 0; i < 100; i++) {
    renameSync(place, hold)
    // A writer may have made a folder in the moment in which there was none.
    replacing(() => symlinkSync(outside, place))
    spin(i * 2)
    replacing(() => renameSync(hold, place))
    spin(i * 3)
  }
  if (!over) setImmediate(swapOn)
}

function replacing(work: () => void) {
  for (;;) {
    try {
      rmSync(place, { recursive: true, force: true })
      return work()
    } catch {
      // A folder was made again; it goes, too.
    }
  }
}

/** Different lengths, so that the swaps meet every step of a writer. */
function spin(micros: number) {
  const end = performance.now() + micros / 1000
  while (performance.now() < end);
}
