// A project with an index, and MCP clients of it that are processes of their own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { loadSettings } from '../../src/app/config/load.js'
import { homeFolder } from '../../src/app/home.js'
import { indexAll } from '../../src/app/index-all.js'
import { openForTest, projectRoot, temporaryFolder, write } from '../support/world.js'

const bin = join(projectRoot, 'bin/carrel.mjs')
export const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none', NO_COLOR: '1' }

/** Indexed in this process, as `carrel index` does it: a process for each test takes longer than many of them. */
export async function project(t: TestContext, folder = ''): Promise<string> {
  const root = join(temporaryFolder(t), folder)
  write(root, {
    'carrel.json': '{}',
    'docs/guide.md':
      '# Guide\n\nThe lantern is lit at dusk.\n\n## Retries\n\nThree retries, then it gives up.\n',
    'src/lamp.ts': 'export function lightLamp(times: number): number {\n  return times + 1\n}\n',
    'src/use.ts': "import { lightLamp } from './lamp.js'\n\nexport const lit = lightLamp(2)\n",
  })
  const { settings } = await loadSettings({ flags: { root }, env, cwd: root, home: homeFolder() })
  const library = await openForTest({ ...settings, watch: false })
  await indexAll(library, {})
  await library.close()
  return root
}

/** A data folder in which the path of a socket would be too long, and the folder of the user for such sockets. */
export function longPath(t: TestContext) {
  const runtime = temporaryFolder(t)
  const before = process.env.XDG_RUNTIME_DIR
  process.env.XDG_RUNTIME_DIR = runtime
  t.after(() => {
    if (before === undefined) delete process.env.XDG_RUNTIME_DIR
    else process.env.XDG_RUNTIME_DIR = before
  })
  const data = join(temporaryFolder(t), 'long'.repeat(30))
  mkdirSync(data)
  return { runtime, data }
}

/** What a command line printed, and its exit code. */
export function run(root: string, ...argv: string[]) {
  return runWith({}, root, ...argv)
}

/** The same with more variables in the environment. */
export function runWith(more: NodeJS.ProcessEnv, root: string, ...argv: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, '--root', root, ...argv], {
    env: { ...env, ...more },
  })
  return { out: stdout.toString(), err: stderr.toString(), code: status }
}

export interface Client {
  process: ChildProcess
  errorOutput(): string
  call(name: string, args: object): Promise<{ text: string; isError: boolean }>
  leave(): Promise<void>
}

/** An MCP client that has been introduced. */
export async function client(t: TestContext, root: string, ...flags: string[]): Promise<Client> {
  const child = spawn(process.execPath, [bin, 'mcp', '--root', root, ...flags], { env })
  t.after(() => child.kill('SIGKILL'))
  const answers = new Map<number, (message: { result?: unknown; error?: unknown }) => void>()
  let stderr = ''
  let last = 0
  child.stderr.on('data', (data) => {
    stderr += data
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    answers.get(message.id)?.(message)
    answers.delete(message.id)
  })
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error(`The client's server is gone. ${stderr}`)))
  })
  gone.catch(() => {})
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object) => {
    const id = ++last
    const answer = new Promise<{ result?: unknown; error?: unknown }>((resolve) => answers.set(id, resolve))
    send({ id, method, params })
    return Promise.race([answer, gone])
  }
  const clientInfo = { name: 'test', version: '1' }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    process: child,
    errorOutput: () => stderr,
    async call(name, args) {
      const { result, error } = await ask('tools/call', { name, arguments: args })
      if (error) throw new Error(JSON.stringify(error))
      const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean }
      return { text: content[0]!.text, isError }
    },
    async leave() {
      const left = new Promise((resolve) => child.once('exit', resolve))
      child.stdin.end()
      await left
    },
  }
}

/** Which of them have the index open. */
export function engines(clients: readonly Client[]): Client[] {
  return clients.filter(({ process: { pid, exitCode, signalCode } }) => {
    if (exitCode !== null || signalCode !== null) return false
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some((name) => linkOf(join(folder, name)).endsWith('index.sqlite'))
  })
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
