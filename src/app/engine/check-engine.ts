import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../model/problem.js'
import type { Check, EngineReport } from '../../model/reports.js'
import { describeEngine } from '../../surfaces/cli/commands/engine.js'
import { askEngine } from './client.js'

/** For `doctor`: which process is the engine. A repair needs the index for itself, so one that nobody waits for is stopped. */
export async function checkEngine(data: string, { repair = false }: { repair?: boolean }): Promise<Check> {
  const name = 'engine'
  const running = await askEngine(data, 'about')
  if (!running) return { name, state: 'ok', message: 'None runs: the next command or client starts one.' }
  if (!repair || running.kind !== 'commands') return { name, state: 'ok', message: describeEngine(running) }
  await stopEngine(data)
  return { name, state: 'ok', message: `Process ${running.pid} was stopped for the repair.` }
}

const mostMs = 10_000

/** Ends the engine and waits until it is gone; gives back which one it was. */
export async function stopEngine(data: string): Promise<EngineReport | null> {
  const running = await askEngine(data, 'about')
  if (!running) return null
  if (running.kind !== 'commands')
    throw new Problem(
      'engine_in_use',
      `Process ${running.pid} is a server (carrel ${running.kind}), and ends with its client.`,
      'Close the client, or stop that process.',
    )
  await askEngine(data, 'quit')
  for (const until = performance.now() + mostMs; isRunning(running.pid); await sleep(20))
    if (performance.now() > until)
      throw new Problem(
        'engine_in_use',
        `Process ${running.pid} has not ended yet.`,
        'Wait a moment, or stop it.',
      )
  return running
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
