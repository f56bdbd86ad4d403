// What git says of a folder's files beside the ignore files among them: which it tracks, and what somebody has it ignore in
// this copy alone.
import { type FSWatcher, watch } from 'node:fs'
import { sourceFolders } from '../sources/excluded-paths.js'
import { gitFoldersOf } from '../sources/tracked-files.js'

export interface HeldGit {
  close(): void
}

/** Whatever git does writes its index, most often several times. */
const gatherMs = 300

/** Says when other files may belong to a folder than before. A repository that is made later is not noticed. */
export async function holdGit(folder: string, onChange: () => void): Promise<HeldGit> {
  const watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let before = await told(folder)
  const compare = async () => {
    const now = await told(folder)
    if (now !== before) onChange()
    before = now
  }
  const later = (work: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(work, gatherMs).unref()
  }
  const { own, info } = gitFoldersOf(folder) ?? {}
  hold(own, (name) => name === 'index' && later(() => void compare().catch(onChange)))
  hold(info, (name) => name === 'exclude' && onChange())

  function hold(path: string | undefined, hear: (name: string | null) => void) {
    if (path === undefined) return
    try {
      const watcher = watch(path, { persistent: false }, (_, name) => hear(name))
      watchers.push(watcher.on('error', () => watcher.close()))
    } catch {
      // Not there, or more than the system watches: it is looked at now and then all the same.
    }
  }
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

async function told(folder: string): Promise<string> {
  return [...(await sourceFolders(folder))].sort().join('\0')
}
