// A repository's files at one commit. Git runs without hooks, prompts, submodules, filters and the user's configuration,
// and not for ever.
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { Problem } from '../../model/problem.js'
import { type GitLocation, shownUrl } from './location.js'

export interface GitOptions {
  /** A commit to use in place of the location's ref. */
  commit?: string | undefined
  timeMs?: number
  signal?: AbortSignal | undefined
}

/** Checks the commit out into an empty folder and says which it is. */
export async function checkOut(
  location: GitLocation,
  folder: string,
  options: GitOptions = {},
): Promise<string> {
  const signals = [AbortSignal.timeout(options.timeMs ?? 60_000), ...(options.signal ? [options.signal] : [])]
  const run = (...args: string[]) => git(args, folder, location, AbortSignal.any(signals))
  const wanted = options.commit ?? location.ref ?? 'HEAD'
  await run('init', '--quiet', '--template=')
  await run(
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--',
    location.url,
    wanted,
  )
  await run('checkout', '--quiet', '--detach', '--no-recurse-submodules', 'FETCH_HEAD')
  return (await run('rev-parse', 'HEAD')).trim()
}

// Git's own word for it on every system: Windows' name of the device is no file of configuration to it.
const nothing = '/dev/null'

const safely = [
  ['core.hooksPath', nothing],
  ['core.symlinks', 'false'],
  ['core.fsmonitor', 'false'],
  ['protocol.allow', 'never'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

async function git(
  args: string[],
  folder: string,
  { url, local }: GitLocation,
  signal: AbortSignal,
): Promise<string> {
  const protocol = url.slice(0, url.indexOf(':'))
  signal.throwIfAborted()
  const child = spawn('git', ['-C', folder, ...safely, '-c', `protocol.${protocol}.allow=always`, ...args], {
    // Not in the folder itself: Windows looks for a program there first, and a repository may bring a git.exe.
    cwd: dirname(folder),
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: git starts helpers for the network, and they must end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const stop = () => endGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  let [out, stderr] = ['', '']
  child.stdout.on('data', (part: Buffer) => {
    if (out.length < 10_000) out += part
  })
  child.stderr.on('data', (part: Buffer) => {
    if (stderr.length < 2_000) stderr += part
  })
  const code = await new Promise<number | null | Error>((resolve) => {
    child.on('error', resolve)
    child.on('close', resolve)
  }).finally(() => signal.removeEventListener('abort', stop))
  if (code === 0) return out
  throw failed(url, code, stderr, local, signal)
}

function endGroup(child: ChildProcess) {
  try {
    if (child.pid === undefined) return
    if (process.platform === 'win32') endTree(child.pid)
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}

// Windows has no process groups, and git.exe only starts the real git, which would go on and hold the pipes open.
function endTree(pid: number) {
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  spawn(taskkill, ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on(
    'error',
    () => {},
  )
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot, SSH_AUTH_SOCK } = process.env
  return {
    ...Object.fromEntries(
      Object.entries({ PATH, HOME, SystemRoot, SSH_AUTH_SOCK }).filter(([, value]) => value),
    ),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=10',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: nothing,
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  }
}

function failed(
  url: string,
  code: number | null | Error,
  stderr: string,
  local: boolean,
  signal: AbortSignal,
): Problem {
  const shown = shownUrl(url)
  if (code instanceof Error && (code as NodeJS.ErrnoException).code === 'ENOENT')
    return new Problem('no_git', 'git is not installed, so git packages cannot be fetched.', 'Install git.')
  if (signal.aborted)
    return new Problem('git_stopped', `Fetching ${shown} took too long or was stopped.`, 'Try again later.')
  const reason = reasonIn(stderr)?.slice(0, 300) ?? `git ended with code ${code}.`
  const hint = local ? 'Check the path and the ref.' : 'Check the url, the ref and that you may read it.'
  return new Problem('git_failed', `${shown} could not be fetched: ${reason}`, hint)
}

// Advice for somebody who types git follows its reason. Of a connection that broke off ssh has the reason, in the line before.
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line) => /^(fatal|error): /i.test(line))
  const isOfSsh = at > 0 && lines[at] === 'fatal: Could not read from remote repository.'
  const line = isOfSsh ? lines[at - 1] : (lines[at] ?? lines.findLast(Boolean))
  return line?.replace(/^(fatal|error): /i, '').replace(/[^.]$/, '$&.')
}
