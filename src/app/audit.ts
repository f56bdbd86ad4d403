import { fork } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../model/problem.js'
import { fileName } from '../store/sqlite/database.js'

/** The faults that the audit found, or the Problem that prevented it. */
export type Audited =
  | { damage: string[] }
  | { problem: { code: string; message: string; hint: string | undefined } }

/**
 * Audits the index in a separate process, which it ends after a timeout: a damaged index may crash or hang the audit, and
 * the repair must go on. A crash or a timeout counts as damage.
 */
export async function auditInProcess(folder: string, timeoutMs = timeoutFor(folder)): Promise<string[]> {
  if (!existsSync(join(folder, fileName))) return []
  const audited = await runChild(folder, timeoutMs)
  if ('damage' in audited) return audited.damage
  const { code, message, hint } = audited.problem
  throw new Problem(code, message, hint)
}

const leastMs = 60_000
/** An audit of a slow disk reads several times as much. */
const bytesAMs = 2_000

function timeoutFor(folder: string): number {
  const file = join(folder, fileName)
  return leastMs + (existsSync(file) ? statSync(file).size / bytesAMs : 0)
}

async function runChild(folder: string, timeoutMs: number): Promise<Audited> {
  const child = fork(fileURLToPath(new URL('./audit-child.js', import.meta.url)), [], {
    // Standard output belongs to the owner, which may print JSON on it.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // One that could not be started has no exit.
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve) => {
      const damage = (sentence: string) => resolve({ damage: [sentence] })
      timer = setTimeout(
        () => damage(`Looking the index over did not end within ${Math.round(timeoutMs / 1000)} seconds.`),
        timeoutMs,
      )
      child.on('message', (message) => resolve(message as Audited))
      child.on('error', ({ message }) => resolve({ problem: { code: 'audit', message, hint: undefined } }))
      child.on('exit', (code, signal) =>
        damage(`The process that looked the index over died (${signal ?? `exit code ${code}`}).`),
      )
      child.send(folder, () => {})
    })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    // A repair is refused while another process has the index open.
    await ended
  }
}
