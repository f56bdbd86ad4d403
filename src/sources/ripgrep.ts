// The ripgrep binary that comes with the install, or the one on the PATH. It lists files and searches them.

import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { Problem } from '../model/problem.js'
import { type Command, type Started, startInHelper } from './ripgrep-helper.js'
import { isRepository } from './tracked-files.js'

let found: Promise<string> | undefined

export function ripgrep(): Promise<string> {
  found ??= locate()
  return found
}

// Imported when needed: the package throws on platforms it has no binary for.
async function locate(): Promise<string> {
  try {
    const { rgPath } = (await import('@vscode/ripgrep')) as { rgPath: string }
    accessSync(rgPath, constants.X_OK)
    return rgPath
  } catch {
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not in this folder.
      }
    }
    throw new Problem(
      'no_ripgrep',
      'The ripgrep program is missing: Carrel lists and searches files with it.',
      'Install the packages again (npm ci), or put "rg" on the PATH.',
    )
  }
}

// Runs ripgrep once, and reads its output formats other than JSON.

export interface Search {
  /** A real path. */
  root: string
  pattern: string
  /** Whether many searches run, so that it pays to have a helper start them. */
  busy?: boolean
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

// Messages about files are turned off, so stderr is about the pattern.
function failure(pattern: string, stderr: string): Problem {
  const reason = /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr.replace(/^rg: /, '').split('\n')[0]!
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

/**
 * The options that make ripgrep honour ignore files as git does: those of the folder's repository, and none above it.
 * By default ripgrep stops at a repository only if it requires one, so we require one wherever there is one.
 */
export function ignoreFilesOf(folder: string): string[] {
  const always = ['--no-ignore-global']
  if (isRepository(folder)) return [...always, '--no-ignore-parent']
  return isInRepository(folder) ? always : [...always, '--no-ignore-parent', '--no-require-git']
}

function isInRepository(folder: string): boolean {
  const above = dirname(folder)
  return above !== folder && (isRepository(above) || isInRepository(above))
}
