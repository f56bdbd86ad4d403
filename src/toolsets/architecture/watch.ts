// Notifies connected clients when prompts or documents of architecture change.

import { architectureDocuments } from '../../answer/architecture/documents.js'
import type { Library } from '../../answer/library.js'
import { type Poller, poll } from '../../runtime/poll.js'
import { readPrompts } from './prompts/prompt-files.js'

export type ArchitectureChange =
  | { kind: 'prompts' }
  | { kind: 'resources' }
  | { kind: 'resource'; uri: string }

export interface WatchOptions {
  onChange(change: ArchitectureChange): void
  /** Called with the problem of a prompt file, once for each version of it. */
  onTrouble?(message: string): void
  everyMs?: number
}

/**
 * Looks every other second. The folder of prompts is small and may not exist yet, and the index tells in one query
 * whether anything changed: looking costs less than watching, and misses nothing on any file system.
 */
export function watchArchitecture(
  library: Library,
  { onChange, onTrouble, everyMs = 2_000 }: WatchOptions,
): Poller {
  let prompts: string | null = null
  let documents: Map<string, string> | null = null
  const reported = new Set<string>()

  async function lookOnce() {
    const { version, problems } = await readPrompts(library.settings.root)
    if (prompts !== null && prompts !== version) onChange({ kind: 'prompts' })
    prompts = version
    for (const { file, message, state } of problems) {
      const trouble = `The prompt ${file} is ${words[state]}: ${message}`
      if (!reported.has(trouble)) onTrouble?.(trouble)
      reported.add(trouble)
    }
    const now = new Map((await architectureDocuments(library)).map(({ uri, hash }) => [uri, hash]))
    for (const change of documents === null ? [] : changesBetween(documents, now)) onChange(change)
    documents = now
  }

  return poll(lookOnce, { everyMs, onTrouble })
}

const words = { skipped: 'left out', kept: 'offered as it was before', warning: 'odd' }

function changesBetween(before: Map<string, string>, now: Map<string, string>): ArchitectureChange[] {
  const same = before.size === now.size && [...now.keys()].every((uri) => before.has(uri))
  const touched = [...now].filter(([uri, hash]) => before.has(uri) && before.get(uri) !== hash)
  return [
    ...(same ? [] : [{ kind: 'resources' as const }]),
    ...touched.map(([uri]) => ({ kind: 'resource' as const, uri })),
  ]
}
