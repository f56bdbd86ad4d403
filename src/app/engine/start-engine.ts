// Starts an engine behind a command that had to work alone, so that the next commands are fast.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Configuration } from '../../model/settings.js'
import type { GlobalFlags } from '../../surfaces/cli/context.js'
import { takeEngineLock } from './lock.js'

const program = fileURLToPath(new URL('../../../../bin/carrel.mjs', import.meta.url))

/** False where there is no index, where another process is the engine, or where the user wants none. */
export function startEngine({ settings, flags }: { settings: Configuration; flags: GlobalFlags }): boolean {
  const { data, root, engineMinutes } = settings
  if (engineMinutes === 0 || endsWithThis() || !existsSync(join(data, 'index.sqlite'))) return false
  const lock = takeEngineLock(data)
  if (lock === null || lock === 'busy') return false
  lock.release()
  // Its folder is the root, so that it keeps no other folder in use. Relative paths go by the folder of this command.
  const child = spawn(process.execPath, [program, 'engine', '--run', ...sameSettings(flags, root)], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  // Without an engine, commands are slower and nothing else.
  child.on('error', () => {})
  child.unref()
  return true
}

/** The first process of a container takes all others with it. */
function endsWithThis(): boolean {
  return process.pid === 1
}

/** The flags that give the engine the settings of this command. */
function sameSettings(flags: GlobalFlags, root: string): string[] {
  const { data = process.env.CARREL_DATA, config = process.env.CARREL_CONFIG, set = [] } = flags
  const switches = {
    '--allow-outside': flags.allowOutside,
    '--allow-network': flags.allowNetwork,
    '--allow-private-network': flags.allowPrivateNetwork,
    '--allow-agent-files': flags.allowAgentFiles,
  }
  return [
    ...['--root', root],
    ...(data ? ['--data', resolve(data)] : []),
    ...(config ? ['--config', resolve(config)] : []),
    ...set.flatMap((one) => ['--set', one]),
    ...Object.entries(switches).flatMap(([name, on]) => (on ? [name] : [])),
  ]
}
