// Runs ripgrep once, and reads its output formats other than JSON.
import { spawn } from 'node:child_process'
import { Problem } from '../model/problem.js'
import { ripgrep } from './ripgrep.js'

export interface Search {
  /** A real path. */
  root: string
  pattern: string
  signal?: AbortSignal | undefined
}

export type Output = AsyncIterable<Buffer>

/** Runs ripgrep and passes its output to a reader. The process ends with the reader or with this call. */
export async function run(
  query: Search,
  args: string[],
  read: (stdout: Output) => Promise<void>,
): Promise<void> {
  query.signal?.throwIfAborted()
  const child = spawn(await ripgrep(), args, {
    cwd: query.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const kill = () => void child.kill('SIGKILL')
  query.signal?.addEventListener('abort', kill, { once: true })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < 10_000) said += part.toString('utf8')
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  ended.catch(() => {})
  try {
    await read(child.stdout)
    if (!child.stdout.readableEnded) kill()
    const code = await ended
    query.signal?.throwIfAborted()
    if (code === 2 && said !== '') throw failure(query.pattern, said)
  } finally {
    kill()
    query.signal?.removeEventListener('abort', kill)
  }
}

/** Reads records of a path, NUL and a number: a path may contain line breaks. Returns the unread rest. */
export async function eachRecord(
  stdout: Output,
  onRecord: (path: string, number: string) => void,
): Promise<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of stdout) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
    let from = 0
    for (;;) {
      const nul = bytes.indexOf(0, from)
      const end = nul < 0 ? -1 : bytes.indexOf(10, nul)
      if (end < 0) break
      onRecord(bytes.toString('utf8', from, nul), bytes.toString('latin1', nul + 1, end))
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
  return rest.toString('latin1')
}

// Messages about files are turned off, so stderr is about the pattern.
function failure(pattern: string, said: string): Problem {
  const reason = /^error: (.+)$/m.exec(said)?.[1] ?? said.replace(/^rg: /, '').split('\n')[0]!
  return invalidPattern(pattern, reason.slice(0, 200))
}

export function invalidPattern(pattern: string, reason: string): Problem {
  const problem = new Problem('invalid_pattern', 'Invalid regex pattern', hintFor(reason))
  return Object.assign(problem, { details: { pattern, reason } })
}

function hintFor(reason: string): string {
  if (/NUL character/.test(reason)) return 'Leave it out: files with one are not searched.'
  if (/literal .* not allowed/.test(reason))
    return 'Matches lie within one line: look for one of the lines; those around it are shown.'
  if (/size limit/.test(reason)) return 'Use a shorter pattern, or repeat less: {1,20} rather than {1,1000}.'
  return 'Patterns are regular expressions without look-around and back-references; escape signs with \\.'
}

/** The path without `./`, `/`-separated. */
export function plainPath(printed: string): string {
  const path = printed.replace(/^\.[/\\]/, '')
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
