// One run of ripgrep, and what it prints beside JSON.
import { spawn } from 'node:child_process'
import { Problem } from '../model/problem.js'
import { ripgrep } from './ripgrep.js'
import { type Command, type Started, startInHelper } from './ripgrep-helper.js'

export interface Search {
  /** A real path. */
  root: string
  pattern: string
  /** Whether many searches run, so that it pays to have a helper start them. */
  busy?: boolean
  signal?: AbortSignal | undefined
}

export type Output = AsyncIterable<Buffer>

/** Runs ripgrep and has what it prints read. The process outlives neither its reader nor this call. */
export async function run(
  query: Search,
  args: string[],
  read: (stdout: Output) => Promise<void>,
): Promise<void> {
  query.signal?.throwIfAborted()
  const command = { command: await ripgrep(), args, cwd: query.root }
  const child = query.busy && isLarge() ? startInHelper(command) : startHere(command)
  child.ended.catch(() => {})
  query.signal?.addEventListener('abort', child.kill, { once: true })
  try {
    await read(child.stdout)
    if (!child.stdout.readableEnded) child.kill()
    const { code, errors } = await child.ended
    query.signal?.throwIfAborted()
    if (code === 2 && errors !== '') throw failure(query.pattern, errors)
  } finally {
    child.kill()
    query.signal?.removeEventListener('abort', child.kill)
  }
}

/** Whether to start a process from this one takes long. */
function isLarge(): boolean {
  return process.memoryUsage.rss() > 100_000_000
}

function startHere({ command, args, cwd }: Command): Started {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  let errors = ''
  child.stderr.on('data', (part: Buffer) => {
    if (errors.length < 10_000) errors += part.toString('utf8')
  })
  const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, errors }))
  })
  return { stdout: child.stdout, ended, kill: () => void child.kill('SIGKILL') }
}

/**
 * Records are a path, NUL and a number in a line: a path may have line ends of its own. Gives what comes after them; nothing
 * when the reader wanted no more of them.
 */
export async function eachRecord(
  stdout: Output,
  wantsMore: (path: string, number: string) => boolean,
): Promise<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of stdout) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
    let from = 0
    for (;;) {
      const nul = bytes.indexOf(0, from)
      const end = nul < 0 ? -1 : bytes.indexOf(10, nul)
      if (end < 0) break
      if (!wantsMore(bytes.toString('utf8', from, nul), bytes.toString('latin1', nul + 1, end))) return ''
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
  return rest.toString('latin1')
}

// Without messages about files, what is left on stderr is about the pattern.
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

/** As ripgrep prints it below `./`, `/`-separated. */
export function plainPath(printed: string): string {
  const path = printed.replace(/^\.[/\\]/, '')
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
